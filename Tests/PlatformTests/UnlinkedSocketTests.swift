import Foundation
import Glibc
import Testing

@testable import Platform

@Suite struct UnlinkedSocketTests {
    @Test func `a connection reaches the holder of the listening descriptor`() throws {
        let socket = try UnlinkedSocket()
        try socket.handOver { listener in
            let client = try socket.connect()
            defer { close(client) }
            let server = accept(listener, nil, nil)
            defer { close(server) }
            #expect(send(server, "x", 1, 0) == 1)
            var byte: UInt8 = 0
            #expect(recv(client, &byte, 1, 0) == 1)
            #expect(byte == UInt8(ascii: "x"))
        }
    }

    @Test func `a connection is refused once no process listens`() throws {
        let socket = try UnlinkedSocket()
        socket.handOver { _ in }
        #expect(throws: SystemFailure("connect", code: ECONNREFUSED)) { try socket.connect() }
    }

    @Test func `the file of a socket has no name`() throws {
        let socket = try UnlinkedSocket()
        let links = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
        }
        let files = links.filter { $0.contains("gpsfake-locwatch-") }
        #expect(!files.isEmpty)
        #expect(files.allSatisfy { $0.hasSuffix(" (deleted)") })
        withExtendedLifetime(socket) {}
    }
}
