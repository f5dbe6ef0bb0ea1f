import LocationTesting
import LocationCore
import TestSupport
import Testing

@testable import LocwatchTerminal

/// `export`, `stats`, `devices` and `doctor` over scripted sources.
@Suite(.serialized, .alone) struct ScriptedCommandsTests {
    private static var receiver: DeviceStatus {
        var status = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        status.driver = "u-blox"
        return status
    }

    @Test func `devices lists the receivers of a script and requests them from the source`() async throws {
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            [.device(Self.receiver), .location(ScriptedSession.gate.of("/dev/ttyACM0")), .hang], clock: clock)
        let result = try await CommandTrial(over: source, clock: clock).run("devices -j x")
        #expect(result.code == .done)
        #expect(try result.objects("device").count == 1)
        guard case .started(let request)? = source.calls.first else { return #expect(Bool(false), "\(source.calls)") }
        #expect(request.deviceInterval == .seconds(2))
        let none = try await CommandTrial.run("devices x", [.searching(.noDevice), .hang])
        #expect(none.errors.contains("no receiver"))
    }

    @Test func `doctor finds nothing wrong with a healthy script`() async throws {
        var sky: [Satellite] = []
        for number in 1...9 {
            sky.append(
                Satellite(constellation: .gps, number: number, elevation: 40, azimuth: 30, signal: 41, isUsed: true))
        }
        let walk = ScriptStep.randomWalk(from: ScriptedSession.gate.coordinate, steps: 12, stride: 0.1, seed: 3)
        let result = try await CommandTrial.run(
            "doctor x",
            [
                .searching(.connected(release: "3.22")), .device(Self.receiver), .satellites(SkyView(satellites: sky)),
                walk, .hang,
            ])
        #expect(result.output.contains("ok     daemon"), "\(result.output)")
        #expect(result.output.contains("ok     sky"), "\(result.output)")
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

    @Test func `doctor requests the receivers every two seconds and distinguishes a wrong speed from silence`()
        async throws
    {
        var babbling = Self.receiver
        babbling.driver = nil
        babbling.activity = .babbling
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            [.searching(.connected(release: "3.22")), .wait(.seconds(4)), .device(babbling), .hang], clock: clock)
        let result = try await CommandTrial(over: source, clock: clock).run("doctor x")
        #expect(result.output.contains("sends unrecognized data"), "\(result.output)")
        guard case .started(let request)? = source.calls.first else { return #expect(Bool(false), "\(source.calls)") }
        #expect(request.deviceInterval == .seconds(2))
    }

    @Test func `doctor turns the failure of a source into a finding`() async throws {
        let refused = LocationError.unreachable(host: "x", port: 2947, cause: "Connection refused")
        let result = try await CommandTrial.run("doctor x", [.endThrowing(refused)])
        #expect(result.code == .unavailable)
        #expect(result.output.contains("fault  daemon"), "\(result.output)")
    }
}

extension Location {
    fileprivate func of(_ device: String) -> Location {
        var location = self
        location.device = device
        return location
    }
}
