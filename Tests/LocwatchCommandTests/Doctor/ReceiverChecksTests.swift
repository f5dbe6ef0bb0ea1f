import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchTerminal

/// Tests of what is wrong with the satellites, the positions and the clock of a receiver.
@Suite(.serialized, .alone) struct ReceiverChecksTests {
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

    @Test(
        arguments: [
            ([], "no satellite seen", "no view of the sky"), ([nil, nil], "none is received", "no view of the sky"),
            ([12, 25, 33], "no fix in", "a roof, a wall"), ([35, 36, 37, 38, 20], "no fix in", "strong enough"),
        ] as [([Double?], String, String)])
    func `the sky check explains a missing fix`(signals: [Double?], found: String, why: String) throws {
        let sky = SkyView(satellites: signals.map { Satellite(signal: $0) }, device: DoctorSession.path)
        let (name, finding) = try DoctorSession.first(DoctorSession.reporting([.satellites(sky)]))
        #expect(name == .sky && finding.code == .noFix)
        #expect(finding.found.contains(found), "\(finding)")
        #expect(finding.why?.contains(why) == true, "\(finding)")
    }

    @Test(arguments: [(2, "not connected"), (3, "short circuit")])
    func `an antenna fault that the receiver reports is the cause`(status: Int, words: String) throws {
        let report = ReceiverReport(device: DoctorSession.path, antennaStatus: status)
        let (name, finding) = try DoctorSession.first(DoctorSession.reporting([.receiver(report)]))
        #expect(name == .sky && finding.why?.contains(words) == true)
    }

    @Test func `a time that is stuck is a fault`() throws {
        let (name, finding) = try DoctorSession.first(DoctorSession.healthy { $1.timestamp = ScriptedSession.time(3) })
        #expect(name == .fix && finding.result == .fault && finding.code == .noFix)
    }

    enum PoorFix: String, CaseIterable, Sendable {
        case flat = "without altitude"
        case jump = "jumped by"
        case drift = "drifted by"
        case coarse = "accurate to 80.0 m"
        case torn = "1 of 5 reports came without all of its sentences"
        case missing = "2 of 7 reports came without all of its sentences"

        func spoil(_ location: inout Location, _ index: Int) {
            let place = location.coordinate
            switch self {
            case .flat: location.fix = .twoD
            case .jump: if index == 3 { location.coordinate = Coordinate(latitude: 45.08, longitude: 7.68) }
            case .drift:
                location.coordinate = Coordinate(
                    latitude: place.latitude + Double(index) * 0.00008, longitude: place.longitude)
            case .coarse: location.horizontalAccuracy = 80
            case .torn: if index == 2 { (location.altitudeMSL, location.altitudeHAE) = (nil, nil) }
            case .missing: if index >= 3 { location.timestamp = location.timestamp?.advanced(by: .seconds(2)) }
            }
        }
    }

    @Test(arguments: PoorFix.allCases)
    func `a poor fix gives a remark`(poor: PoorFix) throws {
        let (name, finding) = try DoctorSession.first(DoctorSession.healthy { poor.spoil(&$1, $0) })
        #expect(name == .fix && finding.result == .remark)
        #expect(finding.found.contains(poor.rawValue), "\(finding)")
    }

    @Test func `no report is missing where the date leaps over all years`() throws {
        let observation = DoctorSession.healthy {
            $1.timestamp = Timestamp(nanosecondsSince1970: $0 < 2 ? .min + Int64($0) : .max - 9 + Int64($0))
        }
        #expect(try DoctorSession.first(observation).0 != .fix)
    }

    @Test(
        arguments: [
            (1024.0 * 7 * 86_400, "off by 1024 weeks: it says 2046-07-06 instead of 2026-11-20", "firmware"),
            (-2048.0 * 7 * 86_400, "off by 2048 weeks", "firmware"), (18, "18 s ahead", "leap seconds"),
            (3, "3 s ahead", "old table"), (-300, "5 min behind", "is synchronized"),
        ] as [(Double, String, String)])
    func `the clock check explains an offset between the clocks`(seconds: Double, found: String, why: String) throws {
        let observation = DoctorSession.healthy { $1.timestamp = $1.timestamp?.advanced(by: .seconds(seconds)) }
        let (name, finding) = try DoctorSession.first(observation)
        #expect(name == .clock && finding.result == .remark)
        #expect(finding.found.contains(found), "\(finding)")
        #expect(finding.why?.contains(why) == true, "\(finding)")
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
