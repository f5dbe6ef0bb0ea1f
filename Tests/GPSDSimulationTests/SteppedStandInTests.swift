import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform
import TestSupport
import Testing

@testable import GPSDSimulation

/// A stand-in with a simulated receiver on a manual clock, and a client that watches it.
struct SteppedStandInTests {
    /// Returns the positions that a client receives in a number of seconds.
    private static func reports(
        _ seconds: Int, _ script: String = "", _ receiver: ReceiverScenario = .standstill
    ) throws -> [String] {
        let standIn = try stepped(script, receiver)
        let client = try SocketClient.watching(standIn.port)
        try standIn.perform("step \(seconds)s")
        standIn.stop()
        return String(decoding: client.rest(), as: UTF8.self).split(separator: "\r\n").map(String.init)
    }

    private static func positions(_ lines: [String]) -> [String] { lines.filter { $0.hasPrefix(#"{"class":"TPV""#) } }

    private static func number(_ key: String, in line: String) -> Double? {
        ReportMembers(Array(line.utf8)[...])?.number(key)
    }

    @Test func `without a step no time passes, and a step gives the reports of its duration`() throws {
        let standIn = try stepped()
        let client = try SocketClient.watching(standIn.port)
        #expect(try standIn.perform("status").hasPrefix(#"{"ok":true,"time":0,"#))
        #expect(client.isQuiet)
        #expect(try standIn.perform("step 2s") == #"{"ok":true,"time":2}"#)
        let lines = client.lines(6)
        #expect(lines[0].hasPrefix(#"{"class":"SKY""#) && lines[1].contains(#""time":"2026-01-01T00:00:00.000Z""#))
        #expect(lines[5].contains(#""time":"2026-01-01T00:00:02.000Z""#))
        #expect(client.isQuiet)
    }

    @Test func `the same script and seed give the same bytes`() throws {
        let script = "fault garbage=9/3s~5\nfault cut/7s\nat 4s lose\nat 9s restore\nat 12s jump 3km\nfault partial@15s"
        let first = try Self.reports(30, script, .drive)
        #expect(try first == Self.reports(30, script, .drive))
        #expect(try first != Self.reports(30, script.replacing("~5", with: "~6"), .drive))
        #expect(first.count > 150)
    }

    @Test func `the bytes do not depend on how far the thread gets in one turn`() throws {
        let script = try StandInScript(
            "fault garbage=20@1s/2s~7\nfault delay=500ms@4s\nfault slow=1999@4500ms\nfault partial@1s\nfault hangup@7s")
        /// Returns what a client receives in ten seconds with turns of a duration.
        func bytes(turn: Duration) throws -> [UInt8] {
            var settings = StandInGPSD.Settings()
            (settings.clock, settings.script) = (.manual, script)
            let server = try StandInServer(
                session: StandInRecording(.drive), settings: settings,
                mailbox: StandInServer.Mailbox(StandInGPSD.Progress()), now: { Timestamp(secondsSince1970: 1.8e9) })
            server.turn = turn
            var ends: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            var client = StandInClient(number: 1, socket: ends[0], at: .zero)
            (client.policy.isEnabled, client.policy.json) = (true, true)
            server.clients.append(client)
            defer {
                for client in server.clients { client.close(reset: false) }
                close(ends[1])
            }
            var received: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            for _ in 0..<10 {
                _ = server.time.step(by: .seconds(1))
                repeat {
                    server.playWhatIsDue()
                    server.flush()
                    let count = recv(ends[1], &buffer, buffer.count, Int32(MSG_DONTWAIT))
                    received += buffer.prefix(max(0, count))
                } while !server.hasCaughtUp
            }
            return received
        }
        let whole = try bytes(turn: .seconds(3600))
        #expect(whole.count > 20_000)
        #expect(try bytes(turn: .zero) == whole)
    }

    @Test func `a decoder reads every report, with the satellites that are used`() throws {
        var decoder = ReportDecoder()
        var kinds: Set<String> = []
        for line in try Self.reports(20, "", .coldStart) {
            switch try decoder.decode(line) {
            case .tpv(let report):
                kinds.insert("TPV \(report.mode)")
                #expect((report.position != nil) == (report.mode >= 2))
            case .sky(let report):
                kinds.insert("SKY")
                #expect(report.satellites?.count(where: { $0.isUsed }) == report.uSat)
            default: break
            }
        }
        #expect(kinds.isSuperset(of: ["TPV 1", "TPV 2", "SKY"]), "\(kinds)")
    }

    @Test(arguments: 0..<48)
    func `a sky has no more satellites than cgps 3.22 can show in a window of 24 lines`(halfHour: Int) throws {
        var reports = SimulatedReports(.standstill, seed: UInt64(halfHour % 5))
        reports.start(
            at: Timestamp(nanosecondsSince1970: 1_767_225_600_000_000_000).advanced(by: .seconds(1800 * halfHour)))
        let sky = String(decoding: reports.next().bytes, as: UTF8.self)
        #expect(8...30 ~= Self.number("nSat", in: sky) ?? 0, "\(sky)")
    }

    @Test func `a lost fix is one without a position and satellites in use, until it is restored`() throws {
        let lines = try Self.reports(6, "at 2s lose\nat 4s restore")
        let modes = Self.positions(lines).map { Self.number("mode", in: $0) }
        #expect(modes == [3, 3, 1, 1, 3, 3, 3])
        #expect(Self.positions(lines)[2].contains(#""lat""#) == false)
        let sky = lines.filter { $0.hasPrefix(#"{"class":"SKY""#) }
        #expect(sky[2].contains(#""uSat":0"#) && !sky[2].contains(#""used":true"#))
        #expect(sky[4].contains(#""used":true"#))
    }

    @Test func `a position jumps eastwards by metres, moves to a place, and goes on from there`() throws {
        let lines = try Self.positions(Self.reports(4, "at 2s jump 3km\nat 4s move -33.86,151.21"))
        let places = lines.compactMap { line in
            Self.number("lat", in: line).flatMap { latitude in
                Self.number("lon", in: line).flatMap { Coordinate(checking: latitude, $0) }
            }
        }
        try #require(places.count == 5)
        #expect(abs(places[1].distance(to: places[2]) - 3000) < 10)
        #expect(places[2].distance(to: places[3]) < 2)
        #expect(places[4].distance(to: try #require(Coordinate(checking: -33.86, 151.21))) < 2)
    }

    @Test func `an unplugged receiver is closed and silent, and is opened again`() throws {
        let lines = try Self.reports(6, "fault unplug=3s@1500ms")
        let devices = lines.filter { $0.hasPrefix(#"{"class":"DEVICE""#) }
        #expect(devices.count == 2 && devices[0].contains(#""activated":0"#) && devices[1].contains("NMEA0183"))
        #expect(Self.positions(lines).count == 4)
    }

    @Test func `a restart closes the connections, refuses new ones, and ends after its time`() throws {
        let standIn = try stepped("fault restart=5s@2s")
        let client = try SocketClient.watching(standIn.port)
        try standIn.perform("step 3s")
        #expect(client.rest().count > 100)
        #expect(client.ending == 0)
        #expect(throws: SocketClient.Refused.self) { try SocketClient(standIn.port) }
        try standIn.perform("step 4s")
        #expect(try SocketClient(standIn.port).line()?.contains("VERSION") == true)
    }

    @Test func `a silence loses what was sent in it, and the connection stays`() throws {
        let standIn = try stepped("fault silence=3s@1500ms")
        let client = try SocketClient.watching(standIn.port)
        try standIn.perform("step 4s")
        client.send("?VERSION;")
        #expect(standIn.wait { $0.requestCount == 2 })
        _ = client.lines(4)
        #expect(client.isQuiet)
        try standIn.perform("step 2s")
        let rest = client.lines(3)
        #expect(rest[0].contains("VERSION"))
        #expect(rest[2].contains(#""time":"2026-01-01T00:00:05.000Z""#))
    }

    @Test func `each fault of a line has its effect`() throws {
        let plain = try Self.reports(1)
        let cut = try Self.reports(1, "fault cut=20")
        #expect(cut[0].hasPrefix(String(plain[0].prefix(20)) + #"{"class":"TPV""#), "\(cut[0].prefix(60))")
        #expect(try Self.reports(1, "fault long=100")[0].utf8.count == 100)
        let partial = Self.positions(try Self.reports(1, "fault partial"))
        #expect(partial.map { Self.number("mode", in: $0) } == [2, 3, 2, 3])
        #expect(Self.number("eph", in: partial[0]) == nil && Self.number("lat", in: partial[0]) != nil)
    }

    @Test func `a delayed line arrives when its time has come`() throws {
        let standIn = try stepped("fault delay=2s")
        let client = try SocketClient.watching(standIn.port)
        try standIn.perform("step 1999ms")
        #expect(client.isQuiet)
        try standIn.perform("step 1ms")
        #expect(client.lines(2).count == 2)
        #expect(client.isQuiet)
    }

    @Test func `the status names every lasting fault`() throws {
        let names = [
            "lose", "silence", "refuse", "unplug", "delay=1s", "version", "partial", "slow", "devices", "close", "mute",
        ]
        let others = ["ssh", "http", "deny"]
        let standIn = try stepped((names + others).map { "fault \($0)\n" }.joined())
        let status = try standIn.perform("status")
        for name in names + others { #expect(status.contains("\"\(name.prefix { $0 != "=" })\""), "\(name) \(status)") }
        try standIn.perform("clear")
        #expect(try !standIn.perform("status").contains("faults"))
    }

    @Test func `a greeting can name another release, and clear ends every fault`() throws {
        let standIn = try stepped("fault version=3.99\nfault deny\nrefuse")
        #expect(throws: SocketClient.Refused.self) { try SocketClient(standIn.port) }
        try standIn.perform("accept")
        let client = try SocketClient(standIn.port)
        #expect(client.line()?.contains(#""release":"3.99","rev":"3.99""#) == true)
        client.send(#"?WATCH={"enable":true};"#)
        #expect(client.line()?.contains("ERROR") == true)
        try standIn.perform("clear")
        client.send("?VERSION;")
        #expect(client.line()?.contains(#""release":"3.22""#) == true)
    }

    @Test func `a step does not wait for a client that reads nothing, which is cut off`() throws {
        let standIn = try stepped("fault long=1000000/1s")
        let slow = try SocketClient.watching(standIn.port, receiveBuffer: 4096)
        #expect(try standIn.perform("step 20s") == #"{"ok":true,"time":20}"#)
        #expect(standIn.progress.cutOff == 1)
        #expect(slow.rest().count > 0)
    }

    @Test func `a wait that fails names what is missing and the step at which the script stands`() async throws {
        let standIn = try stepped("at 2s lose")
        try await standIn.perform("step 3s")
        let error = try await #require(throws: LocationError.self) { try await standIn.perform("wait clients 2 10ms") }
        #expect(error.description.contains("wait clients 2 10ms: 0 clients watch at the time limit"), "\(error)")
        #expect(error.description.contains("at 3 s, after line 1: at 2s lose"), "\(error)")
        #expect(standIn.progress.step == "line 1: at 2s lose" && standIn.progress.time == .seconds(3))
        let other = try await #require(throws: LocationError.self) { try await standIn.perform("jmp 3") }
        #expect(other.description.contains("unknown word"), "\(other)")
    }

    @Test func `a recording takes the same script, and its sentences do not contradict it`() throws {
        let script = try StandInScript("lose")
        let standIn = try byHand(RecordedText.positions(3)) { $0.script = script }
        let client = try SocketClient.watching(standIn.port)
        standIn.sendRest()
        #expect(client.lines(3).count { $0.contains(#""mode":1"#) && !$0.contains(#""lat""#) } == 3)
    }

    @Test func `a serial line gives NMEA, hangs up with the receiver, and is removed at the end`() throws {
        let folder = try Scratch()
        let path = folder.path("gps")
        let standIn = try stepped("fault unplug=5s@10s") { $0.terminal = path }
        let reader = open(path, O_RDONLY | O_NOCTTY)
        defer { close(reader) }
        try #require(reader >= 0)
        try standIn.perform("step 2s")
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var text = ""
        while !text.contains("GGA,000002"), PollSet.wait(for: reader, within: .seconds(60)),
            case let count = read(reader, &bytes, bytes.count), count > 0
        {
            text += String(decoding: bytes.prefix(count), as: UTF8.self)
        }
        #expect(text.contains("GGA,000000") && text.contains("GGA,000002"), "\(text.prefix(200))")
        // Without a reader time passes too.
        try standIn.perform("step 9s")
        #expect(access(path, F_OK) != 0)
        try standIn.perform("step 2m")
        #expect(access(path, F_OK) == 0)
        standIn.stop()
        #expect(access(path, F_OK) != 0)
    }
}
