import LocationCore
import TestSupport
import Testing

@testable import GPSDSimulation

/// Tests of the memory, connections and time that a client can make a stand-in use.
struct StandInLimitsTests {
    private func isError(_ line: String?) -> Bool { line?.hasPrefix(#"{"class":"ERROR","message":"#) == true }

    @Test(arguments: [#"?WATCH={""#, "?WATCH={", "?", "x"])
    func `a command that never ends is answered with an error and ends the connection`(start: String) throws {
        let standIn = try byHand(RecordedText.positions(1))
        let client = try SocketClient.greeted(standIn.port)
        client.send(start + String(repeating: "x", count: 12_000))
        #expect(isError(client.line()))
        #expect(client.rest() == [])
        #expect(client.ending != nil)
        #expect(standIn.wait { $0.clients == 0 })
    }

    @Test func `a command of 8,192 bytes is answered, and so is the next one`() throws {
        let standIn = try byHand(RecordedText.positions(1))
        let client = try SocketClient.greeted(standIn.port)
        client.send("?" + String(repeating: "x", count: 8190) + ";?VERSION;")
        #expect(isError(client.line()))
        #expect(client.line() == RecordedText.version)
    }

    @Test func `the latest commands are kept and all are counted`() throws {
        let standIn = try byHand(RecordedText.positions(1))
        let client = try SocketClient(standIn.port)
        client.send((0..<500).map { "?X\($0);" }.joined())
        #expect(client.lines(501).count == 501)
        #expect(standIn.wait { $0.requestCount == 500 })
        #expect(standIn.progress.requests.map(\.text) == (436..<500).map { "?X\($0);" })
    }

    @Test func `a client beyond the limit receives an error and a clean end, and is counted`() throws {
        let standIn = try byHand(RecordedText.positions(1)) { $0.clientLimit = 2 }
        var clients = [try SocketClient(standIn.port), try SocketClient(standIn.port)]
        #expect(clients.map { $0.line() } == [RecordedText.version, RecordedText.version])
        let third = try SocketClient(standIn.port)
        #expect(isError(third.line()))
        #expect(third.rest() == [])
        #expect(third.ending == 0)
        #expect(standIn.wait { $0.refused == 1 })
        clients.removeFirst()
        #expect(standIn.wait { $0.clients == 1 })
        #expect(try SocketClient(standIn.port).line() == RecordedText.version)
    }

    @Test func `a client without valid commands is disconnected after a while unless it watches`() throws {
        let standIn = try byHand(RecordedText.positions(1)) { $0.idleLimit = .seconds(3) }
        let watcher = try SocketClient.watching(standIn.port)
        let silent = try SocketClient(standIn.port)
        let babbling = try SocketClient(standIn.port)
        babbling.send("hello\n")
        for client in [silent, babbling] {
            #expect(client.line() == RecordedText.version)
            #expect(client.rest() == [] && client.ending == 0)
        }
        #expect(standIn.wait { $0.timedOut == 2 && $0.clients == 1 })
        standIn.sendRest()
        #expect(watcher.line() == RecordedText.position(0))
    }

    @Test(arguments: [(clients: 1, cutOff: 1), (8, 2)])
    func `clients that send requests without reading are cut off, alone or together, and delay no others`(
        count: Int, cutOff: Int
    ) throws {
        // An answer of 8 kB fills the buffers of the system with few requests.
        let version = RecordedText.version.replacing(
            #""rev":"3.22"#, with: #""rev":"\#(String(repeating: "x", count: 8000))"#)
        let recording = [version, RecordedText.devices, RecordedText.position(0)].joined(separator: "\n") + "\n"
        let standIn = try byHand(recording: recording) {
            if count == 1 { $0.backlog = 200_000 } else { $0.totalBacklog = 600_000 }
        }
        let other = try SocketClient.watching(standIn.port)
        let floods = try (0..<count).map { _ in try SocketClient(standIn.port, receiveBuffer: 4096) }
        let requests = String(repeating: "?VERSION;", count: 100)
        var rounds = 0
        while standIn.progress.cutOff < cutOff, rounds < 20_000 {
            floods[rounds % count].send(requests)
            rounds += 1
        }
        #expect(standIn.wait { $0.cutOff >= cutOff })
        standIn.sendRest()
        #expect(other.line() == RecordedText.position(0))
    }

    @Test func `a live session lists no more devices than a list holds, and passes on the reports of the others`()
        throws
    {
        let standIn = try byHand()
        let report = { (number: Int) in #"{"class":"TPV","device":"d\#(number)","mode":1}"# }
        // Devices of which nothing was heard are listed at the least cost.
        standIn.relay(Array((0..<10_010).map { #"{"class":"DEVICE","path":"d\#($0)"}"# + "\n" }.joined().utf8))
        let client = try SocketClient.watching(standIn.port)
        standIn.relay(Array((report(10_020) + "\n" + report(7) + "\n").utf8))
        #expect(client.lines(2) == [report(10_020), report(7)], "neither is announced as a new device")
    }

    @Test func `a recording of many receivers is read at a constant cost for each`() throws {
        let lines = (0..<20_000).map { #"{"class":"TPV","device":"d\#($0)","mode":1}"# }.joined(separator: "\n")
        var count = 0
        let time = try threadTime { count = try StandInRecording(lines).lines.count }
        #expect(count == 20_000 && time < .seconds(10), "walking over lists takes minutes")
    }

    @Test func `a recording of endless short lines is not played from memory`() throws {
        // A line that is not a report would cost a backtrace of its error, which Swift Testing records.
        let line = #"{"class":"x"}"# + "\n"
        let recording = Array(String(repeating: line, count: 1_200_000).utf8)
        let cause = "it has too many short lines to be played from memory"
        #expect(throws: LocationError.damaged(path: "recording", cause: cause)) { try StandInRecording(recording) }
    }
}
