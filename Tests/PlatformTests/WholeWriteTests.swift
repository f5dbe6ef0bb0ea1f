import Glibc
import Platform
import Testing

@Suite struct WholeWriteTests {
    /// Returns a pipe that holds 4 kB and has a non-blocking write end.
    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        // 1031 is F_SETPIPE_SZ, which the Glibc module does not have.
        try #require(fcntl(ends[1], 1031, 4096) >= 0)
        try #require(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
        return (ends[0], ends[1])
    }

    @Test func `all bytes are written to a slow reader`() throws {
        let pipe = try Self.pipe()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        let thread = try NativeThread {
            let code = bytes.withUnsafeBytes { WholeWrite.write($0, to: pipe.write) }
            #expect(code == nil)
            close(pipe.write)
        }
        var read: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1000)
        while case let count = Glibc.read(pipe.read, &chunk, chunk.count), count > 0 { read += chunk[..<count] }
        thread.join()
        close(pipe.read)
        #expect(read == bytes)
    }

    @Test func `a failed write reports its errno and its progress`() throws {
        let file = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        var written = 0
        let code = [UInt8](repeating: 0, count: 10).withUnsafeBytes { bytes in
            WholeWrite.write(bytes, to: file) { written += $0 }
        }
        #expect(code == ENOSPC)
        #expect(written == 0)
    }
}
