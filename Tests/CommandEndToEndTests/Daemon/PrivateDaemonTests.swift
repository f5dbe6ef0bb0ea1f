import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// A receiver of this machine that the program reads through a private gpsd.
@Suite(.serialized, .withFew) struct PrivateDaemonTests {
    private let receiver: SimulatedReceiver

    init() throws { receiver = try SimulatedReceiver(.walk, settings: with(.init()) { $0.speedup = 4 }) }

    @Test(arguments: ["", "?speed=115200"])
    func `a serial device is read`(speed: String) async throws {
        let run = try await Locwatch.run("$LW -j -n 3 -t 300s serial:\(receiver.path)\(speed)")
        #expect(run.code == 0, "\(run.errors)")
        let locations = try Events.of("location", in: run.output)
        #expect(locations.count == 3 && Set(locations.map { $0["time"] as? String }).count == 3)
        for location in locations {
            #expect(location["device"] as? String == receiver.path)
            #expect(abs((location["lat"] as? Double ?? 0) - 45.0548) < 0.01)
        }
        #expect(receiver.progress.bytesReceived == 0, "nothing is written to a receiver")
    }

    @Test(arguments: [true, false])
    func `a private daemon that is killed is restarted`(isSimulated: Bool) async throws {
        let program = try Locwatch("exec $LW -j \(isSimulated ? "sim:walk" : "serial:" + receiver.path)")
        try await program.wait { $0.output.contains(#""event":"location""#) }
        let daemon = try #require(program.daemon)
        kill(daemon, SIGKILL)
        try await program.wait { $0.output.contains(#""event":"error""#) }
        try await program.wait {
            $0.output.split(separator: #""event":"error""#).last?.contains(#""event":"location""#) == true
        }
        #expect(program.output.contains("the private gpsd has ended"))
        let successor = try #require(program.daemon)
        #expect(successor != daemon)
        #expect(try await program.end(by: SIGINT) == 130)
        #expect(!RunningProcess(successor).isRunning)
    }

    @Test func `without reconnection a killed private daemon ends the session with an error`() async throws {
        let program = try Locwatch("exec $LW -j --no-reconnect sim:walk")
        try await program.wait { $0.output.contains(#""event":"location""#) }
        kill(try #require(program.daemon), SIGKILL)
        #expect(try await program.end() == 69)
        #expect(program.lines.last?.contains(#""reason":"failed""#) == true)
        #expect(program.errors.hasPrefix("locwatch: lost the connection to the private gpsd:"), "\(program.errors)")
    }
}
