import LocationCore
import LocationTracks
import TestSupport

/// Tracks that are the same in every run.
enum SampleTrack {
    static let start = Timestamp(nanosecondsSince1970: 1_795_161_600_000_000_000)

    /// Returns a drive in the given number of segments, in which some fields are unknown now and then.
    static func drive(
        segments: Int = 3, points: Int = 40, from origin: Coordinate = Coordinate(latitude: 45.07, longitude: 7.68),
        seed: UInt64 = 6
    ) -> [TrackElement] {
        var draw = SplitMix64(seed: seed)
        var elements: [TrackElement] = []
        var place = origin
        var time = start
        var bearing = 40.0
        for segment in 0..<segments {
            if segment > 0 {
                elements.append(.gap(.loss(loss(at: time))))
                time = time.advanced(by: .seconds(30))
            }
            for index in 0..<points {
                bearing = (bearing + draw.uniform(-8...8) + 360).truncatingRemainder(dividingBy: 360)
                let speed = draw.uniform(5...20)
                place = rounded(place.destination(distance: speed, bearing: bearing))
                time = time.advanced(by: .milliseconds(index % 5 == 0 ? 1250 : 1000))
                elements.append(.point(point(place, time, speed, bearing, using: &draw)))
            }
        }
        return elements
    }

    static func loss(at time: Timestamp) -> StateChange {
        StateChange(
            from: .found(Location(coordinate: Coordinate(latitude: 0, longitude: 0))),
            to: .searching(.noFix(seen: 7, used: 0, best: 31)),
            at: Moment(elapsed: time.since(start), wall: time), lasted: .seconds(40))
    }

    static func point(
        _ place: Coordinate, _ time: Timestamp?, _ speed: Double? = nil, _ bearing: Double? = nil,
        using draw: inout SplitMix64
    ) -> TrackPoint {
        var location = Location(
            coordinate: place, fix: .threeD, timestamp: time, device: "/dev/tty,\"USB0\"",
            horizontalAccuracy: cut(draw.uniform(2...9), 1000),
            altitudeMSL: cut(draw.uniform(100...300), 1000), speed: speed.map { cut($0, 1000) },
            course: bearing.map { cut($0, 100) })
        location.geoidSeparation = 48.3
        location.magneticVariation = -2.5
        var sky = SkyView(satellites: nil, seen: 16, used: 9)
        sky.dilution.horizontal = 0.9
        sky.dilution.vertical = 1.4
        sky.dilution.position = 1.7
        return TrackPoint(location, sky: sky)
    }

    static func points(_ elements: [TrackElement]) -> [TrackPoint] {
        elements.compactMap { if case .point(let point) = $0 { point } else { nil } }
    }

    /// Returns the expected number of the segment of each point.
    static func segments(_ elements: [TrackElement]) -> [Int] {
        var segment = 1
        return elements.compactMap { element in
            switch element {
            case .gap:
                segment += 1
                return nil
            case .point: return segment
            }
        }
    }

    static func written(
        _ elements: [TrackElement], as format: TrackFormat, _ options: TrackFormat.Options = .init()
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var stream = TrackStream(format, options)
        for element in elements { stream.process(element, to: &bytes) }
        stream.finish(to: &bytes)
        return bytes
    }

    static func rounded(_ place: Coordinate) -> Coordinate {
        Coordinate(latitude: cut(place.latitude, 1e9), longitude: cut(place.longitude, 1e9))
    }

    static func cut(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }
}
