import LocationCore
import LocationRecordingsTesting
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// `export`, `stats`, `devices` and `doctor` over scripted sources.
@Suite(.serialized, .withClocks) struct ScriptedCommandsTests {
    @Test(arguments: ["devices -j", "doctor"])
    func `devices and doctor request the receivers every two seconds`(command: String) async throws {
        let clock = ManualClock()
        let receiver = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        let source = ScriptedLocationSource(
            [.searching(.connected(release: "3.22")), .wait(.seconds(1)), .device(receiver), .hang], clock: clock)
        let result = try await CommandTrial(provider: source, clock: clock).run("\(command) x")
        #expect(try command == "doctor" || result.code == .done && result.objects("device").count == 1)
        guard case .started(let request)? = source.calls.first else { return #expect(Bool(false), "\(source.calls)") }
        #expect(request.deviceInterval == .seconds(2))
    }

    @Test func `devices says that there is no receiver`() async throws {
        let none = try await CommandTrial.run("devices x", [.searching(.noDevice), .hang])
        #expect(none.errors.contains("no receiver"))
    }

    @Test func `doctor reads the antenna state from the events of a receiver without a fix`() async throws {
        let answer = RecordedAnswer(lines: [
            #"{"class":"VERSION","release":"3.25","proto_major":3,"proto_minor":15}"#,
            #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","activated":"2026-01-01T00:00:00Z"}]}"#,
            #"{"class":"TPV","device":"/dev/ttyACM0","mode":0,"ant":3}"#,
            #"{"class":"SKY","device":"/dev/ttyACM0","nSat":0,"uSat":0,"satellites":[]}"#,
        ])
        let result = try await CommandTrial.run("doctor -t 5s x", [.replay(answer), .hang])
        #expect(result.output.contains("short circuit"), "\(result.output)")
        #expect(result.code == .noFix)
    }

    @Test func `doctor turns the failure of a source into a finding`() async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "Connection refused")
        let result = try await CommandTrial.run("doctor x", [.endThrowing(refused)])
        #expect(result.code == .unavailable)
        #expect(result.output.contains("fault  daemon"), "\(result.output)")
    }
}
