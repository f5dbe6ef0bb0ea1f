import GPSDSimulation
import Glibc
import LocationGPSD
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

/// The faults that can be reproduced in a test, with the program, a gpsd if needed, and the fault itself.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct DoctorProgramTests {
    /// Returns the diagnosis of a source.
    private func doctor(_ arguments: String...) throws -> (tool: Tool, cause: String?, fault: String) {
        let tool = try Tool(Locwatch.program, ["doctor", "--json"] + arguments)
        let (cause, fault) = try Self.diagnosis(in: tool.output, code: tool.status)
        return (tool, cause, fault)
    }

    /// Returns the cause and the first fault of a diagnosis, whose exit code must be that of the program.
    private static func diagnosis(in output: String, code: Int32) throws -> (cause: String?, fault: String) {
        let lines = try Events.all(in: output)
        let last = try #require(lines.last)
        #expect(last["event"] as? String == "diagnosis", "\(output)")
        #expect(last["exit"] as? Int32 == code)
        // The releases of libgps and gpsd are a matter of this machine.
        let worst = lines.first {
            ["remark", "fault"].contains($0["result"] as? String) && $0["check"] as? String != "programs"
        }
        return (last["cause"] as? String, worst.map { "\($0["check"] ?? "") \($0["found"] ?? "")" } ?? "")
    }

    /// Returns a gpsd that every program can reach.
    private func sharedDaemon(of receiver: SimulatedReceiver) throws -> PrivateGPSD {
        var settings = PrivateGPSD.Settings()
        settings.isShared = true
        return try PrivateGPSD(device: receiver.path, settings: settings)
    }

    @Test(arguments: [(.ssh, 76), (.http, 76), (.silent, 76), (.closesAtOnce, 69)] as [(StandInFault, Int32)])
    func `a server that does not greet as a gpsd is a greeting fault`(fault: StandInFault, code: Int32) throws {
        var settings = StandInGPSD.Settings()
        settings.faults = [fault]
        let other = try StandInGPSD(StandInRecording(#"{"class":"VERSION","release":"3.22"}"#), settings: settings)
        let answer = try doctor("-t", "1s", "localhost:\(other.port)")
        #expect(answer.tool.status == code)
        #expect(answer.cause == "greeting")
    }

    @Test func `a silent line and random bytes are byte faults`() throws {
        let line = try PseudoTerminal(anyone: true)
        let answer = try doctor(line.path)
        #expect(answer.tool.status == 75)
        #expect(answer.cause == "bytes")
        var generator = SplitMix64(seed: 1)
        let bytes = (0..<2000).map { _ in UInt8.random(in: 128...255, using: &generator) }
        _ = bytes.withUnsafeBytes { write(line.master, $0.baseAddress, $0.count) }
        let other = try doctor(line.path)
        #expect(other.tool.status == 75)
        #expect(other.cause == "bytes")
        // The terminal keeps what was written until it is read.
        let text = other.tool.output
        #expect(text.contains("no protocol explains") || text.contains("sends nothing"), "\(text)")
    }

    @Test func `a receiver that another gpsd reads is held by it`() throws {
        let receiver = try SimulatedReceiver(.standstill)
        defer { receiver.stop() }
        let daemon = try sharedDaemon(of: receiver)
        defer { daemon.end() }
        let answer = try doctor("serial:\(receiver.path)")
        #expect(answer.tool.status == 69, "\(answer.tool.output)")
        #expect(daemon.port != nil)
        // The test started it as locwatch starts its own, but other programs can read from its port.
        #expect(answer.fault.hasPrefix("devices \(receiver.path) is held by "), "\(answer.fault)")
        let once = try Tool(Locwatch.program, ["once", "-t", "5s", "serial:\(receiver.path)"])
        #expect(once.status == 69, "\(once.output)\(once.errors)")
        #expect(once.errors.contains("(process "), "\(once.errors)")
    }

    @Test func `a receiver that another locwatch reads is held by that, and not by a gpsd`() async throws {
        let receiver = try SimulatedReceiver(.standstill)
        defer { receiver.stop() }
        let watch = try ChildProcess(
            path: Locwatch.program, arguments: ["watch", "-q", "serial:\(receiver.path)"],
            environment: ["PATH": "/usr/sbin:/usr/bin:/bin"])
        defer { watch.end() }
        let device = try #require(DeviceIdentity(path: receiver.path))
        try await eventually(
            "a reader", within: .seconds(60), { DeviceHolder.readers(of: device).count }, is: { $0 > 0 })
        let answer = try doctor("serial:\(receiver.path)")
        #expect(answer.fault == "devices \(receiver.path) is held by another locwatch (process \(watch.processID))")
        let once = try Tool(Locwatch.program, ["once", "-t", "5s", "serial:\(receiver.path)"])
        #expect(once.errors.contains("end it: kill \(watch.processID)"), "\(once.errors)")
    }

    @Test func `a gpsd passes on what a receiver sends, which is counted`() throws {
        let receiver = try SimulatedReceiver(.standstill)
        defer { receiver.stop() }
        let daemon = try sharedDaemon(of: receiver)
        defer { daemon.end() }
        let endpoint = GPSDEndpoint(host: "127.0.0.1", port: String(try #require(daemon.port)))
        let count = try #require(RawTraffic.count(of: receiver.path, at: endpoint, within: .seconds(3)))
        #expect((200..<5000).contains(count))
        let dead = GPSDEndpoint(host: "127.0.0.1", port: String(try LoopbackPort.free()))
        #expect(RawTraffic.count(of: receiver.path, at: dead, within: .seconds(3)) == nil)
    }

    @Test func `the report of a session has gpsd's messages, and no position`() throws {
        let report = try Tool(Locwatch.program, ["doctor", "--report", "-t", "12s", "sim:standstill"])
        #expect(report.output.contains("messages of gpsd") && report.output.contains("\"class\":\"VERSION\""))
        #expect(report.output.contains(" TPV: ") && !report.output.contains("45.0548"), "\(report.output)")
    }

    /// A simulated receiver, how long doctor looks at it, the exit code and the check that finds its fault.
    private static let receivers: [(name: String, limit: String, code: Int32, check: String)] = [
        ("indoors", "5s", 75, "sky"), ("coldstart", "4s", 75, "sky"), ("future", "12s", 0, "clock"),
        ("flat", "12s", 0, "fix"), ("noise", "15s", 0, "fix"), ("standstill", "12s", 0, ""),
    ]

    @Test func `each simulated receiver has its known fault`() async throws {
        // Side by side, because doctor waits for most of the time.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for receiver in Self.receivers {
                group.addTask {
                    let run = try await Locwatch.run("$LW doctor --json -t \(receiver.limit) sim:\(receiver.name)")
                    #expect(run.code == receiver.code, "\(receiver.name): \(run.output)\(run.errors)")
                    let fault = try Self.diagnosis(in: run.output, code: run.code).fault
                    let check = fault.split(separator: " ").first.map(String.init) ?? ""
                    #expect(check == receiver.check, "\(receiver.name): \(run.output)")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `an unplugged receiver is a device or byte fault`() throws {
        let receiver = try SimulatedReceiver(.standstill)
        defer { receiver.stop() }
        let daemon = try sharedDaemon(of: receiver)
        defer { daemon.end() }
        receiver.unplug()
        let answer = try doctor("127.0.0.1:\(try #require(daemon.port))")
        #expect(answer.tool.status == 66, "\(answer.tool.output)")
        #expect(["devices", "bytes"].contains(answer.cause))
    }
}
