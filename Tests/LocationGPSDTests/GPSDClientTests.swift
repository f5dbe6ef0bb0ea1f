import LocationCore
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@testable import LocationGPSD

@Suite struct GPSDClientTests {
    @Test func `the end of a lost connection is not taken for the beginning of the next one`() throws {
        let peer = LoopbackPeer()
        peer.listen()
        var options = SessionOptions()
        options.timeouts.retries.first = .zero
        let client = GPSDClient(
            GPSDEndpoint(host: "127.0.0.1", port: String(peer.port)), for: .everything, options: options,
            clock: .system(), redaction: ByteRedaction(of: Array("joe:s3@".utf8), as: Array("joe@".utf8)))
        for secret in [#"{"class":"DEVICE","path":"ntrip://joe:s"#, ""] {
            _ = try step(client) { _ in client.isConnected }
            peer.accept()
            peer.send(#"{"class":"VERSION","release":"3.22"}"# + "\n" + secret)
            let events = try step(client) { !$0.isEmpty }
            #expect(events.first == .searching(.connected(release: "3.22")))
            peer.hangUp()
            _ = try step(client) { _ in !client.isConnected }
            #expect(!client.isConnected)
        }
    }

    /// Steps the client until a condition holds, for a minute at most, and returns its events.
    private func step(_ client: GPSDClient, until isSo: ([LocationEvent]) -> Bool) throws -> [LocationEvent] {
        var events: [LocationEvent] = []
        var updates = ReusedQueue<LocationUpdate>()
        for _ in 0..<6000 where !isSo(events) {
            let isReady = PollSet.wait(for: client.descriptor, within: .milliseconds(10))
            _ = try client.turn(isReady: isReady, into: &updates)
            while let update = updates.popFirst() { events.append(update.event) }
        }
        return events
    }
}
