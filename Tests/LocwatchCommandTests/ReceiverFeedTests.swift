import Foundation
import GPSDSimulation
import Glibc
import LocationCore
import LocationGPSD
import Platform
import Testing

@testable import LocwatchCommand

@Suite(.serialized) struct ReceiverFeedTests {
    private func feed(_ path: String) throws -> ReceiverFeed {
        var patience = LivePatience()
        patience.silence = .milliseconds(500)
        patience.absence = .milliseconds(300)
        return try ReceiverFeed(
            device: path, speed: nil, reconnects: true, clock: .system(), patience: patience, tap: nil)
    }

    /// Serves the feed until it tells something that is looked for; fails the test when it does not in time.
    private func serve(_ feed: ReceiverFeed, until isIt: (LocationEvent) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var isFound = false
        while !isFound {
            try #require(ContinuousClock.now < deadline)
            var watched = pollfd(fd: feed.descriptor, events: Int16(POLLIN), revents: 0)
            let limit = min(feed.patience ?? .seconds(1), .seconds(1))
            _ = poll(&watched, 1, max(0, limit.wholeMilliseconds))
            _ = try feed.step(isReady: watched.revents != 0) { if isIt($0.event) { isFound = true } }
        }
    }

    /// Whether a gpsd has this device on its command line.
    private func hasDaemon(_ path: String) -> Bool {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.contains { id in
            guard Int(id) != nil, let words = try? Data(contentsOf: URL(filePath: "/proc/\(id)/cmdline")) else {
                return false
            }
            let arguments = words.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
            return arguments.first?.hasSuffix("gpsd") == true && arguments.contains(path)
        }
    }

    @Test func `a device that is not there ends the session`() throws {
        let feed = try feed("/dev/locwatch-none")
        #expect(throws: LocationError.deviceUnusable(path: "/dev/locwatch-none", cause: .missing)) {
            try serve(feed) { _ in false }
        }
        feed.end()
    }

    @Test func `a session that ends while its daemon starts leaves none behind, and does not wait for it`() throws {
        let receiver = try SimulatedReceiver(.walk)
        defer { receiver.stop() }
        let feed = try feed(receiver.path)
        let start = ContinuousClock.now
        feed.end()
        #expect(ContinuousClock.now - start < .seconds(1))
        #expect(!hasDaemon(receiver.path))
    }

    @Test func `a receiver that is pulled out is told of, and read again when it is back`() throws {
        var settings = SimulatedReceiver.Settings()
        settings.speedup = 4
        let receiver = try SimulatedReceiver(.walk, settings: settings)
        defer { receiver.stop() }
        let feed = try feed(receiver.path)
        try serve(feed) { if case .location = $0 { true } else { false } }
        #expect(hasDaemon(receiver.path))
        receiver.unplug()
        try serve(feed) { $0 == .searching(.deviceLost(path: receiver.path), device: receiver.path) }
        receiver.plugIn()
        try serve(feed) { if case .location = $0 { true } else { false } }
        feed.end()
        #expect(!hasDaemon(receiver.path))
    }
}
