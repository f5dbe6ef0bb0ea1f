import Foundation
import TestSupport
import Testing

/// The memory of a running `locwatch web`.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct WebMemoryTests {
    /// The bytes that clients may cost that read nothing: the limit of all responses, and one that is being made.
    private static let bound = 12 << 20
    /// The time of the last of 6,000 positions, of which the first one is at midnight.
    private static let lastTime = "T01:39:59"

    @Test(arguments: ["/track.gpx", "/events"])
    func `clients that read nothing cost little memory, which is returned when they leave`(path: String) async throws {
        let folder = try Scratch()
        let file = try folder.write(RecordedDrive.text(points: 6000), to: "drive.json")
        let port = ReservedPort().number
        let server = try Locwatch("exec $LW web --pace max --port \(port) '\(file.path)'")
        try await server.wait { $0.errors.contains("http://") }
        try await server.wait { _ in (try? Self.track(port).contains(Self.lastTime)) ?? false }
        let before = try #require(server.process.memory)
        var clients = try (0..<100).map { _ in
            let client = try SocketClient(port, receiveBuffer: 2048)
            client.send(Self.request(path))
            return client
        }
        for client in clients { _ = try client.read(until: "\r\n\r\n") }
        let most = try await server.settled { try #require(server.process.memory) }
        #expect(most - before < Self.bound)
        clients.removeAll()
        try await server.wait(.seconds(60)) { ($0.process.memory ?? .max) < before * 6 / 5 }
        try await server.stop()
    }

    private static func request(_ path: String) -> String { "GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n" }

    private static func track(_ port: UInt16) throws -> String {
        let client = try SocketClient(port)
        client.send(request("/track.gpx"))
        return try client.readAll()
    }
}
