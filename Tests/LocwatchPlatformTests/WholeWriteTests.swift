import Glibc
import LocwatchPlatform
import Testing

@Suite struct WholeWriteTests {
    @Test func `all bytes are written to a slow reader`() throws {
        let pipe = try PrivatePipe()
        pipe.holdLittle()
        try #require(fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK) == 0)
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
        let thread = try NativeThread {
            let code = bytes.withUnsafeBytes { WholeWrite.write($0, to: pipe.writeEnd) }
            #expect(code == nil)
            close(pipe.writeEnd)
        }
        var read: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1000)
        while case let count = Glibc.read(pipe.readEnd, &chunk, chunk.count), count > 0 { read += chunk[..<count] }
        thread.join()
        close(pipe.readEnd)
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
