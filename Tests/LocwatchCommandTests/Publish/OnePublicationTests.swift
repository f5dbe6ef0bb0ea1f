import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchTerminal

@Suite struct OnePublicationTests {
    @Test func `a server that takes the request and does not answer has no more time than the limit`() async throws {
        let scratch = try Scratch()
        let position = try scratch.write(
            Array("lat,lon,time\n48.2,16.3,2026-11-20T09:00:00.000Z\n".utf8), to: "position.csv")
        let server = LoopbackPeer()
        server.listen()
        let started = ContinuousClock.now
        let result = try await CommandTrial().run(
            "once -t 1s --publish http://127.0.0.1:\(server.port)/ \(position)")
        #expect(ContinuousClock.now - started < .milliseconds(3_000))
        #expect(result.code == .unavailable && result.errors.contains("no answer within 1 s"), "\(result.errors)")
    }
}
