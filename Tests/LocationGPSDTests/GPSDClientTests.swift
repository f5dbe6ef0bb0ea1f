import LocationCore
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct GPSDClientTests {
    @Test func `the end of a lost connection is not taken for the beginning of the next one`() throws {
        let peer = LoopbackPeer()
        peer.listen()
        var options = SessionOptions()
        options.timeouts.firstRetry = .zero
        let client = GPSDClient(
            GPSDEndpoint(host: "127.0.0.1", port: String(peer.port)), for: .everything, options: options,
            clock: .system(), redaction: ByteRedaction(of: Array("joe:s3@".utf8), as: Array("joe@".utf8)))
        for secret in [#"{"class":"DEVICE","path":"ntrip://joe:s"#, ""] {
            while !client.isConnected { _ = try step(client) }
            peer.accept()
            peer.send(#"{"class":"VERSION","release":"3.22"}"# + "\n" + secret)
            var events: [LocationEvent] = []
            while events.isEmpty { events = try step(client) }
            #expect(events.first == .searching(.connected(release: "3.22")))
            peer.hangUp()
            while client.isConnected { _ = try step(client) }
        }
    }

    private func step(_ client: GPSDClient) throws -> [LocationEvent] {
        var events: [LocationEvent] = []
        let isReady = PollSet.wait(for: client.descriptor, within: .milliseconds(10))
        _ = try client.step(isReady: isReady) { events.append($0.event) }
        return events
    }
}
