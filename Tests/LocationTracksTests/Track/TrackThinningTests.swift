import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct TrackThinningTests {
    private var thinning = TrackThinning(every: .seconds(30))

    private func thinned(_ thinning: TrackThinning, _ track: [TrackElement]) -> [TrackElement] {
        var thinning = thinning
        return thinned(&thinning, track)
    }

    /// Returns what is kept of points that arrive at their times, and at once if those are earlier.
    private func thinned(_ thinning: inout TrackThinning, _ track: [TrackElement]) -> [TrackElement] {
        var arrival = Duration.zero
        let kept = track.flatMap { element in
            if case .point(let point) = element, let time = point.location.timestamp {
                arrival = max(arrival, time.since(SampleTrack.start))
            }
            return thinning.process(element, at: arrival)
        }
        return kept + thinning.finish()
    }

    private func times(_ elements: [TrackElement]) -> [Double] {
        SampleTrack.points(elements).compactMap {
            $0.location.timestamp.map { $0.since(SampleTrack.start).inSeconds }
        }
    }

    @Test func `every keeps no point within the interval, also across segments`() {
        let track = SampleTrack.drive(segments: 2, points: 20)
        let kept = thinned(TrackThinning(every: .seconds(5)), track)
        let segments = kept.split { if case .gap = $0 { true } else { false } }.map { times(Array($0)) }
        let all = track.split { if case .gap = $0 { true } else { false } }.map { times(Array($0)) }
        #expect(segments.count == 2)
        #expect(segments.first?.first == all.first?.first)
        #expect(zip(times(kept), times(kept).dropFirst()).allSatisfy { $1 - $0 >= 3.75 })
        for (segment, whole) in zip(segments, all) {
            // The grid keeps its pace for any distance in time between points.
            let (kept, length) = (Double(segment.count), (whole.last ?? 0) - (whole.first ?? 0))
            #expect(abs(kept - 1 - length / 5) <= 1.5)
        }
    }

    @Test func `a segment of which no point is kept has no end, and a late point does not pass`() {
        var draw = SplitMix64(seed: 2)
        func point(_ milliseconds: Int) -> TrackElement {
            let place = Coordinate(latitude: 1, longitude: 1)
            let time = SampleTrack.start.advanced(by: .milliseconds(milliseconds))
            return .point(SampleTrack.point(place, time, using: &draw))
        }
        let gap = TrackElement.gap(.missing)
        let (first, late, next, last) = (point(0), point(-1), point(20_000), point(61_000))
        let track = [first, gap, late, gap, next, gap, last, gap]
        for thinning in [TrackThinning(every: .seconds(60)), TrackThinning(every: .seconds(60), simplify: 1)] {
            #expect(thinned(thinning, track) == [first, gap, last, gap])
        }
        #expect(thinned(TrackThinning(minMove: 100), track) == [first, gap])
    }

    @Test func `a clock that was set back by more than the interval begins anew`() {
        var draw = SplitMix64(seed: 2)
        let place = Coordinate(latitude: 1, longitude: 1)
        let first = TrackElement.point(SampleTrack.point(place, SampleTrack.start, using: &draw))
        let before = SampleTrack.start.advanced(by: .seconds(-90))
        let earlier = TrackElement.point(SampleTrack.point(place, before, using: &draw))
        var thinning = TrackThinning(every: .seconds(60))
        #expect(thinning.process(first, at: .zero) + thinning.process(earlier, at: .seconds(60)) == [first, earlier])
    }

    @Test
    mutating func `points without a time keep the interval by their arrival, and so does the first point with one`() {
        let kept = (0..<150).filter { second in
            // The fifth point has the first time, which is behind the arrival, and the next one goes back a little.
            let time = second == 5 ? 0.7 : second > 5 ? Double(second - 5) + 0.4 : nil
            var location = Location(
                coordinate: Coordinate(latitude: 1, longitude: 1),
                timestamp: time.map { SampleTrack.start.advanced(by: .seconds($0)) })
            location.received = location.timestamp ?? SampleTrack.start
            return !thinning.process(.point(TrackPoint(location)), at: .seconds(second)).isEmpty
        }
        #expect(kept == [0, 30, 60, 90, 120])
    }

    @Test func `minMove keeps points at that distance or more`() {
        let kept = SampleTrack.points(thinned(TrackThinning(minMove: 50), SampleTrack.drive(segments: 1, points: 60)))
        let places = kept.map(\.location.coordinate)
        #expect(kept.count > 5 && kept.count < 40)
        #expect(zip(places, places.dropFirst()).allSatisfy { $0.distance(to: $1) >= 50 })
    }

    @Test func `a short track is reduced to its first point by every and minMove, and to its ends by simplify`() {
        let track = SampleTrack.drive(segments: 1, points: 8)
        let all = times(track)
        let first = [all[0]]
        for (thinning, kept) in [
            (TrackThinning(every: .seconds(60)), first), (TrackThinning(minMove: 1000), first),
            (TrackThinning(simplify: 1000), [all[0], all[7]]),
            (TrackThinning(every: .seconds(60), simplify: 1000), first),
        ] {
            var counted = thinning
            #expect(times(thinned(&counted, track)) == kept)
            #expect(counted.leftOut == 8 - kept.count)
        }
    }

    @Test(arguments: [
        (Coordinate(latitude: 45, longitude: 7), 2.0, 4096), (Coordinate(latitude: 45, longitude: 7), 10, 50),
        (Coordinate(latitude: -17, longitude: 179.995), 5, 4096), (Coordinate(latitude: 89.99, longitude: 20), 5, 4096),
    ])
    func `simplify moves the line by no more than the tolerance according to GeographicLib`(
        _ origin: Coordinate, _ tolerance: Double, _ window: Int
    ) throws {
        let track = SampleTrack.drive(segments: 1, points: 120, from: origin)
        var thinning = TrackThinning(simplify: tolerance, window: window)
        let kept = SampleTrack.points(thinned(&thinning, track))
        let points = SampleTrack.points(track)
        #expect(kept.count + thinning.leftOut == points.count)
        #expect(kept.count < points.count / 2)
        #expect(kept.first == points.first && kept.last == points.last)
        let corners = Set(kept.map(\.location.timestamp))
        let input = points.map { point in
            let place = point.location.coordinate
            return "\(place.latitude) \(place.longitude) \(corners.contains(point.location.timestamp) ? 1 : 0)"
        }.joined(separator: "\n")
        let distances = try Tool.output(
            of: ["/usr/bin/python3", Tool.oracle("line_distances.py")], input: input
        )
        .split(separator: "\n").compactMap { Double($0) }
        #expect(distances.count == thinning.leftOut)
        #expect(distances.allSatisfy { $0 <= tolerance + 0.001 })
        // The tolerance is used, not only kept.
        #expect((distances.max() ?? 0) > tolerance / 2)
    }

    @Test func `a segment without motion is reduced to its first and last point`() {
        var draw = SplitMix64(seed: 4)
        let place = Coordinate(latitude: 3, longitude: 4)
        let track = (0..<50).map {
            TrackElement.point(SampleTrack.point(place, SampleTrack.start.advanced(by: .seconds($0)), using: &draw))
        }
        #expect(times(thinned(TrackThinning(simplify: 1), track)) == [0, 49])
        #expect(times(thinned(TrackThinning(simplify: 1, window: 10), track)).count <= 7)
    }

    @Test func `the distance from a segment agrees with the exact distance on the ellipsoid`() {
        var draw = SplitMix64(seed: 31)
        for _ in 0..<300 {
            let start = Coordinate(latitude: draw.uniform(-89...89), longitude: draw.uniform(-180...180))
            let end = start.destination(distance: draw.uniform(1...15_000), bearing: draw.uniform(0...360))
            let place = start.destination(distance: draw.uniform(1...15_000), bearing: draw.uniform(0...360))
            let way = GeodesicSegment(from: EarthVector(start), to: EarthVector(end))
            let (plane, exact) = (way.distance(of: EarthVector(place)), way.exactDistance(of: EarthVector(place)))
            #expect(abs(plane - exact) < 0.001 + exact * 1e-5)
        }
    }
}
