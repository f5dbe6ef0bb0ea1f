import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// `devices --rate` with receivers on pseudo-terminals that take the commands of a real gpsd.
///
/// Their time passes faster than that of the machine, so that ten seconds of a receiver are no ten seconds of the test.
private enum RateTrial {
    private static let speedup = 4.0

    static func receiver(
        _ maker: ScenarioCommands.Maker?, _ manner: ScenarioCommands.Manner = .obeys
    ) throws -> SimulatedReceiver {
        var scenario = ReceiverScenario.standstill
        // Few satellites, because 20 epochs in a second of the test are a lot for a debug build.
        scenario.systems = [.gps]
        scenario.commands = maker.map { ScenarioCommands($0, manner) }
        return try SimulatedReceiver(scenario, settings: with(.init()) { $0.speedup = speedup })
    }

    /// Runs the command over the private gpsd of a serial line.
    static func run(_ choice: String, _ receiver: SimulatedReceiver) async throws -> (Int32, [String: Any], String) {
        let run = try await Locwatch.run("$LW devices -j --rate \(choice) serial:\(receiver.path)")
        let result = try #require(try Events.of("rate", in: run.output).first, "\(run.output)\(run.errors)")
        return (run.code, result, run.errors)
    }
}

@Suite(.serialized, .alone, .onlyInMakeTest) struct RateProgramTests {
    @Test(arguments: [(.uBlox, "u-blox"), (.mediaTek, "MTK-3301")] as [(ScenarioCommands.Maker, String)])
    func `a receiver that obeys has the new rate`(maker: ScenarioCommands.Maker, driver: String) async throws {
        let receiver = try RateTrial.receiver(maker)
        defer { receiver.stop() }
        let (code, result, errors) = try await RateTrial.run("5", receiver)
        #expect(code == 0, "\(result) \(errors)")
        #expect(result["result"] as? String == "changed" && result["driver"] as? String == driver, "\(result)")
        #expect(result["rate"] as? Double == 5 && result["before"] as? Double == 1, "\(result)")
    }

    /// gpsd sets a cycle only if it is longer than the shortest one of its driver.
    @Test func `the fastest rate of a driver is taken`() async throws {
        let receiver = try RateTrial.receiver(.mediaTek)
        defer { receiver.stop() }
        let (code, result, errors) = try await RateTrial.run("10", receiver)
        #expect(code == 0 && result["rate"] as? Double == 10, "\(result) \(errors)")
    }

    @Test func `a gpsd of the machine changes its receiver, unless it was started with -b`() async throws {
        let receiver = try RateTrial.receiver(.uBlox)
        for options in [["-n"], ["-n", "-b"]] {
            let daemon = try LoopbackGPSD([receiver], devices: [receiver.path], options: options)
            defer { daemon.kill() }
            let run = try await Locwatch.run("$LW devices -j --rate 5 localhost:\(daemon.port)")
            let result = try #require(try Events.of("rate", in: run.output).first, "\(run.output)\(run.errors)")
            if options.contains("-b") {
                // gpsd 3.22 does not say that it only reads, and does not find out the driver.
                #expect(run.code == 77 && result["result"] as? String == "refused", "\(run)")
            } else {
                #expect(run.code == 0 && result["rate"] as? Double == 5, "\(run)")
            }
        }
        receiver.stop()
    }

    @Test func `two receivers need a choice`() async throws {
        let receivers = [try RateTrial.receiver(.uBlox), try RateTrial.receiver(.mediaTek)]
        defer { for receiver in receivers { receiver.stop() } }
        let daemon = try LoopbackGPSD(receivers, devices: receivers.map(\.path), options: ["-n"])
        defer { daemon.kill() }
        let run = try await Locwatch.run("$LW devices --rate 5 localhost:\(daemon.port)")
        #expect(run.code == 64 && run.errors.contains("choose one with --device"), "\(run)")
        #expect(run.errors.contains(receivers[0].path) && run.errors.contains(receivers[1].path), "\(run.errors)")
        let chosen = try await Locwatch.run(
            "$LW devices -j --rate 5 --device \(receivers[1].path) localhost:\(daemon.port)")
        #expect(chosen.code == 0 && chosen.output.contains(#""driver":"MTK-3301","rate":5"#), "\(chosen)")
    }

    @Test func `the simulated u-blox takes a rate`() async throws {
        let run = try await Locwatch.run("$LW devices --rate 10 sim:ublox")
        #expect(run.code == 0 && run.output.hasPrefix("sim:ublox (u-blox): 10 Hz, before 1 Hz; up to 40 Hz"), "\(run)")
        #expect(run.errors.contains("'locwatch devices --rate 1 sim:ublox'"), "\(run.errors)")
    }

    @Test func `Ctrl-C before the rate is measured says what was asked for`() async throws {
        let receiver = try RateTrial.receiver(.uBlox, .obeys)
        defer { receiver.stop() }
        // The measurement takes twenty seconds of the receiver.
        let program = try Locwatch("exec $LW devices -v --rate 0.5 serial:\(receiver.path)")
        try await program.wait { $0.errors.contains("measuring 0.5 Hz") }
        #expect(try await program.end(by: SIGINT) == 130)
        #expect(program.errors.contains("was asked for 0.5 Hz, which was not measured to the end"), "\(program.errors)")
        #expect(program.errors.contains("devices --rate 1 serial:"), "\(program.errors)")
    }
}

/// Receivers that do not take the rate.
@Suite(.serialized, .alone, .onlyInMakeTest) struct RateRefusalTests {
    @Test(
        arguments: [
            (.uBlox, .pretends, "it has 1 Hz"), (.uBlox, .refuses, "it says that it has 1 Hz"),
            (.uBlox, .fallsSilent, "no position arrives any more"), (.mediaTek, .pretends, "it has 1 Hz"),
        ] as [(ScenarioCommands.Maker, ScenarioCommands.Manner, String)])
    func `a receiver that does not obey has its rate again, and the exit code is 1`(
        maker: ScenarioCommands.Maker, manner: ScenarioCommands.Manner, words: String
    ) async throws {
        let receiver = try RateTrial.receiver(maker, manner)
        defer { receiver.stop() }
        let (code, result, errors) = try await RateTrial.run("5", receiver)
        #expect(code == 1 && result["result"] as? String == "undone", "\(result) \(errors)")
        #expect(errors.contains("has not taken 5 Hz: \(words)"), "\(errors)")
    }

    @Test func `a receiver that answers nothing cannot be changed, which a look shows, too`() async throws {
        let receiver = try RateTrial.receiver(nil)
        defer { receiver.stop() }
        let (code, result, errors) = try await RateTrial.run("5", receiver)
        #expect(code == 69 && result["result"] as? String == "refused", "\(result)")
        #expect(errors.contains("whose driver is NMEA0183"), "\(errors)")
        let look = try await RateTrial.run("show", receiver)
        #expect(look.0 == 0 && look.1["rate"] as? Double == 1 && look.1["driverRate"] == nil, "\(look)")
    }
}
