import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// `once` over scripted sources.
@Suite(.serialized, .alone) struct OnceCommandTests {
    @Test func `once prints the first position that is good enough`() async throws {
        var coarse = ScriptedSession.gate
        coarse.horizontalAccuracy = 80
        let script: [ScriptStep] = [.location(coarse), .wait(.seconds(1)), .location(52.5, 13.4, accuracy: 4), .hang]
        let result = try await CommandTrial.run(["once", "-a", "10", "-f", "%{lat} %{eph}", "x"], script)
        #expect(result.code == .done)
        #expect(result.output == "52.5000000 4\n")
    }

    @Test func `once reports at its timeout why no position was accepted`() async throws {
        var coarse = ScriptedSession.gate
        coarse.horizontalAccuracy = 80
        // CSV has no header without a position, so that scripts can append it.
        for form in ["", "--csv"] {
            let result = try await CommandTrial.run("once \(form) -a 10 -t 20s x", [.location(coarse), .hang])
            #expect(result.code == .noFix)
            #expect(result.output == "")
            #expect(result.errors.contains("80"))
        }
        let found = try await CommandTrial.run("once --csv --columns lat,eph x", [.location(coarse), .hang])
        #expect(found.output == "lat,eph\r\n52.5163,80\r\n")
    }

    @Test(arguments: [("", true), ("-q", false), ("-j", false), ("--csv", true)])
    func `once in a pipe says at once what it waits for, and for how long`(option: String, isSaid: Bool) async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "refused")
        let clock = ManualClock()
        let source = ScriptedLocationSource([.wait(.seconds(3)), .location(52.5, 13.4), .hang], clock: clock)
        source.forceEvent(.failure(refused, retry: .seconds(1)))
        source.forceEvent(.failure(refused, retry: .seconds(2)))
        let result = try await CommandTrial(over: source, clock: clock).run("once \(option) -t 20s x")
        #expect(result.code == .done && !result.output.isEmpty)
        let lines = result.errors.split(separator: "\n")
        #expect(lines.count == (isSaid ? 4 : 0), "the failure is said once, with advice, and counted: \(result.errors)")
        #expect(lines.first.map { $0 == "locwatch: waiting at most 20 s for x:2947" } ?? !isSaid, "\(result.errors)")
        #expect(lines.dropFirst().first.map { $0 == "locwatch: no gpsd at x:2947: refused" } ?? !isSaid)
        #expect(lines.last.map { $0 == "locwatch: no gpsd at x:2947: refused: failed 2 times" } ?? !isSaid)
    }

    /// A receiver that is listed and the position that it reports.
    private static func receiver(_ name: String, accuracy: Double) -> (listed: ScriptStep, position: ScriptStep) {
        var location = ScriptedSession.gate
        location.device = name
        location.horizontalAccuracy = accuracy
        return (.device(DeviceStatus(path: name, activity: .reporting)), .location(location))
    }

    @Test func `once waits for the first report of each receiver, and prints the best position`() async throws {
        let (coarse, fine) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let script = [coarse.listed, fine.listed, coarse.position, .wait(.milliseconds(900)), fine.position, .hang]
        let result = try await CommandTrial.run(["once", "-f", "%{device} %{eph}", "x"], script)
        #expect(result.code == .done)
        #expect(result.output == "/dev/gps1 15\n")
    }

    @Test func `once keeps a position that is better than the later ones`() async throws {
        let (coarse, fine) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let script = [coarse.listed, fine.listed, fine.position, .wait(.milliseconds(900)), coarse.position, .hang]
        #expect(try await CommandTrial.run(["once", "-f", "%{device}", "x"], script).output == "/dev/gps1\n")
    }

    @Test func `once waits at most two seconds for a receiver that reports nothing`() async throws {
        let (coarse, mute) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let script = [coarse.listed, mute.listed, coarse.position, .wait(.seconds(3)), mute.position, .hang]
        let result = try await CommandTrial.run("once -j x", script)
        #expect(result.code == .done)
        #expect(try result.words().suffix(2) == ["location", "end count"])
        #expect(result.output.contains("/dev/gps0"))
        #expect(!result.output.contains("\"eph\":15"))
    }

    @Test func `once prints the best position if the source ends while it waits for other receivers`() async throws {
        let (coarse, mute) = (Self.receiver("/dev/gps0", accuracy: 400), Self.receiver("/dev/gps1", accuracy: 15))
        let result = try await CommandTrial.run(
            ["once", "-f", "%{device}", "x"], [coarse.listed, mute.listed, coarse.position, .end])
        #expect(result.code == .done)
        #expect(result.output == "/dev/gps0\n")
    }

    /// A position without the values of the first sentences of its epoch.
    private static let part = Location(coordinate: Coordinate(latitude: 1, longitude: 2), fix: .twoD, timestamp: nil)

    @Test func `once waits for another report if the first one is a part of an epoch`() async throws {
        let script: [ScriptStep] = [
            .location(Self.part), .wait(.seconds(1)), .location(52.5, 13.4, accuracy: 4), .hang,
        ]
        #expect(try await CommandTrial.run(["once", "-f", "%{lat}", "x"], script).output == "52.5000000\n")
        // The criterion of the user is met.
        #expect(
            try await CommandTrial.run(["once", "--fix", "2d", "-f", "%{lat}", "x"], script).output == "1.0000000\n")
    }

    @Test func `once waits at most two seconds for a whole epoch, and then only for one report`() async throws {
        let script: [ScriptStep] = [
            .location(Self.part), .wait(.seconds(3)), .location(52.5, 13.4, accuracy: 4), .hang,
        ]
        #expect(try await CommandTrial.run(["once", "-f", "%{lat}", "x"], script).output == "1.0000000\n")
        var next = Self.part
        next.coordinate = Coordinate(latitude: 3, longitude: 2)
        let flat: [ScriptStep] = [
            .location(Self.part), .wait(.seconds(1)), .location(next), .wait(.milliseconds(500)),
            .location(52.5, 13.4, accuracy: 4), .hang,
        ]
        #expect(try await CommandTrial.run(["once", "-f", "%{lat}", "x"], flat).output == "3.0000000\n")
    }

    @Test func `once of a recording prints the first whole epoch within two seconds, or the first one`() async throws {
        let scratch = try Scratch()
        let version = #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#
        func report(_ second: String, _ latitude: Int, _ rest: String = "") -> String {
            #"{"class":"TPV","device":"/dev/a","time":"2026-11-20T09:00:\#(second)Z","lat":\#(latitude),"lon":2,\#(rest)"mode":3}"#
        }
        for (reports, printed) in [
            ([report("00.0", 1), report("00.2", 2), report("01.0", 3, #""eph":9,"alt":3,"#)], "3"),
            ([report("00.0", 1), report("01.0", 2), report("09.0", 3, #""eph":9,"alt":3,"#)], "1"),
            ([report("00.0", 1)], "1"),
        ] {
            let file = try scratch.write(([version] + reports).joined(separator: "\n") + "\n", to: "a.json").path
            let result = try await CommandTrial().run(["once", "-f", "%{lat}", file])
            #expect(result.output == "\(printed).0000000\n", "\(reports) \(result.errors)")
        }
    }

    @Test func `once ends immediately on a denial`() async throws {
        let result = try await CommandTrial.run("once x", [.authorization(.denied), .hang])
        #expect(result.code == .denied)
        #expect(result.errors.contains("denies"))
    }
}
