import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport
import Testing

@testable import GPSDSimulation

struct ControlPortTests {
    /// A client of a control socket.
    private final class Client {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        private var pending: [UInt8] = []

        init(_ path: String) throws {
            try #require(UnixAddress.with(path) { connect(socket, $0, $1) } == 0)
        }

        deinit { close(socket) }

        func send(_ text: String) { _ = Glibc.send(socket, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

        /// Returns the next line, or `nil` at the end of the connection or after ten seconds.
        func line() -> String? {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { pending.removeFirst(end + 1) }
                    return String(decoding: pending[..<end], as: UTF8.self)
                }
                var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
                guard poll(&watched, 1, 10_000) > 0 else { return nil }
                let count = recv(socket, &chunk, chunk.count, 0)
                guard count > 0 else { return nil }
                pending += chunk.prefix(count)
            }
        }

        func ask(_ text: String) -> String? {
            send(text + "\n")
            return line()
        }
    }

    private let path = "/tmp/locwatch-control-\(UInt64.random(in: 0...UInt64.max))"

    private func standIn() throws -> StandInGPSD {
        var settings = StandInGPSD.Settings()
        settings.clock = .manual
        settings.control = path
        return try StandInGPSD(StandInRecording(.standstill), settings: settings)
    }

    @Test func `the socket is the user's own and is removed at the end`() throws {
        let standIn = try standIn()
        var found = stat()
        #expect(lstat(path, &found) == 0 && found.st_mode & 0o777 == 0o600 && found.st_mode & S_IFMT == S_IFSOCK)
        standIn.stop()
        #expect(access(path, F_OK) != 0)
        withExtendedLifetime(standIn) {}
    }

    /// The messages of a stand-in.
    private final class Messages: Sendable {
        private let messages = Lock<[String]>([])
        var all: [String] { messages.withLock { $0 } }
        func append(_ message: String) { messages.withLock { $0.append(message) } }
    }

    /// Returns a stand-in with a control socket and a serial line, and the messages that it says.
    private func standInWithLine() throws -> (StandInGPSD, Messages) {
        let said = Messages()
        var settings = StandInGPSD.Settings()
        settings.clock = .manual
        settings.control = path
        settings.terminal = path + "-line"
        let standIn = try StandInGPSD(
            serving: StandInRecording(.standstill), settings, say: { said.append($0) })
        return (standIn, said)
    }

    /// Waits until a condition is met, for at most ten seconds.
    private func eventually(_ isSo: () -> Bool) -> Bool {
        for _ in 0..<1_000 where !isSo() { usleep(10_000) }
        return isSo()
    }

    @Test func `the socket and the serial line are made again when they are removed, and their users go on`() throws {
        let (standIn, said) = try standInWithLine()
        let line = path + "-line"
        let client = try Client(path)
        let reader = open(line, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        defer { close(reader) }
        #expect(unlink(path) == 0 && unlink(line) == 0)
        #expect(eventually { said.all.count == 2 })
        #expect(
            said.all == ["\(path) was removed, and was made again", "\(line) was removed, and was made again"])
        #expect(try Client(path).ask("step 1s") == #"{"ok":true,"time":1}"#)
        #expect(client.ask("step 1s") == #"{"ok":true,"time":2}"#)
        var byte: UInt8 = 0
        #expect(access(line, F_OK) == 0 && read(reader, &byte, 1) == 1)
        standIn.stop()
        #expect(access(path, F_OK) != 0 && access(line, F_OK) != 0)
    }

    @Test func `what another program puts at the paths is said once and kept, until it is gone`() throws {
        let (standIn, said) = try standInWithLine()
        let line = path + "-line"
        for path in [path, line] {
            #expect(unlink(path) == 0)
            close(creat(path, 0o600))
        }
        #expect(eventually { said.all.count == 2 })
        usleep(1_200_000)
        let reasons = ["\(path) was replaced: cannot make a socket", "\(line) was replaced: cannot make a terminal"]
        #expect(zip(said.all, reasons).allSatisfy { $0.hasPrefix($1) } && said.all.count == 2)
        for path in [path, line] {
            var found = stat()
            #expect(lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG)
            unlink(path)
        }
        #expect(eventually { said.all.count == 4 })
        #expect(try Client(path).ask("step 1s") == #"{"ok":true,"time":1}"#)
        standIn.stop()
    }

    @Test func `a second stand-in takes neither the socket nor the serial line of the first, and removes neither`()
        throws
    {
        let (first, _) = try standInWithLine()
        #expect(chmod(path + "-line", 0o660) == 0, "as gpsd changes the mode of a terminal")
        #expect(throws: LocationError.self) { try standIn() }
        var settings = StandInGPSD.Settings()
        settings.terminal = path + "-line"
        #expect(throws: LocationError.self) { try StandInGPSD(StandInRecording(.standstill), settings: settings) }
        #expect(access(path + "-line", F_OK) == 0)
        #expect(try Client(path).ask("step 1s") == #"{"ok":true,"time":1}"#)
        first.stop()
    }

    @Test func `a command is refused once the stand-in has stopped, and a generated session has no rest`() throws {
        let standIn = try standIn()
        standIn.sendRest()
        try standIn.perform("step 1s")
        standIn.stop()
        let error = #expect(throws: LocationError.self) { try standIn.perform("step 1s") }
        #expect(error?.description.contains("the stand-in has stopped") == true, "\(error as Any)")
    }

    @Test func `a fault that begins again and again holds once`() throws {
        let standIn = try standIn()
        try standIn.perform("fault slow/10ms")
        try standIn.perform("step 2s")
        let status = try standIn.perform("status")
        #expect(status.contains(#""faults":["slow"]"#), "\(status)")
    }

    @Test func `words and objects are answered in order with one line each`() throws {
        let standIn = try standIn()
        let client = try Client(path)
        client.send("step 2s\r\nlose\n{\"do\":\"status\"}\n")
        #expect(client.line() == #"{"ok":true,"time":2}"#)
        #expect(client.line() == #"{"ok":true,"time":2}"#)
        let status = try #require(client.line())
        #expect(status.contains(#""port":\#(standIn.port),"clients":0,"watchers":0"#), "\(status)")
        #expect(status.contains(#""faults":["lose"],"step":"lose""#), "\(status)")
    }

    @Test(arguments: [
        "nonsense", "step -1s", "step 1e999", "{\"do\":5}", "{", "\u{FF}\u{0}", "step", "move 1e9,0", "[\"lose\"]", "",
    ])
    func `what cannot be parsed is refused with the reason, and the connection goes on`(line: String) throws {
        let standIn = try standIn()
        let client = try Client(path)
        let answer = try #require(client.ask(line))
        #expect(answer.hasPrefix(#"{"ok":false,"error":""#), "\(answer)")
        #expect(client.ask("step 1s") == #"{"ok":true,"time":1}"#)
        withExtendedLifetime(standIn) {}
    }

    @Test func `a megabyte without a newline ends its own connection only`() throws {
        let standIn = try standIn()
        let (bad, good) = (try Client(path), try Client(path))
        bad.send(String(repeating: "x", count: 1 << 20))
        #expect(good.ask("step 1s") == #"{"ok":true,"time":1}"#)
        // The connection can be reset before the answer is read, as the rest was not.
        #expect(bad.line() == nil || bad.line() == nil)
        withExtendedLifetime(standIn) {}
    }

    @Test func `a client that asks and reads nothing delays no other, and is disconnected`() throws {
        let standIn = try standIn()
        let (stalled, good) = (try Client(path), try Client(path))
        _ = fcntl(stalled.socket, F_SETFL, O_NONBLOCK)
        for _ in 0..<20_000 { stalled.send("status\n") }
        let time = ContinuousClock().measure { #expect(good.ask("step 1s") == #"{"ok":true,"time":1}"#) }
        #expect(time < .seconds(5))
        withExtendedLifetime(standIn) {}
    }

    @Test func `two clients at once have their own waits, and a client that goes ends its wait`() throws {
        let standIn = try standIn()
        let (first, second) = (try Client(path), try Client(path))
        first.send("wait clients 1 20s\n")
        #expect(second.ask("step 1s") == #"{"ok":true,"time":1}"#)
        #expect(second.ask("wait clients 1 10ms")?.contains("0 clients watch at the time limit") == true)
        do {
            let third = try Client(path)
            third.send("wait clients 7 1h\n")
        }
        let watcher = try SocketClient.watching(standIn.port)
        #expect(first.line() == #"{"ok":true,"time":1}"#)
        #expect(second.ask("requests")?.contains(#""client":1,"text":"?WATCH="#) == true)
        withExtendedLifetime(watcher) {}
    }

    @Test func `a wait for readers ends when the last byte has been read`() throws {
        let standIn = try standIn()
        let control = try Client(path)
        let watcher = try SocketClient.watching(standIn.port)
        _ = control.ask("step 5s")
        #expect(control.ask("wait read 50ms")?.contains("1 client has not read all at the time limit") == true)
        _ = watcher.lines(12)
        #expect(control.ask("wait read 10s") == #"{"ok":true,"time":5}"#)
    }

    @Test func `a client that ends its direction gets the answers`() throws {
        let standIn = try standIn()
        let client = try Client(path)
        client.send("step 1s\nstep 2s")
        shutdown(client.socket, Int32(SHUT_WR))
        #expect(client.line() == #"{"ok":true,"time":1}"#)
        #expect(client.line() == #"{"ok":true,"time":3}"#)
        #expect(client.line() == nil)
        withExtendedLifetime(standIn) {}
    }
}
