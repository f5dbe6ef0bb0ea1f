import Foundation
import Testing

@testable import LocwatchCommand

/// A recording that the program itself serves on a port of this machine, as a gpsd would.
final class ServedSession {
    private let process = Process()
    let source: String

    init(_ recording: String, pace: String) throws {
        let port = try Self.freePort()
        source = "127.0.0.1:\(port)"
        process.executableURL = URL(filePath: try Tool.built("locwatch"))
        process.arguments = ["serve", "--port", "\(port)", "--pace", pace, "--loop", "--redate", recording]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Served as soon as somebody can connect.
        for _ in 0..<500 {
            if Self.isTaken(port) { return }
            usleep(10_000)
        }
        Issue.record("nobody serves at \(source)")
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isNamed = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        try #require(isNamed)
        return UInt16(bigEndian: address.sin_port)
    }

    private static func isTaken(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = address(port)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

/// Positions as somebody else's program reads them out of a file.
enum TrackReader {
    struct Point: Equatable {
        var segment: Int
        var time: String
        var latitude: Double
        var longitude: Double
    }

    static func read(_ file: URL, by reader: String) throws -> [Point] {
        let script = Golden.package.appending(path: "Tests/Oracles/read_track.py").path
        let tool = try Tool("/usr/bin/python3", [script, reader, file.path])
        try #require(tool.status == 0, "\(reader): \(tool.errors)")
        return try tool.output.split(separator: "\n").map { line in
            let fields = line.split(separator: "\t").map(String.init)
            return Point(
                segment: try #require(Int(fields[0])), time: fields[1], latitude: try #require(Double(fields[2])),
                longitude: try #require(Double(fields[3])))
        }
    }
}
