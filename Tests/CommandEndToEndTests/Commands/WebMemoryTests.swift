import Foundation
import LocwatchPlatform
import TestSupport
import Testing

/// The memory of a running `locwatch web`.
@Suite(.serialized, .alone) struct WebMemoryTests {
    /// The kilobytes that clients may cost that read nothing: the limit of all responses, and one that is being made.
    private static let bound = 12_288
    private static let points = 6000
    private static let lastTime = "T01:39:59"

    /// Writes a recording of positions a second apart.
    private static func recording(_ folder: Scratch) throws -> String {
        var text = #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"# + "\n"
        for second in 0..<points {
            let time = String(format: "2026-11-21T%02d:%02d:%02d.000Z", second / 3600, second / 60 % 60, second % 60)
            text += #"{"class":"TPV","device":"/dev/gps","mode":3,"time":"\#(time)","#
            text += #""lat":\#(45 + Double(second) / 1e5),"#
            text += #""lon":7.1234567,"altMSL":239.417,"eph":4.211,"speed":12.345,"track":77.5}"# + "\n"
        }
        let file = folder.url.appending(path: "drive.json")
        try text.write(to: file, atomically: true, encoding: .utf8)
        return file.path
    }

    @Test(arguments: ["/track.gpx", "/events"])
    func `clients that read nothing cost little memory, which is returned when they leave`(path: String) async throws {
        let folder = try Scratch()
        let port = try LoopbackPort.free()
        let server = try Locwatch("exec $LW web --pace max --port \(port) '\(try Self.recording(folder))'")
        try await server.wait { $0.errors.contains("http://") }
        try await server.wait { _ in (try? Self.track(port).contains(Self.lastTime)) ?? false }
        let before = try #require(server.memory)
        var clients = try (0..<100).map { _ in
            let client = try WebClient(port, buffer: 2048)
            client.send(Self.request(path))
            return client
        }
        for client in clients { _ = try client.read(until: "\r\n\r\n") }
        try await Task.sleep(for: .seconds(1))
        let most = try #require(server.memory)
        #expect(most - before < Self.bound)
        clients.removeAll()
        try await server.wait(.seconds(60)) { ($0.memory ?? .max) < before * 6 / 5 }
        try await server.stop()
    }

    private static func request(_ path: String) -> String { "GET \(path) HTTP/1.0\r\nHost: localhost\r\n\r\n" }

    private static func track(_ port: UInt16) throws -> String {
        let client = try WebClient(port)
        client.send(request("/track.gpx"))
        return try client.readAll()
    }
}
