import Foundation
import Platform
import Testing

/// A recording that the program serves on a port of this machine as a gpsd would.
final class ServedSession {
    private let process = Process()
    let source: String

    init(_ recording: String, pace: String) throws {
        let port = try LoopbackPort.free()
        source = "127.0.0.1:\(port)"
        process.executableURL = URL(filePath: Locwatch.program)
        process.arguments = ["serve", "--port", "\(port)", "--pace", pace, "--loop", "--redate", recording]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The session is served as soon as a connection succeeds.
        for _ in 0..<500 {
            if Self.isTaken(port) { return }
            usleep(10_000)
        }
        Issue.record("no server at \(source)")
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
