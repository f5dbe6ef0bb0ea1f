import Foundation
import Glibc
import LocwatchPlatform
import TestSupport
import Testing

/// The resident memory of running programs after a peak, which is at most 20 % above that before it.
@Suite(.serialized) struct MemoryAfterPeakTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `serve returns the memory of clients that have read nothing`() async throws {
        let (server, port) = try await Locwatch.serving("--pace 10x --loop $FIXTURES/walk/session.json")
        let number = try #require(UInt16(port))
        _ = try WebClient(number).read(until: "\r\n")
        let before = try #require(server.memory)
        var clients: [WebClient] = []
        for _ in 0..<20 {
            let client = try WebClient(number, buffer: 2048)
            client.send(#"?WATCH={"enable":true,"json":true};"# + String(repeating: "?DEVICES;", count: 8000))
            clients.append(client)
        }
        try await server.wait { ($0.memory ?? 0) > before * 3 / 2 }
        clients.removeAll()
        try await server.wait(.seconds(10)) { ($0.memory ?? .max) < before * 6 / 5 }
        try await server.stop()
    }

    @Test func `publish returns the memory of an outage when the broker is back`() async throws {
        let broker = try await Broker()
        try NumberedDrive.text(1...3000).write(toFile: folder.path("drive.json"), atomically: true, encoding: .utf8)
        let (first, port) = try await Locwatch.serving("--pace 10x --loop --redate '\(folder.path("drive.json"))'")
        let publisher = try Locwatch(
            "exec $LW publish -q --no-queue --backlog-rate unlimited \(broker.target) localhost:\(port)",
            folder: folder.url)
        try await publisher.wait { _ in broker.acknowledged >= 20 }
        let before = try #require(publisher.memory)
        try await first.stop()
        try await broker.kill()
        let (second, _) = try await Locwatch.serving(
            "--port \(port) --pace max --loop --redate '\(folder.path("drive.json"))'")
        try await publisher.wait { ($0.memory ?? 0) > before * 13 / 10 }
        try await second.stop()
        try await broker.start()
        publisher.signal(SIGUSR1)
        try await publisher.wait { _ in broker.acknowledged >= 1000 }
        try await publisher.wait(.seconds(20)) { ($0.memory ?? .max) < before * 6 / 5 }
        publisher.signal(SIGTERM)
        _ = try await publisher.end()
    }
}
