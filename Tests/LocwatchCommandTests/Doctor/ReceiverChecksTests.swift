import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// The troubles of the satellites, the positions and the clock of a receiver.
extension DoctorRemedyTests {
    private static let skies: [Trouble] = [
        ([], "no satellite seen", "no view of the sky"), ([nil, nil], "none is received", "no view of the sky"),
        ([12, 25, 33], "no fix in", "a roof, a wall"), ([35, 36, 37, 38, 20], "no fix in", "strong enough"),
    ].map { (signals: [Double?], found: String, why: String) in
        let sky = SkyView(satellites: signals.map { Satellite(signal: $0) }, device: DoctorSession.path)
        return Trouble(
            "\(signals.count) satellites: \(why)", DoctorSession.reporting([.satellites(sky)]), at: .sky, .noFix,
            says: found, why)
    }

    private static let bands: [Trouble] = [
        {
            let list = (1...3).flatMap { number in
                [40.0, 38].map { Satellite(constellation: .gps, number: number, signal: $0) }
            }
            let observation = DoctorSession.reporting([
                .satellites(SkyView(satellites: list, device: DoctorSession.path))
            ])
            return Trouble(
                "three satellites with two bands", observation, at: .sky, .noFix,
                says: "3 satellites seen, 0 used, best 40 dB-Hz, median 40, 3 at 30 dB-Hz or more", "a roof, a wall")
        }()
    ]

    private static let antennas: [Trouble] = [(2, "not connected"), (3, "short circuit")].map { status, words in
        let report = ReceiverReport(device: DoctorSession.path, antennaStatus: status)
        return Trouble("an antenna: \(words)", DoctorSession.reporting([.receiver(report)]), at: .sky, says: words)
    }

    private static func poor(
        _ found: String, _ code: ExitCode = .done, _ spoil: (Int, inout Location) -> Void
    ) -> Trouble {
        Trouble("a fix: \(found)", DoctorSession.healthy(spoil), at: .fix, code, says: found)
    }

    private static let fixes: [Trouble] = [
        poor("its time is stuck", .noFix) { $1.timestamp = ScriptedSession.time(3) },
        poor("without altitude") { $1.fix = .twoD },
        poor("jumped by") { if $0 == 3 { $1.coordinate = Coordinate(latitude: 45.08, longitude: 7.68) } },
        poor("drifted by") { index, location in
            let place = location.coordinate
            location.coordinate = Coordinate(
                latitude: place.latitude + Double(index) * 0.00008, longitude: place.longitude)
        },
        poor("accurate to 80.0 m") { $1.horizontalAccuracy = 80 },
        poor("1 of 5 reports came without all of its sentences") {
            if $0 == 2 { ($1.altitudeMSL, $1.altitudeHAE) = (nil, nil) }
        },
        poor("2 of 7 reports came without all of its sentences") {
            if $0 >= 3 { $1.timestamp = $1.timestamp?.advanced(by: .seconds(2)) }
        },
    ]

    private static let clocks: [Trouble] = [
        (1024.0 * 7 * 86_400, "off by 1024 weeks: it says 2046-07-06 instead of 2026-11-20", "firmware"),
        (-2048.0 * 7 * 86_400, "off by 2048 weeks", "firmware"), (18, "18 s ahead", "leap seconds"),
        (
            -288_000_000, "wrong: it says 2017-10-05, when this version of locwatch did not exist",
            "has not received the date"
        ),
        (3, "3 s ahead", "old table"), (-300, "5 min behind", "is synchronized"),
    ].map { (seconds: Double, found: String, why: String) in
        let observation = DoctorSession.healthy { $1.timestamp = $1.timestamp?.advanced(by: .seconds(seconds)) }
        return Trouble("a clock that is \(found)", observation, at: .clock, .done, says: found, why)
    }

    static let receivers = skies + bands + antennas + fixes + clocks
}

@Suite struct ReceiverChecksTests {
    @Test func `the satellites are those of the report with most of them`() throws {
        let parts = [(12, 8), (38, 29), (12, 8)].map { seen, used in
            LocationEvent.satellites(SkyView(satellites: nil, seen: seen, used: used, device: DoctorSession.path))
        }
        let positions = [1.0, 2.0].map { LocationEvent.location(ScriptedSession.location($0)) }
        let findings = DoctorSession.reporting(positions + parts).findings(PretendedMachine())
        let finding = try #require(findings.first { $0.name == .sky }).finding
        #expect(finding.found == "38 satellites seen, 29 used")
    }

    @Test func `a position that is not to be believed is a fault`() throws {
        let positions = (0..<15).map { index in
            LocationEvent.location(
                with(ScriptedSession.location(Double(index + 3) - 0.2)) {
                    $0.speed = 0
                    if index > 12 { $0.coordinate = Coordinate(latitude: 46, longitude: 8) }
                })
        }
        let findings = DoctorSession.reporting(positions).findings(PretendedMachine())
        let finding = try #require(findings.first { $0.name == .fix }).finding
        #expect(finding.result == .fault && finding.found.contains(", but alarm: jump: moved "))
        #expect(finding.remedy.first == "see INTEGRITY in the manual: man locwatch")
    }

    @Test func `no report is missing where the date leaps over all years`() throws {
        let observation = DoctorSession.healthy {
            $1.timestamp = Timestamp(nanosecondsSince1970: $0 < 2 ? .min + Int64($0) : .max - 9 + Int64($0))
        }
        #expect(try DoctorSession.first(observation).0 != .fix)
    }

    @Test func `the remedy for a host clock that was never set is a time server`() throws {
        let start = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
        var observation = Observation(.standard, at: start)
        let update = LocationUpdate(.location(ScriptedSession.location(1)), at: start.advanced(by: .seconds(1)))
        observation.process(update, SessionView())
        let finding = ClockCheck.examine(observation, PretendedMachine())
        #expect(finding.remedy.first == "sudo timedatectl set-ntp true")
    }
}
