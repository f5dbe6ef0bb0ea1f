import Glibc
import LocationCore
@testable import LocationTracks
import TestSupport
import Testing

@Suite struct TrackStatisticsTests {
    /// Returns the figures that numpy and GeographicLib compute from the same numbers.
    private func figures(_ kind: String, _ rows: [[Double]]) throws -> [String: Double] {
        let input = rows.map { $0.map(\.description).joined(separator: " ") }.joined(separator: "\n")
        let output = try Tool.output(
            of: ["/usr/bin/python3", Tool.oracle("track_statistics.py"), kind], input: input)
        return Dictionary(
            uniqueKeysWithValues: try output.split(separator: "\n").map { line in
                let fields = line.split(separator: " ")
                return (String(fields[0]), try #require(Double(fields[1])))
            })
    }

    @Test(arguments: [
        Coordinate(latitude: 45.07, longitude: 7.68), Coordinate(latitude: -17, longitude: 180),
        Coordinate(latitude: 89.9999, longitude: 10), Coordinate(latitude: 0, longitude: 0),
    ])
    func `the scatter of a standstill agrees with numpy and GeographicLib`(_ origin: Coordinate) throws {
        let session = MadeUpSession.standing(at: origin, points: 300)
        let scatter = try #require(TrackStatistics(session.updates).scatter)
        let expected = try figures(
            "scatter",
            session.locations.map {
                [$0.coordinate.latitude, $0.coordinate.longitude, $0.altitudeMSL ?? 0, $0.horizontalAccuracy ?? 0]
            })
        #expect(scatter.count == 300)
        let mean = Coordinate(latitude: expected["latitude"] ?? 0, longitude: expected["longitude"] ?? 0)
        #expect(scatter.mean.distance(to: mean) < 0.001)
        for (name, value) in [
            ("cep50", scatter.cep50), ("cep95", scatter.cep95), ("drms", scatter.drms), ("sep", scatter.sep),
            ("meanHeight", scatter.meanHeight), ("heightDeviation", scatter.heightDeviation),
            ("heightRange", scatter.heightRange), ("medianReported", scatter.medianReported),
            ("shareWithinReported", scatter.shareWithinReported),
        ] {
            #expect(abs((value ?? .nan) - (expected[name] ?? .nan)) < 0.001, "\(name)")
        }
        #expect(scatter.twiceDRMS == 2 * scatter.drms)
    }

    @Test(arguments: [(500, 0.0), (16_384, 0.0), (20_000, 0.006)])
    func `quantiles of many values agree with numpy to half a percent`(_ count: Int, _ tolerance: Double) throws {
        var draw = SplitMix64(seed: 3)
        let values = (0..<count).map { _ in abs(draw.normal()) * 7 + (draw.uniform(0...1) < 0.1 ? 40 : 0) - 3 }
        var distribution = Distribution()
        for value in values { distribution.process(value) }
        let expected = try figures("quantiles", values.map { [$0] })
        for share in [0, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1] {
            let name = share == 0 || share == 1 ? "\(Int(share))" : share.description
            let value = try #require(expected[name])
            #expect(
                abs((distribution.quantile(share) ?? .nan) - value)
                    <= max(1e-9, abs(value) * tolerance + tolerance * 0.01))
        }
        #expect(abs((distribution.mean ?? .nan) - (expected["mean"] ?? .nan)) < 1e-9)
        #expect(abs((distribution.deviation ?? .nan) - (expected["deviation"] ?? .nan)) < 1e-9)
        #expect(distribution.count == count)
    }

    @Test func `the distance of a drive agrees with GeographicLib and excludes drift`() throws {
        let session = MadeUpSession.driveWithStop()
        let motion = TrackStatistics(session.updates).motion
        let raw = try figures("distance", session.locations.map { [$0.coordinate.latitude, $0.coordinate.longitude] })
        #expect(abs(motion.rawDistance - (raw["distance"] ?? .nan)) < 0.001)
        // 300 s at 12 m/s twice; five minutes between them with a drift of a metre per second.
        #expect(abs(motion.distance - 7200) < 60)
        #expect(motion.rawDistance > 7400)
        #expect(abs(motion.movingTime.inSeconds - 600) < 20)
        #expect(abs(motion.standingTime.inSeconds - 300) < 20)
        #expect(abs((motion.speeds.median ?? 0) - 12) < 0.2)
        #expect(abs((motion.averageMovingSpeed ?? 0) - 12) < 0.5)
    }

    private static let rise: [Double] = (0...92).map { 100 + 1.3 * Double($0) }
    private static let hills: [Double] = (0...150).map { 20 * abs(sin(Double($0) * Double.pi / 50)) }
    private static let climbs: [([Double], Double, Double)] = [
        (rise, 119.6, 0), (hills, 60, 60), ([100, 102, 104.9], 0, 0), ([100, 102, 97, 103, 99, 104], 7, 5), ([5], 0, 0),
    ]

    @Test(arguments: climbs)
    func `a climb counts in full between changes of direction of a step or more`(
        heights: [Double], ascent: Double, descent: Double
    ) {
        let change = climb(heights, every: .seconds(10))
        #expect(abs(change.ascent - ascent) < 1e-9 && abs(change.descent - descent) < 1e-9, "\(change)")
    }

    private func climb(_ heights: [Double], every interval: Duration) -> Climb.Change {
        var climb = Climb()
        var sum = Climb.Change()
        func add(_ change: Climb.Change) {
            sum.ascent += change.ascent
            sum.descent += change.descent
        }
        for (place, height) in heights.enumerated() {
            add(climb.process(height, at: (interval * place).clampedNanoseconds))
        }
        add(climb.finish())
        return sum
    }

    @Test(arguments: [Duration.milliseconds(100), .milliseconds(200), .seconds(1)])
    func `the noise of single heights adds nothing to a climb, and a steady climb is whole`(interval: Duration) {
        var draw = SplitMix64(seed: 7)
        let noise = (0..<600).map { _ in draw.uniform(-3.4...3.4) }
        let none = climb(noise, every: interval)
        let most = interval < .seconds(1) ? 0 : 6.0
        #expect(none.ascent <= most && none.descent <= most, "\(none)")
        let change = climb(Self.rise, every: interval)
        #expect(abs(change.ascent - 119.6) < 1e-9 && change.descent == 0)
        let noisy = climb(zip(Self.rise, noise).map { $0 + $1 }, every: interval)
        #expect(abs(noisy.ascent - 119.6) < 5 && noisy.descent == 0, "\(noisy)")
        #expect(climb(Array(repeating: 3, count: 50), every: .zero) == Climb.Change())
    }

    @Test(arguments: [1, 5])
    func `the noise of positions adds little to a distance whose speeds are reported`(rate: Int) {
        var draw = SplitMix64(seed: 8)
        let start = Coordinate(latitude: 45, longitude: 7)
        let motion = TrackStatistics(60 * rate, every: .seconds(1) / rate) { step in
            let way = 10 * Double(step) / Double(rate)
            let place = start.destination(distance: way + draw.uniform(-3.4...3.4), bearing: 90)
                .destination(distance: draw.uniform(-3.4...3.4), bearing: 0)
            return Location(coordinate: place, horizontalAccuracy: 8, speed: 10 + draw.uniform(-0.3...0.3))
        }.motion
        #expect(motion.rawDistance > 620)
        #expect(abs(motion.distance - 590) < 25, "\(motion.distance)")
    }

    @Test func `the dates that jump by a day or more are counted`() {
        var statistics = TrackStatistics()
        for (second, date) in [0, 1, 90_000, 90_001, 4].enumerated() {
            let moment = Moment(elapsed: .seconds(second), wall: SampleTrack.start.advanced(by: .seconds(date)))
            statistics.process(.update(LocationUpdate(.notice(.message("x")), at: moment)))
        }
        #expect(statistics.dateJumps.count == 2)
    }

    @Test func `without values there are no figures, and what is not a number does not count`() {
        var distribution = Distribution()
        for value in [Double.nan, nil] { distribution.process(value) }
        #expect(distribution.count == 0 && distribution.mean == nil && distribution.median == nil)
        #expect(distribution.deviation == nil && distribution.minimum == nil)
        let statistics = TrackStatistics()
        #expect(statistics.availability == nil && statistics.timeToFirstFix == nil && statistics.scatter == nil)
        #expect(statistics.rate == nil && statistics.motion.averageMovingSpeed == nil)
    }

    @Test func `gaps, availability and time to first fix follow from the transitions`() {
        let location = Location(coordinate: Coordinate(latitude: 1, longitude: 1), timestamp: SampleTrack.start)
        func change(_ from: LocationState, _ to: LocationState, _ second: Int) -> TrackedUpdate {
            .transition(StateChange(from: from, to: to, at: MadeUpSession.moment(second), lasted: .zero))
        }
        let lost = LocationState.searching(.noFix(seen: 3, used: 0, best: nil))
        let statistics = TrackStatistics([
            .update(LocationUpdate(.notice(.message("begins")), at: MadeUpSession.moment(0))),
            change(.searching(.starting), .found(location), 20),
            change(.found(location), lost, 60),
            change(lost, .searching(.silent(for: .seconds(3))), 65),
            change(.searching(.silent(for: .seconds(3))), .found(location), 70),
            change(.found(location), .error(.daemon(message: "x")), 90),
            .update(LocationUpdate(.notice(.message("ends")), at: MadeUpSession.moment(100))),
        ])
        #expect(statistics.duration == .seconds(100))
        #expect(statistics.timeToFirstFix == .seconds(20))
        #expect(statistics.foundTime == .seconds(60))
        #expect(statistics.availability == 0.6)
        #expect(
            statistics.gaps == [
                .init(start: MadeUpSession.moment(60), length: .seconds(10), reason: "noFix"),
                .init(start: MadeUpSession.moment(90), length: .seconds(10), reason: "daemon"),
            ])
    }

    @Test func `the accuracy of a receiver and that of its session are without late positions`() {
        let statistics = TrackStatistics(
            [(0, 4.0), (1, 5), (2, 6), (1, 90)].enumerated().map { index, report in
                var location = Location(
                    coordinate: Coordinate(latitude: 1, longitude: 1),
                    timestamp: SampleTrack.start.advanced(by: .seconds(report.0)), device: "a",
                    horizontalAccuracy: report.1)
                location.isLate = index == 3
                return .update(
                    LocationUpdate(.location(location), at: MadeUpSession.moment(index)),
                    index == 3 ? .late : .current)
            })
        #expect(statistics.late == 1 && statistics.receivers.map(\.late) == [1] && statistics.epochs == 4)
        for accuracy in [statistics.horizontalAccuracy] + statistics.receivers.map(\.horizontalAccuracy) {
            #expect(accuracy.count == 3 && accuracy.maximum == 6)
        }
    }

    @Test func `each view of the satellites counts, and signals by system`() {
        var view = SkyView(satellites: [
            Satellite(constellation: .gps, number: 1, signal: 40, isUsed: true),
            Satellite(constellation: .gps, number: 2, signal: 20),
            Satellite(constellation: .galileo, number: 2, signal: 33, isUsed: true),
            Satellite(constellation: nil, number: 9),
        ])
        view.dilution.horizontal = 0.8
        let many = (1...40).map { Satellite(constellation: .glonass, number: $0, signal: 30, isUsed: true) }
        let views = [view, SkyView(satellites: many), SkyView(satellites: [])]
        let statistics = TrackStatistics(
            views.enumerated().map { .update(LocationUpdate(.satellites($1), at: MadeUpSession.moment($0))) })
        #expect(statistics.skyViews == 3 && statistics.seen.count == 3 && statistics.used.maximum == 40)
        #expect(statistics.seen.minimum == 0 && statistics.seen.median == 4 && statistics.seen.maximum == 40)
        #expect(statistics.signals[.gps]?.median == 30 && statistics.signals[.galileo]?.mean == 33)
        #expect(statistics.signals[.glonass]?.count == 40 && statistics.signals.count == 3)
        #expect(statistics.horizontalDilution.mean == 0.8 && statistics.verticalDilution.count == 0)
    }

    /// Each epoch has a second of the receiver's clock, the milliseconds at which it arrives, and a receiver.
    @Test(
        arguments: [
            ("a first epoch that is late", [600, 1100, 2100, 3100, 4100].enumerated().map { ($0, $1, "a") }),
            ("time without a position", [0, 1, 2, 100, 101, 102].map { ($0, $0 * 1000, "a") }),
            ("several receivers", (0..<6).map { ($0 / 2, $0 * 500, $0 % 2 == 0 ? "a" : "b") }),
            ("a receiver's clock that is set", [0, 1, 100_000, 100_001].enumerated().map { ($1, $0 * 1000, "a") }),
            ("a receiver's clock that leaps by two seconds", [0, 3, 4].enumerated().map { ($1, $0 * 1000, "a") }),
            ("a receiver's clock that stands still", (0..<4).map { (0, $0 * 1000, "a") }),
        ] as [(String, [(Int, Int, String)])])
    func `the rate is that of each receiver between its epochs, whatever else happens`(
        case name: String, epochs: [(Int, Int, String)]
    ) {
        let events = epochs.map { second, milliseconds, device in
            let location = Location(
                coordinate: Coordinate(latitude: 1, longitude: 1), timestamp: MadeUpSession.moment(second).wall,
                device: device)
            return (LocationEvent.location(location), Double(milliseconds) / 1000)
        }
        #expect(TrackStatistics(MadeUpSession.tracked(events)).rate == 1)
    }

    @Test func `positions without a time in a recording do not change the rate`() {
        var statistics = TrackStatistics()
        for number in 0..<23 {
            let moment = MadeUpSession.moment(max(0, number - 20))
            var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7))
            if number >= 20 { location.timestamp = moment.wall }
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        #expect(statistics.rate == 1 && statistics.untimed == 20 && statistics.epochs == 23)
    }

    @Test func `the devices of a fleet with figures of their own are limited, and all are counted`() {
        var statistics = TrackStatistics()
        for number in Array(0..<(TrackStatistics.fleetLimit + 10)) + [0] {
            var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7))
            location.device = "d\(number)"
            let moment = Moment(elapsed: .seconds(number), wall: Timestamp(nanosecondsSince1970: 0))
            statistics.process(.update(LocationUpdate(.location(location), at: moment).about(location.device)))
        }
        #expect(statistics.receivers.count == TrackStatistics.fleetLimit)
        #expect(statistics.devices.count == TrackStatistics.fleetLimit + 10)
        #expect(statistics.receivers.first?.epochs == 2)
    }

    @Test(arguments: [(1, 0.5), (1, 1), (1, 1.9), (10, 1), (1, 0.05)])
    func `a recording at another pace than its receiver's has the receiver's times`(interval: Int, pace: Double) {
        let searching = (LocationEvent.searching(.noFix(seen: 3, used: 0, best: nil), device: "a"), 0.0)
        let events = (0...60).map { number in
            var location = MadeUpSession.moving(Double(number * interval))
            let arrival = 4 + Double(number) * pace
            location.received = MadeUpSession.moment(arrival).wall
            return (LocationEvent.location(location), arrival)
        }
        let statistics = TrackStatistics(MadeUpSession.tracked([searching] + events))
        let way = Duration.seconds(60 * interval)
        // The pace of positions that are ten seconds apart is known with the second one.
        let known = interval == 1 ? way : way - .seconds(9)
        #expect(statistics.duration == .seconds(4) + known && statistics.foundTime == known)
        #expect(statistics.motion.movingTime == known && statistics.motion.standingTime == .zero)
        #expect(statistics.timeToFirstFix == .seconds(4))
        #expect(abs((statistics.motion.averageMovingSpeed ?? 0) - 10) < (interval == 1 ? 0.01 : 0.2))
        // The arrivals of such a recording say nothing about a delay.
        #expect(statistics.clockOffset.count == (pace == 1 && interval == 1 ? 61 : 0))
        #expect(statistics.contradictions == [])
    }

    @Test func `a receiver's clock that is set, and the drift of a host's, do not change the time of a session`() {
        let events = (0...2000).map { number in
            var location = MadeUpSession.moving(Double(number) + (number > 100 ? 18 : 0))
            let arrival = 0.5 + Double(number) * 1.0002
            location.received = MadeUpSession.moment(arrival).wall
            return (LocationEvent.location(location), arrival)
        }
        let statistics = TrackStatistics(MadeUpSession.tracked(events))
        #expect(.seconds(1999)...(.seconds(2001)) ~= statistics.duration)
        #expect(statistics.clockOffset.count == 2001)
    }
}
