import GPSDSimulation
import Glibc
import LocationCore
import LocationGPSD
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

/// A gpsd for tests, on a free port and with simulated receivers.
@Suite(.serialized, .withFew) struct LoopbackGPSDTests {
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

    @Test func `the reason why there is no gpsd is a sentence`() {
        let options = #expect(throws: SimulationError.self) { try LoopbackGPSD(options: ["--no-such-option"]) }
        let sentence = options?.description ?? ""
        #expect(
            sentence.hasPrefix("gpsd ended at once ") && sentence.contains(": /usr/sbin/gpsd -N --no-such"),
            "\(sentence)")
    }
}
