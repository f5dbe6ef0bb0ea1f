import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

@Suite(.serialized, .withClocks) struct OnceCommandTests {
    @Test func `once prints the first position that is good enough`() async throws {
        let script: [ScriptStep] = [
            .location(52.5163, 13.3777, accuracy: 80), .wait(.seconds(1)), .location(52.5, 13.4, accuracy: 4), .hang,
        ]
        let result = try await CommandTrial.run("once -a 10 -f %{lat}/%{eph} x", script)
        #expect(result == .init(output: "52.5000000/4\n"))
    }

    @Test func `once reports at its timeout why no position was accepted`() async throws {
        let script: [ScriptStep] = [.location(52.5163, 13.3777, accuracy: 80), .hang]
        // CSV has no header without a position, so that scripts can append it.
        for form in ["", "--csv"] {
            let result = try await CommandTrial.run("once \(form) -a 10 -t 20s x", script)
            #expect(result.code == .noFix)
            #expect(result.output == "")
            #expect(result.errors.contains("80"))
        }
        let found = try await CommandTrial.run("once --csv --columns lat,eph x", script)
        #expect(found.output == "lat,eph\r\n52.5163,80\r\n")
    }

    @Test(arguments: [("", true), ("-q", false), ("-j", false), ("--csv", true)])
    func `once in a pipe says at once what it waits for, and for how long`(option: String, isSaid: Bool) async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        let clock = ManualClock()
        let source = ScriptedLocationSource([.wait(.seconds(3)), .location(52.5, 13.4), .hang], clock: clock)
        source.forceEvent(.failure(refused, retry: .seconds(1)))
        source.forceEvent(.failure(refused, retry: .seconds(2)))
        let result = try await CommandTrial(provider: source, clock: clock).run("once \(option) -t 20s x")
        #expect(result.code == .done && !result.output.isEmpty)
        var lines = result.errors.split(separator: "\n")
        guard isSaid else { return #expect(lines == []) }
        try #require(lines.count == 4, "the failure is said once, with advice, and counted: \(result.errors)")
        lines.remove(at: 2)
        #expect(
            lines == [
                "locwatch: waiting at most 20 s for x:2947", "locwatch: no gpsd at x:2947: refused",
                "locwatch: no gpsd at x:2947: refused: failed 2 times",
            ])
    }

    @Test(arguments: ["once", "watch"])
    func `a failure decides about the code also if the next attempt has begun at the timeout`(command: String)
        async throws
    {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        let script: [ScriptStep] = [.error(refused), .searching(.connecting(attempt: 2)), .hang]
        let result = try await CommandTrial.run("\(command) -t 20s x", script)
        #expect(result.code == .unavailable)
        #expect(result.errors.contains("no gpsd at x:2947: refused"), "\(result.errors)")
    }

    private static let receivers = ["gps0", "gps1"].map {
        ScriptStep.device(DeviceStatus(path: "/dev/\($0)", activity: .reporting))
    }

    private static func position(_ name: String, accuracy: Double) -> ScriptStep {
        .location(with(ScriptedSession.gate) { ($0.device, $0.horizontalAccuracy) = ("/dev/\(name)", accuracy) })
    }

    private static let (coarse, fine) = (position("gps0", accuracy: 400), position("gps1", accuracy: 15))

    /// A position without the values of the first sentences of its epoch.
    private static func part(_ latitude: Double) -> ScriptStep {
        .location(Location(coordinate: Coordinate(latitude: latitude, longitude: 2), fix: .twoD, timestamp: nil))
    }

    private static let whole = ScriptStep.location(52.5, 13.4, accuracy: 4)

    @Test(
        arguments: [
            ("a better position of another receiver", "", receivers + [coarse, wait(900), fine], "52.5/15"),
            ("a better position than the later ones", "", receivers + [fine, wait(900), coarse], "52.5/15"),
            ("a receiver that is mute for too long", "", receivers + [coarse, wait(3000), fine], "52.5/400"),
            ("a time limit", "-t 1s", receivers + [coarse, wait(1500), fine], "52.5/400"),
            ("a source that ends", "", receivers + [coarse, .end], "52.5/400"),
            ("the first one is a part of an epoch", "", [part(1), wait(1000), whole], "52.5/4"),
            ("it meets the user's criterion", "--fix 2d", [part(1), wait(1000), whole], "1.0/-"),
            ("a whole epoch comes too late", "", [part(1), wait(3000), whole], "1.0/-"),
            ("a second part comes before it", "", [part(1), wait(1000), part(3), wait(500), whole], "3.0/-"),
        ] as [(String, String, [ScriptStep], String)])
    func `once waits at most two seconds for a report of each receiver and for a whole epoch, and then for one report`(
        case name: String, option: String, script: [ScriptStep], printed: String
    ) async throws {
        let result = try await CommandTrial.run("once -f %{lat:.1}/%{eph} \(option) x", script + [.hang])
        #expect(result == .init(output: printed + "\n"))
    }

    private static func wait(_ milliseconds: Int) -> ScriptStep { .wait(.milliseconds(milliseconds)) }

    @Test func `once of a recording prints the first whole epoch within two seconds, or the first one`() async throws {
        let version = #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#
        func report(_ second: String, _ latitude: Int, _ rest: String = "") -> String {
            #"{"class":"TPV","device":"/dev/a","time":"2026-11-20T09:00:\#(second)Z","lat":\#(latitude),"lon":2,\#(rest)"mode":3}"#
        }
        for (reports, printed) in [
            ([report("00.0", 1), report("00.2", 2), report("01.0", 3, #""eph":9,"alt":3,"#)], "3"),
            ([report("00.0", 1), report("01.0", 2), report("09.0", 3, #""eph":9,"alt":3,"#)], "1"),
            ([report("00.0", 1)], "1"),
        ] {
            let text = ([version] + reports).joined(separator: "\n") + "\n"
            let result = try await CommandTrial.run("once -f %{lat} @", reading: text)
            #expect(result.output == "\(printed).0000000\n", "\(reports) \(result.errors)")
        }
    }

    @Test func `once ends immediately on a denial`() async throws {
        let result = try await CommandTrial.run("once x", [.authorization(.denied), .hang])
        #expect(result.code == .denied)
        #expect(result.errors.contains("denies"))
    }
}
