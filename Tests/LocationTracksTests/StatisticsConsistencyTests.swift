import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@testable import LocationTracks

/// Consistency of all statistics of a session with each other.
struct StatisticsConsistencyTests {
    @Test func `the statistics of recorded sessions are consistent`() async throws {
        for recording in SampleRecording.all {
            var statistics = TrackStatistics()
            for try await update in ReplayProvider(.path(recording.path), pace: .max).tracked() {
                statistics.process(update)
            }
            #expect(statistics.contradictions == [], "\(recording.path)")
        }
    }

    /// In 9,000 steps even the rarest event, a clock that is set by days, happens some eighteen times.
    @Test(arguments: 0..<30 as Range<UInt64>)
    func `the statistics of random sessions are consistent at every moment`(_ seed: UInt64) {
        var session = WildSession(seed: seed)
        var statistics = TrackStatistics()
        for step in 0..<300 {
            for update in session.next() { statistics.process(update) }
            if step % 50 == 49 { #expect(statistics.contradictions == [], "seed \(seed), step \(step)") }
        }
        statistics.pass(session.moment)
        #expect(statistics.contradictions == [], "seed \(seed)")
    }

    @Test func `jumps of the position do not make a receiver faster than it reports`() throws {
        var session = MadeUpSession.driveWithStop()
        for index in 100..<110 {
            session.locations[index].coordinate = session.locations[index].coordinate.destination(
                distance: index % 2 == 0 ? 0 : 300, bearing: 0)
        }
        let statistics = TrackStatistics(session.updates)
        #expect(statistics.motion.speeds.maximum == 12)
        #expect(try #require(statistics.motion.averageMovingSpeed) <= 12)
    }

    @Test func `a stop at a traffic light is not a standstill but a longer stop is`() {
        func scatter(_ stop: Int) -> Scatter? {
            var place = Coordinate(latitude: 45, longitude: 7)
            return TrackStatistics(200 + stop) { second in
                let isStanding = 100..<(100 + stop) ~= second
                if !isStanding { place = place.destination(distance: 10, bearing: 20) }
                return Location(coordinate: place, horizontalAccuracy: 5, speed: isStanding ? 0 : 10)
            }.scatter
        }
        #expect(scatter(60) == nil)
        #expect(scatter(200).map { $0.duration > .seconds(180) } == true)
    }

    @Test func `a loss at the end of a session is not a gap`() {
        let session = MadeUpSession.driveWithStop()
        var statistics = TrackStatistics(session.updates)
        let loss = StateChange(
            from: .found(session.locations[900]), to: .searching(.deviceLost(path: "a")), at: MadeUpSession.moment(900),
            lasted: .seconds(900))
        statistics.process(.transition(loss))
        #expect(statistics.gaps.isEmpty && statistics.availability == 1)
        statistics.pass(MadeUpSession.moment(905))
        #expect(statistics.gaps.map(\.length) == [.seconds(5)])
    }
}

extension TrackStatistics {
    /// Descriptions of all statistics that contradict each other.
    var contradictions: [String] {
        var found: [String] = []
        func check(_ holds: Bool, _ words: String) { if !holds { found.append(words) } }
        let (motion, small) = (motion, 1e-6)
        let moving = motion.movingTime.inSeconds

        let searched = timeToFirstFix ?? duration
        let lost = gaps.reduce(Duration.zero) { $0 + $1.length }
        check(searched + foundTime + lost == duration, "\(searched) + \(foundTime) + \(lost) is not \(duration)")
        check(gaps.allSatisfy { $0.length > .zero }, "a gap without a length")
        check(timeToFirstFix != nil || gaps.isEmpty && foundTime == .zero, "a gap before the first fix")
        if let availability {
            check(0...1 ~= availability, "an availability of \(availability)")
            check(abs(availability - foundTime / duration) < small, "a false availability")
        }

        check(motion.distance <= motion.rawDistance + 1e-3, "\(motion.distance) m of \(motion.rawDistance) m")
        check(motion.movingTime + motion.standingTime <= duration, "moving and standing take longer than the session")
        check(motion.distance == 0 || moving > 0, "a distance in no time")
        if let average = motion.averageMovingSpeed {
            let way = average * moving
            check(abs(way - motion.distance) <= small * max(1, motion.distance), "a false average")
            let most = motion.speeds.maximum ?? 0
            check(average <= most * (1 + small) + small, "\(average) m/s on average, \(most) m/s at most")
        }

        let standstill = standstill
        check(standstill.duration <= motion.standingTime, "the longest standstill is longer than the standing time")
        check(standstill.count <= epochs, "more positions in a standstill than in the session")
        if let scatter {
            check(scatter.cep50 <= scatter.cep95, "CEP50 above CEP95")
            check(scatter.count == standstill.count && scatter.duration == standstill.duration, "another standstill")
            check(scatter.shareWithinReported.map { 0...1 ~= $0 } ?? true, "a share outside 0...1")
        }

        let distributions = [
            seen, used, horizontalDilution, verticalDilution, positionDilution, horizontalAccuracy, verticalAccuracy,
            speedAccuracy, clockOffset, motion.speeds,
        ]
        for values in distributions + Array(signals.values) where values.count > 0 {
            let quantiles = [0, 0.05, 0.25, 0.5, 0.75, 0.95, 1].map { values.quantile($0) ?? .nan }
            check(zip(quantiles, quantiles.dropFirst()).allSatisfy { $0 <= $1 }, "falling quantiles: \(quantiles)")
            check(quantiles.first == values.minimum && quantiles.last == values.maximum, "false extremes")
            let (least, most, mean) = (values.minimum ?? .nan, values.maximum ?? .nan, values.mean ?? .nan)
            let slack = small * max(abs(least), abs(most))
            check(least - slack <= mean && mean <= most + slack, "a mean of \(mean) in \(least)...\(most)")
        }

        check(fixes.values.reduce(0, +) == epochs, "fixes do not add up to the epochs")
        check(qualities.values.reduce(0, +) == epochs, "qualities do not add up to the epochs")
        check(devices.values.reduce(0, +) == epochs, "receivers do not add up to the epochs")
        check(late <= epochs && untimed <= epochs, "a part exceeds its whole")
        check(horizontalAccuracy.count <= epochs, "more accuracies than epochs")
        return found
    }
}

/// A random session with jumps, losses, several receivers, clocks that are set, and bursts.
private struct WildSession {
    private var draw: SplitMix64
    private var tracker = Tracker()
    private(set) var moment = MadeUpSession.moment(0)
    private var clock = SampleTrack.start
    private var place = Coordinate(latitude: 45, longitude: 7)
    private var speed = 0.0
    private let tellsSpeed: Bool

    init(seed: UInt64) {
        draw = SplitMix64(seed: seed)
        tellsSpeed = draw.uniform(0...1) < 0.7
    }

    mutating func next() -> [TrackedUpdate] {
        let kind = draw.uniform(0...1)
        let pause = kind < 0.05 ? 0 : kind < 0.08 ? draw.uniform(2...40) : draw.uniform(0.9...1.1)
        moment = moment.advanced(by: .milliseconds(Int(pause * 1000)))
        clock = clock.advanced(by: .milliseconds(Int(pause * 1000)))
        return events().flatMap { tracker.results(of: LocationUpdate($0, at: moment)) }
    }

    private mutating func events() -> [LocationEvent] {
        let kind = draw.uniform(0...1)
        switch kind {
        case ..<0.03: return [.searching(.noFix(seen: 3, used: 0, best: 20), device: "a")]
        case ..<0.04: return [.failure(.daemon(message: "x"))]
        case ..<0.05: clock = clock.advanced(by: .seconds(draw.uniform(-100...100)))
        case ..<0.052: clock = clock.advanced(by: .seconds(draw.uniform(-1e6...1e6)))
        case ..<0.1: place = place.destination(distance: draw.uniform(0...500), bearing: draw.uniform(0...360))
        case ..<0.14: speed = draw.uniform(0...1) < 0.5 ? 0 : draw.uniform(0...30)
        default: break
        }
        place = place.destination(distance: speed, bearing: 30)
            .destination(distance: abs(draw.normal()) * 2, bearing: draw.uniform(0...360))
        var location = Location(
            coordinate: place, fix: .threeD, timestamp: draw.uniform(0...1) < 0.03 ? nil : clock,
            device: draw.uniform(0...1) < 0.05 ? "b" : "a", horizontalAccuracy: draw.uniform(1...30),
            altitudeMSL: draw.uniform(0...1) < 0.1 ? nil : 200 + draw.normal() * 5,
            speed: tellsSpeed && draw.uniform(0...1) < 0.95 ? abs(speed + draw.normal() * 0.2) : nil)
        location.isLate = draw.uniform(0...1) < 0.01
        location.received = moment.wall
        var sky = SkyView(satellites: nil, seen: Int(draw.uniform(0...30)), used: 3, device: "a")
        sky.dilution.horizontal = draw.uniform(0.5...20)
        return [.satellites(sky), .location(location)]
    }
}
