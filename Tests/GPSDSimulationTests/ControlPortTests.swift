import Glibc
import LocationCore
import LocationTesting
import Testing

@testable import GPSDSimulation

struct ControlPortTests {
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

    /// Returns a stand-in with a control socket and a serial line, and the messages that it says.
    private func standInWithLine() throws -> (StandInGPSD, EventLog<String>) {
        let said = EventLog<String>()
        var settings = StandInGPSD.Settings()
        settings.clock = .manual
        settings.control = path
        settings.terminal = path + "-line"
        let standIn = try StandInGPSD(serving: StandInRecording(.standstill), settings, say: { said.append($0) })
        return (standIn, said)
    }

    @Test func `the socket and the serial line are made again when they are removed, and their users go on`()
        async throws
    {
        let (standIn, said) = try standInWithLine()
        let line = path + "-line"
        let client = try SocketClient(path: path)
        let reader = open(line, O_RDONLY | O_NONBLOCK | O_NOCTTY)
        defer { close(reader) }
        #expect(unlink(path) == 0 && unlink(line) == 0)
        try await said.wait(for: "both messages") { $0.count == 2 }
        #expect(said.events == ["\(path) was removed, and was made again", "\(line) was removed, and was made again"])
        #expect(try SocketClient(path: path).ask("step 1s") == #"{"ok":true,"time":1}"#)
        #expect(client.ask("step 1s") == #"{"ok":true,"time":2}"#)
        var byte: UInt8 = 0
        #expect(access(line, F_OK) == 0 && read(reader, &byte, 1) == 1)
        standIn.stop()
        #expect(access(path, F_OK) != 0 && access(line, F_OK) != 0)
    }

    @Test func `what another program puts at the paths is said once and kept, until it is gone`() async throws {
        let (standIn, said) = try standInWithLine()
        let line = path + "-line"
        for path in [path, line] {
            #expect(unlink(path) == 0)
            close(creat(path, 0o600))
        }
        try await said.wait(for: "both messages") { $0.count == 2 }
        usleep(1_200_000)
        let reasons = ["\(path) was replaced: cannot make a socket", "\(line) was replaced: cannot make a terminal"]
        #expect(zip(said.events, reasons).allSatisfy { $0.hasPrefix($1) } && said.events.count == 2)
        for path in [path, line] {
            var found = stat()
            #expect(lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG)
            unlink(path)
        }
        try await said.wait(for: "the messages about new ones") { $0.count == 4 }
        #expect(try SocketClient(path: path).ask("step 1s") == #"{"ok":true,"time":1}"#)
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
        #expect(try SocketClient(path: path).ask("step 1s") == #"{"ok":true,"time":1}"#)
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
        let client = try SocketClient(path: path)
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
        let client = try SocketClient(path: path)
        let answer = try #require(client.ask(line))
        #expect(answer.hasPrefix(#"{"ok":false,"error":""#), "\(answer)")
        #expect(client.ask("step 1s") == #"{"ok":true,"time":1}"#)
        withExtendedLifetime(standIn) {}
    }

    @Test func `a megabyte without a newline ends its own connection only`() throws {
        let standIn = try standIn()
        let (bad, good) = (try SocketClient(path: path), try SocketClient(path: path))
        bad.send(String(repeating: "x", count: 1 << 20))
        #expect(good.ask("step 1s") == #"{"ok":true,"time":1}"#)
        // The connection can be reset before the answer is read, as the rest was not.
        #expect(bad.line() == nil || bad.line() == nil)
        withExtendedLifetime(standIn) {}
    }

    @Test func `a client that asks and reads nothing delays no other, and is disconnected`() throws {
        let standIn = try standIn()
        let (stalled, good) = (try SocketClient(path: path), try SocketClient(path: path))
        _ = fcntl(stalled.socket, F_SETFL, O_NONBLOCK)
        for _ in 0..<20_000 { stalled.send("status\n") }
        let time = ContinuousClock().measure { #expect(good.ask("step 1s") == #"{"ok":true,"time":1}"#) }
        #expect(time < .seconds(5))
        withExtendedLifetime(standIn) {}
    }

    @Test func `two clients at once have their own waits, and a client that goes ends its wait`() throws {
        let standIn = try standIn()
        let (first, second) = (try SocketClient(path: path), try SocketClient(path: path))
        first.send("wait clients 1 20s\n")
        #expect(second.ask("step 1s") == #"{"ok":true,"time":1}"#)
        #expect(second.ask("wait clients 1 10ms")?.contains("0 clients watch at the time limit") == true)
        do {
            let third = try SocketClient(path: path)
            third.send("wait clients 7 1h\n")
        }
        let watcher = try SocketClient.watching(standIn.port)
        #expect(first.line() == #"{"ok":true,"time":1}"#)
        #expect(second.ask("requests")?.contains(#""client":1,"text":"?WATCH="#) == true)
        withExtendedLifetime(watcher) {}
    }

    @Test func `a wait for readers ends when the last byte has been read`() throws {
        let standIn = try standIn()
        let control = try SocketClient(path: path)
        let watcher = try SocketClient.watching(standIn.port)
        _ = control.ask("step 5s")
        #expect(control.ask("wait read 50ms")?.contains("1 client has not read all at the time limit") == true)
        _ = watcher.lines(12)
        #expect(control.ask("wait read 10s") == #"{"ok":true,"time":5}"#)
    }

    @Test func `a client that ends its direction gets the answers`() throws {
        let standIn = try standIn()
        let client = try SocketClient(path: path)
        client.send("step 1s\nstep 2s")
        shutdown(client.socket, Int32(SHUT_WR))
        #expect(client.line() == #"{"ok":true,"time":1}"#)
        #expect(client.line() == #"{"ok":true,"time":3}"#)
        #expect(client.line() == nil)
        withExtendedLifetime(standIn) {}
    }
}
