import Glibc
import LocationCore
import TestSupport
import Testing

@testable import GPSDSimulation

/// The commands of the control socket; `ControlPathTests` has its path.
struct ControlPortTests {
    private let path = "/tmp/locwatch-control-\(UInt64.random(in: 0...UInt64.max))"

    private let standIn: StandInGPSD

    init() throws { standIn = try stepped { [path] in $0.control = path } }

    @Test func `a generated session has no rest to send`() throws {
        standIn.sendRest()
        try standIn.perform("step 1s")
    }

    @Test func `a command is refused once the stand-in has stopped`() throws {
        standIn.stop()
        let error = #expect(throws: LocationError.self) { try standIn.perform("step 1s") }
        #expect(error?.description.contains("the stand-in has stopped") == true, "\(error as Any)")
    }

    @Test func `a fault that begins again and again holds once`() throws {
        try standIn.perform("fault slow/10ms")
        try standIn.perform("step 2s")
        let status = try standIn.perform("status")
        #expect(status.contains(#""faults":["slow"]"#), "\(status)")
    }

    @Test func `words and objects are answered in order with one line each`() throws {
        let client = try SocketClient(path: path)
        client.send("step 2s\r\nlose\n{\"do\":\"status\"}\n")
        #expect(client.line() == #"{"ok":true,"time":2}"#)
        #expect(client.line() == #"{"ok":true,"time":2}"#)
        let status = try #require(client.line())
        #expect(status.contains(#""port":\#(standIn.port),"clients":0,"watchers":0"#), "\(status)")
        #expect(status.contains(#""faults":["lose"],"step":"lose""#), "\(status)")
    }

    @Test(arguments: ["step -1s", "{\"do\":5}", "{", "\u{FF}\u{0}", "move 1e9,0", "[\"lose\"]", ""])
    func `what cannot be parsed is refused with the reason, and the connection goes on`(line: String) throws {
        let client = try SocketClient(path: path)
        let answer = try #require(client.ask(line))
        #expect(answer.hasPrefix(#"{"ok":false,"error":""#), "\(answer)")
        #expect(client.ask("step 1s") == #"{"ok":true,"time":1}"#)
    }

    @Test func `a megabyte without a newline ends its own connection only`() throws {
        let (bad, good) = (try SocketClient(path: path), try SocketClient(path: path))
        bad.send(String(repeating: "x", count: 1 << 20))
        #expect(good.ask("step 1s") == #"{"ok":true,"time":1}"#)
        // The connection can be reset before the answer is read, as the rest was not.
        _ = bad.rest()
        #expect(bad.ending != nil)
    }

    @Test func `a client that asks and reads nothing delays no other`() throws {
        let (stalled, good) = (try SocketClient(path: path), try SocketClient(path: path))
        _ = fcntl(stalled.socket, F_SETFL, O_NONBLOCK)
        for _ in 0..<20_000 { stalled.send("status\n") }
        #expect(good.ask("step 1s") == #"{"ok":true,"time":1}"#)
    }

    @Test func `two clients at once have their own waits, and a client that goes ends its wait`() throws {
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
        let control = try SocketClient(path: path)
        let watcher = try SocketClient.watching(standIn.port)
        _ = control.ask("step 5s")
        #expect(control.ask("wait read 50ms")?.contains("1 client has not read all at the time limit") == true)
        _ = watcher.lines(12)
        #expect(control.ask("wait read 10s") == #"{"ok":true,"time":5}"#)
    }

    @Test func `a client that ends its direction gets the answers`() throws {
        let client = try SocketClient(path: path)
        client.send("step 1s\nstep 2s")
        shutdown(client.socket, Int32(SHUT_WR))
        #expect(client.line() == #"{"ok":true,"time":1}"#)
        #expect(client.line() == #"{"ok":true,"time":3}"#)
        #expect(client.line() == nil && client.ending == 0)
    }
}
