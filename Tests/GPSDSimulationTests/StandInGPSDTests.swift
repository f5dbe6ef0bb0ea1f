import GPSDSimulation
import Glibc
import LocationCore
import GPSDProtocol
import TestSupport
import Testing

/// Returns a stand-in that advances by hand, so that no test waits for time to pass.
func byHand(
    _ reports: [String], faults: [StandInFault] = [], _ change: (inout StandInGPSD.Settings) -> Void = { _ in }
) throws -> StandInGPSD {
    try byHand(recording: RecordedText.session(reports)) {
        $0.faults = faults
        change(&$0)
    }
}

/// Returns a stand-in that plays the text of a recording by hand.
func byHand(recording: String, _ change: (inout StandInGPSD.Settings) -> Void = { _ in }) throws -> StandInGPSD {
    try byHand(StandInRecording(recording), change)
}

/// Returns a stand-in that plays a session by hand, by default one to which lines are relayed.
func byHand(
    _ session: StandInRecording = StandInRecording(), _ change: (inout StandInGPSD.Settings) -> Void = { _ in }
) throws -> StandInGPSD {
    var settings = StandInGPSD.Settings()
    settings.advance = .byHand
    change(&settings)
    return try StandInGPSD(
        session, settings: settings, now: { Timestamp(nanosecondsSince1970: 1_800_000_000_123_456_789) })
}

/// Returns a stand-in with a simulated receiver on a manual clock.
func stepped(
    _ script: String = "", _ receiver: ReceiverScenario = .standstill,
    _ change: (inout StandInGPSD.Settings) -> Void = { _ in }
) throws -> StandInGPSD {
    var settings = StandInGPSD.Settings()
    settings.clock = .manual
    settings.script = try StandInScript(script)
    change(&settings)
    return try StandInGPSD(StandInRecording(receiver), settings: settings)
}

/// Returns a stand-in that plays the text of a recording at a pace.
func paced(
    _ pace: ReplayPace, _ recording: String, _ change: (inout StandInGPSD.Settings) -> Void = { _ in }
) throws -> StandInGPSD {
    var settings = StandInGPSD.Settings()
    settings.advance = .paced(pace)
    change(&settings)
    return try StandInGPSD(StandInRecording(recording), settings: settings)
}

struct StandInGPSDTests {
    @Test(arguments: [false, true]) func `a stand-in listens on loopback in IPv4 and IPv6 at the same port`(ipv6: Bool)
        throws
    {
        let standIn = try byHand(RecordedText.positions(1))
        #expect(try SocketClient(standIn.port, ipv6: ipv6).line() == RecordedText.version)
    }

    @Test func `a stand-in with an address listens only there`() throws {
        let standIn = try byHand(RecordedText.positions(1)) { $0.address = "127.0.0.1" }
        #expect(try SocketClient(standIn.port).line() == RecordedText.version)
        #expect(throws: SocketClient.Refused.self) { try SocketClient(standIn.port, ipv6: true) }
    }

    @Test func `two stand-ins cannot have the same port`() throws {
        let first = try byHand(RecordedText.positions(1))
        #expect(throws: (any Error).self) { try byHand(RecordedText.positions(1)) { $0.port = first.port } }
    }

    @Test func `a client that watches receives the recorded lines byte for byte`() throws {
        let lines =
            RecordedText.positions(3) + [
                #"{"class":"ERROR","message":"not "quoted" well"}"#, #"{"class":"NEW","x":1}"#,
            ]
        let standIn = try byHand(lines)
        let client = try SocketClient.watching(standIn.port)
        standIn.sendRest()
        let sent = lines.map { $0 + "\r\n" }.joined()
        #expect(String(decoding: client.bytes(sent.utf8.count), as: UTF8.self) == sent)
    }

    @Test func `a line goes to every client that watches at the time`() throws {
        let lines = RecordedText.positions(3)
        let standIn = try byHand(lines)
        let first = try SocketClient.watching(standIn.port)
        standIn.send(lines: 1)
        let second = try SocketClient.watching(standIn.port)
        standIn.send(lines: 2)
        #expect(first.lines(3) == lines)
        #expect(second.lines(2) == Array(lines[1...]))
    }

    @Test func `locwatch's marks and time stamps are not sent`() throws {
        let lines = RecordedText.positions(2)
        let recording =
            #"{"class":"LOCWATCH","format":1,"version":"0.1.0","source":"gpsd","started":"2026-03-01T08:00:00.000Z"}"#
            + "\n" + lines[0] + "\n" + #"{"class":"LOCWATCH","at":1.000000}"# + "\n2026-03-01 08:00:01.000000: "
            + lines[1] + "\n"
        let standIn = try byHand(recording: recording)
        let client = try SocketClient.watching(standIn.port)
        standIn.sendRest()
        #expect(client.lines(2) == lines)
        #expect(client.isQuiet)
        #expect(standIn.progress.linesPlayed == 2)
    }

    @Test func `a client that stops watching receives no lines until it watches again`() throws {
        let lines = RecordedText.positions(3)
        let standIn = try byHand(lines)
        let client = try SocketClient.watching(standIn.port)
        client.send(#"?WATCH={"enable":false};"#)
        #expect(client.lines(2).last?.hasPrefix(#"{"class":"WATCH","enable":false,"#) == true)
        standIn.send(lines: 2)
        client.send(#"?WATCH={"enable":true};"#)
        _ = client.lines(2)
        standIn.sendRest()
        #expect(client.line() == lines[2])
    }

    @Test func `stopping ends every connection at once, even a stalled one`() throws {
        for _ in 0..<3 {
            let standIn = try byHand(RecordedText.positions(2), faults: [.stall(.within(line: 1, byte: 9))])
            let client = try SocketClient.watching(standIn.port)
            standIn.sendRest()
            #expect(client.bytes(9).count == 9)
            // A stall has no end, and neither has a stop that waits for it.
            #expect(ContinuousClock().measure { standIn.stop() } < .seconds(30))
            #expect(client.rest() == [])
            #expect(client.ending == 0)
            #expect(throws: SocketClient.Refused.self) { try SocketClient(standIn.port) }
        }
    }

    @Test func `a client that does not read is cut off and does not delay the others`() throws {
        let line = #"{"class":"LONG","text":"\#(String(repeating: "x", count: 50_000))"}"#
        let standIn = try byHand([line]) {
            $0.loops = true
            $0.backlog = 200_000
        }
        let slow = try SocketClient.watching(standIn.port, receiveBuffer: 4096)
        let quick = try SocketClient.watching(standIn.port)
        var sent = 0
        while standIn.progress.cutOff == 0, sent < 1000 {
            standIn.send(lines: 2)
            sent += 2
            #expect(quick.lines(2) == [line, line])
        }
        #expect(standIn.progress.cutOff == 1)
        #expect(standIn.progress.watchers == 1)
        #expect(slow.rest().count < sent * line.utf8.count)
        #expect(slow.ending != nil)
    }
}
