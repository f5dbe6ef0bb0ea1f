import Glibc
import LocwatchPlatform
import Testing

@Suite struct PrivatePipeTests {
    private func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        return count < 0 ? "error \(errno)" : String(decoding: bytes[..<count], as: UTF8.self)
    }

    @Test func `what the reader writes, as gpsd does to a receiver, loses nothing that it has not read`() throws {
        let pipe = try PrivatePipe()
        defer { close(pipe.readEnd) }
        #expect(write(pipe.writeEnd, "last", 4) == 4)
        #expect(write(pipe.readEnd, "probe", 5) == -1 && errno == EBADF)
        close(pipe.writeEnd)
        #expect(read(pipe.readEnd) == "last")
        #expect(read(pipe.readEnd) == "")
    }

    @Test func `both ends close in a program that is started`() throws {
        let pipe = try PrivatePipe()
        for end in [pipe.readEnd, pipe.writeEnd] {
            #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0)
            close(end)
        }
    }
}
