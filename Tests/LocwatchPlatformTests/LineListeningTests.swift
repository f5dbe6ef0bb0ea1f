import Glibc
import LocwatchSupport
import Testing

@testable import LocwatchPlatform

@Suite struct LineListeningTests {
    private func speed(_ path: String) throws -> speed_t {
        let line = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        defer { close(line) }
        var settings = termios()
        try #require(tcgetattr(line, &settings) == 0)
        return cfgetispeed(&settings)
    }

    @Test func `a line is read at another speed until the bytes are enough, and has its settings again`() throws {
        let terminal = try PseudoTerminal(speed: 4800)
        let before = try speed(terminal.path)
        // Bytes that waited before are not counted, so the writer goes on until the reader has enough.
        let isRead = Lock(false)
        let master = terminal.master
        try NativeThread.start {
            while !isRead.withLock({ $0 }) {
                _ = write(master, "$GP", 3)
                usleep(1000)
            }
        }
        let bytes = LineListening.bytes(from: terminal.path, at: 9600, within: .seconds(60)) { $0.count >= 30 }
        isRead.withLock { $0 = true }
        #expect((bytes ?? []).count >= 30)
        #expect(try speed(terminal.path) == before)
    }

    @Test func `a silent line gives no byte, and a path that is not a line gives nil`() throws {
        let terminal = try PseudoTerminal()
        #expect(LineListening.bytes(from: terminal.path, at: nil, within: .milliseconds(50)) == [])
        #expect(LineListening.bytes(from: "/dev/null", at: 9600, within: .seconds(60)) == nil)
        #expect(LineListening.bytes(from: "/dev/none", at: 9600, within: .seconds(60)) == nil)
    }
}
