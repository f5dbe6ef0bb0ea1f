import GPSDSimulation
import Glibc
import LocationCore
import LocationGPSD
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

/// A gpsd for tests, on a free port and with simulated receivers.
@Suite(.serialized, .alone) struct LoopbackGPSDTests {
    @Test func `one line gives a gpsd with a simulated receiver, which stop() ends`() async throws {
        let daemon = try LoopbackGPSD(.standstill)
        let source = GPSDLocationSource(GPSDEndpoint(port: "\(daemon.port)"))
        let location = try await source.current(within: .seconds(30))
        #expect(location.device == daemon.receivers.first?.path)
        let process = try #require(daemon.processID)
        daemon.stop()
        #expect(daemon.processID == nil && Glibc.kill(process, 0) != 0)
        #expect((try? LoopbackPort.connect(to: daemon.port)) == nil)
        #expect(daemon.receivers.map(\.progress.isPlugged) == [false])
    }

    @Test(arguments: [SIGTERM, SIGKILL])
    func `a gpsd ends with the program that has started it, however that ends`(signal: Int32) async throws {
        let owner = try GPSDHolder()
        #expect(Glibc.kill(owner.daemon, 0) == 0)
        owner.end(by: signal)
        try await eventually("the end of gpsd", { Glibc.kill(owner.daemon, 0) }, is: { $0 != 0 })
    }

    @Test func `the reason why there is no gpsd is a sentence`() {
        var settings = SimulatedReceiver.Settings()
        settings.path = "/dev/null"
        let failure = #expect(throws: SimulationError.self) { try LoopbackGPSD(.walk, settings: settings) }
        #expect(failure?.description == "/dev/null is a file other than the link of a receiver")
        let options = #expect(throws: SimulationError.self) { try LoopbackGPSD(options: ["--no-such-option"]) }
        let sentence = options?.description ?? ""
        #expect(
            sentence.hasPrefix("gpsd ended at once ") && sentence.contains(": /usr/sbin/gpsd -N --no-such"),
            "\(sentence)")
    }
}
