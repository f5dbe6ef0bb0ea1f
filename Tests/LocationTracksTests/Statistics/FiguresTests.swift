import LocationCore
import Testing

@testable import LocationTracks

/// The figures beside motion and scatter: judgements, round numbers, and the histories of pictures, which stay small.
@Suite struct FiguresTests {
    @Test func `a judgement lasts until the next one of its receiver, or the end of the session`() {
        var statistics = TrackStatistics()
        let changes: [(Int, String, IntegrityVerdict, IntegrityVerdict, IntegrityReasons)] = [
            (10, "a", .nominal, .suspect, .jump), (15, "a", .suspect, .suspect, .clock),
            (20, "a", .suspect, .alarm, .jump),
            (22, "b", .nominal, .suspect, .jump), (50, "a", .alarm, .nominal, []),
        ]
        for (second, device, from, to, reasons) in changes {
            statistics.process(
                .integrity(
                    IntegrityChange(
                        device: device, from: from, to: to, reasons: reasons, message: "",
                        at: MadeUpSession.moment(second))))
        }
        statistics.pass(MadeUpSession.moment(60))
        let figures = statistics.integrity
        #expect([figures.suspects, figures.alarms] == [2, 1] && figures.reasons == [.jump, .clock])
        #expect([figures.suspectTime, figures.alarmTime] == [.seconds(48), .seconds(30)])
        #expect(!figures.isNominal && TrackStatistics().integrity.isNominal)
    }

    @Test(arguments: [
        (0.5, 1), (10, 1), (11, 2), (50, 5), (51, 10), (300, 30), (301, 60), (864_000, 86_400), (864_001, 172_800),
    ])
    func `ten steps of a round time at most make up a duration`(seconds: Double, step: Int) {
        #expect(RoundNumber.step(of: .seconds(seconds), atMost: 10) == .seconds(step))
    }

    @Test func `numbers are round, and have three digits`() {
        #expect([0.1, 0.19, 1.99, 2, 4.9, 5, 99, 1000].map(RoundNumber.below) == [0.1, 0.1, 1, 2, 2, 5, 50, 1000])
        #expect([0, -1, .infinity].map(RoundNumber.below) == [1, 1, 1])
        #expect(
            RoundNumber.marks(upTo: 10, every: 5) == [0, 5, 10] && RoundNumber.marks(upTo: 99, every: 1).count == 20)
        #expect(
            [0.126, 9.996, 10.04, 99.96, 100.4, -123.4].map(RoundNumber.text) == [
                "0.13", "10", "10", "100", "100", "-123",
            ])
        let clocks = [0, 59.9, 60, 3599, 3600, 36_061].map { RoundNumber.clock(.seconds($0)) }
        #expect(clocks == ["0:00", "0:59", "1:00", "59:59", "1:00:00", "10:01:01"])
    }

    @Test func `a long track is drawn with every second or fourth point, and begins and ends nearly where it does`() {
        var history = TrackHistory()
        for second in 0...50_000 {
            if second == 30_000 { history.gap() }
            let place = Coordinate(latitude: Double(second) / 1000, longitude: 7)
            history.process(Location(coordinate: place, speed: Double(second % 100)), at: MadeUpSession.moment(second))
        }
        let segments = history.segments.map { $0.map { ($0.latitude * 1000).rounded() } }
        #expect(segments.map(\.count) == [7500, 5001])
        #expect(segments.map(\.first) == [0, 30_000] && segments.map(\.last) == [29_996, 50_000])
        // 64 seconds are a step then.
        #expect(history.speed.width == .seconds(64) && history.speed.steps.count == 782)
        #expect(history.speed.range == 0...99 && history.speed.steps[0].mean == 31.5)
        #expect(history.speed.steps.reduce(0) { $0 + $1.count } == 50_001)
        #expect(history.speed.divided(by: 10).range == 0...9.9)
    }

    @Test func `a track with an interruption after each point loses the oldest ones`() {
        var history = TrackHistory()
        for second in 0..<30_000 {
            history.gap()
            let place = Coordinate(latitude: Double(second) / 1000, longitude: 7)
            history.process(Location(coordinate: place), at: MadeUpSession.moment(second))
        }
        #expect(history.segments.map(\.count) == Array(repeating: 1, count: 20_000))
        #expect(history.segments.last?.last?.latitude == 29.999)
    }

    private static let firstSatellite = TrackHistory.SatelliteKey(constellation: .gps, number: 1)

    private func see(_ elevation: Double, _ azimuth: Double, number: Int = 1, _ history: inout TrackHistory) {
        let satellite = Satellite(
            constellation: .gps, number: number, elevation: elevation, azimuth: azimuth, signal: 30)
        history.process(SkyView(satellites: [satellite]), at: MadeUpSession.moment(0))
    }

    @Test func `a place of a satellite that is repeated or below the horizon adds nothing to its path`() {
        var history = TrackHistory()
        for _ in 0..<2 { see(90, 10, &history) }
        see(0, 10, &history)
        see(-1, 10, &history)
        #expect(history.satellites[Self.firstSatellite]?.places.map(\.elevation) == [90, 0])
    }

    @Test func `the path of a satellite stays small`() {
        var history = TrackHistory()
        for step in 0..<600 { see(45, Double(step), &history) }
        #expect(history.satellites[Self.firstSatellite].map { 128...256 ~= $0.places.count } == true)
    }

    @Test func `up to 400 satellites have a path`() {
        var history = TrackHistory()
        for number in 0..<500 { see(45, 45, number: number, &history) }
        #expect(history.satellites.count == 400 && history.satellites[Self.firstSatellite]?.wasUsed == false)
    }

    @Test func `values are counted in any order`() {
        var counts = RunCounts<String?>()
        #expect(counts.all.isEmpty)
        for value in ["a", "a", nil, "b", nil, nil, "a"] { counts.count(value) }
        #expect(counts.all == ["a": 3, "b": 1, nil: 3])
    }
}
