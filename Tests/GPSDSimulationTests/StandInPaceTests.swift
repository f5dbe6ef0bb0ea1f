import LocationCore
import GPSDProtocol
import LocwatchSupport
import TestSupport
import Testing

@testable import GPSDSimulation

struct StandInPaceTests {
    @Test func `nothing is played before a client watches`() throws {
        let standIn = try paced(.max, RecordedText.session(RecordedText.positions(2)))
        let client = try SocketClient(standIn.port)
        client.send("?VERSION;?DEVICES;")
        #expect(client.lines(3).count == 3)
        #expect(standIn.progress.linesPlayed == 0)
        client.send(#"?WATCH={"enable":true,"json":true};"#)
        #expect(client.lines(4).suffix(2) == RecordedText.positions(2))
    }

    @Test func `all lines arrive at the maximum pace, as fast as the client reads`() throws {
        // One round holds more than the buffers of the sockets, of which one is small, and would exceed the backlog.
        let text = String(repeating: "x", count: 60_000)
        let lines = (0..<120).map { #"{"class":"LONG","number":\#($0),"text":"\#(text)"}"# }
        let standIn = try paced(.max, RecordedText.session(lines)) { $0.backlog = 1_000_000 }
        let client = try SocketClient.watching(standIn.port, receiveBuffer: 65_536)
        #expect(client.lines(120) == lines)
        #expect(client.isQuiet)
        #expect(standIn.wait { $0.rounds == 1 && $0.clients == 1 && $0.cutOff == 0 })
    }

    /// Returns the times at which the lines of a recording are due, from its beginning on.
    private func dues(_ rate: Double, _ recording: String) throws -> [Duration] {
        var settings = StandInGPSD.Settings()
        settings.advance = .paced(.times(rate))
        var cursor = PlaybackCursor(try StandInRecording(recording), settings: settings)
        let (start, wall) = (Duration.seconds(7), Timestamp(secondsSince1970: 1_800_000_000))
        cursor.begin(at: start, wall: wall)
        var dues: [Duration] = []
        while let due = cursor.due, let (line, _) = cursor.next(at: start, wall: wall) {
            if line.isSent { dues.append(due - start) }
        }
        return dues
    }

    @Test(arguments: [1.0, 4, 0.5])
    func `lines are due at the recorded intervals divided by the pace`(rate: Double) throws {
        let stamped = [(0, "00.000000"), (1, "00.100000"), (2, "00.250000")].map { second, fraction in
            "2026-03-01 08:00:\(fraction): \(RecordedText.position(second))\n"
        }
        #expect(try dues(rate, stamped.joined()) == [0, 100, 250].map { .milliseconds($0) / rate })
    }

    @Test func `the reports' own times determine the pace without time stamps`() throws {
        let session = RecordedText.session(RecordedText.positions(5))
        #expect(try dues(20, session) == (0..<5).map { .milliseconds(50 * $0) })
    }

    @Test func `a line arrives when it is due, and not before`() throws {
        let standIn = try paced(.times(20), RecordedText.session(RecordedText.positions(5)))
        // The first line is due when the client watches, so that the time begins before: the client can read it late.
        let start = ContinuousClock.now
        #expect(try SocketClient.watching(standIn.port).lines(5).count == 5)
        #expect(.now - start > .milliseconds(180))
    }

    @Test func `each round of a loop is redated to the time at which it begins`() throws {
        let now = Lock(Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000))
        let clock: @Sendable () -> Timestamp = { now.withLock { $0 } }
        var settings = StandInGPSD.Settings()
        settings.advance = .byHand
        settings.loops = true
        settings.redates = true
        let session = try StandInRecording(RecordedText.session(RecordedText.positions(2)))
        let standIn = try StandInGPSD(session, settings: settings, now: clock)
        let client = try SocketClient.watching(standIn.port)
        standIn.send(lines: 2)
        now.withLock { $0 = $0.advanced(by: .seconds(2)) }
        standIn.send(lines: 2)
        let times = client.lines(4).map { $0.split(separator: "\"time\":\"")[1].prefix(24) }
        #expect(
            times == [
                "2027-01-15T08:00:00.000Z", "2027-01-15T08:00:01.000Z", "2027-01-15T08:00:02.000Z",
                "2027-01-15T08:00:03.000Z",
            ])
    }

    @Test func `a redated device shows the time at which its last line was played`() throws {
        let standIn = try byHand(RecordedText.positions(2)) { $0.redates = true }
        let client = try SocketClient.watching(standIn.port)
        standIn.send(lines: 2)
        _ = client.lines(2)
        client.send("?DEVICES;")
        #expect(
            client.line()
                == RecordedText.devices.replacing("2026-03-01T08:00:00.250Z", with: "2027-01-15T08:00:00.123Z"))
    }

    @Test func `a loop with nothing to wait for can be stopped`() throws {
        let standIn = try paced(.max, RecordedText.session([RecordedText.position(0)])) { $0.loops = true }
        let client = try SocketClient.watching(standIn.port, #"?WATCH={"enable":true};"#)
        #expect(standIn.wait { $0.rounds > 1000 })
        // The server plays for 10 ms at a time; without that limit it would never process the request to stop.
        standIn.stop()
        #expect(client.rest() == [])
    }
}

struct StandInRecordingTests {
    @Test(arguments: [
        ("hello\nworld\n", 1, "no JSON object at byte 0, and 2 lines were skipped in all"), ("", 0, "it is empty"),
        // A receiver's log with gpsd's greeting.
        (
            RecordedText.version + "\n$GPGGA,080000.00,4504.4,N,00740.8,E,1,09,1.0,239.0,M,48.0,M,,*68\n", 2,
            "no JSON object at byte 0"
        ),
    ])
    func `a text without reports is not a session`(text: String, line: Int, cause: String) {
        #expect(throws: LocationError.notASession(path: "notes", line: line, cause: cause)) {
            try StandInRecording(Array(text.utf8), name: "notes")
        }
    }
}
