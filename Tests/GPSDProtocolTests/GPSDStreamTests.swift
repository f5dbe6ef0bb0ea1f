import LocationCore
import GPSDProtocol
import LocwatchSupport
import TestSupport
import Testing

@Suite struct GPSDStreamTests {
    private let mixed = """
        \(greeting)\r
        # a comment
        $GPGGA,120000.00,5230.0,N*47

        \(tpv(0))\r
        {"class":"TPV","mode":3,
        not json at all
        \(tpv(1))
        2026-11-20T09:00:02Z 1795166402.047163: \(tpv(2))
        2026-11-20T09:00:03.00002Z: \(tpv(3, mode: 1))
        {"class":"LOCWATCH","format":1,"started":"2026-11-20T10:00:00Z"}
        {"class":"LOCWATCH","at":1.5}
        \(tpv(4))
        {"class":"SKY","device":"/dev/a","nSat":2,"satellites":[{"PRN":1,"ss":30,"used":true},{"PRN":2,"ss":0,"used":false}]}
        \(tpv(5))
        {"class":"TPV","dev
        """

    @Test func `updates that wait for a first time are emitted once the host's time has passed`() {
        var stream = GPSDStream()
        var updates = stream.updates(of: "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":1}\n".utf8)
        #expect(updates.isEmpty && stream.isUndated)
        let moment = Moment(elapsed: .seconds(1), wall: Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000))
        updates += stream.updates(passingTo: moment)
        #expect(stream.isUndated == false)
        #expect(!updates.isEmpty && updates.allSatisfy { $0.moment == moment })
    }

    @Test func `without times of arrival each receiver's positions arrive at their own times`() {
        let reports = ["a", "b"].flatMap { device in
            (0..<3).map {
                #"{"class":"TPV","device":"\#(device)","mode":2,"time":"2026-11-20T09:00:0\#($0)Z","lat":1,"lon":2}"#
            }
        }
        let locations = read(reports.joined(separator: "\n") + "\n").compactMap(\.location)
        #expect(locations.count == 6)
        #expect(locations.allSatisfy { $0.received == $0.timestamp })
    }

    @Test func `a session split at every byte gives the same updates`() {
        let whole = read(mixed)
        #expect(whole.count == 12 && whole.seconds == whole.seconds.sorted())
        for size in 1...67 { #expect(read(mixed, split: size) == whole, "in chunks of \(size) bytes") }
        let bytes = Array(mixed.utf8)
        for cut in 1..<bytes.count {
            var stream = GPSDStream()
            let updates = stream.updates(of: bytes[..<cut]) + stream.updates(of: bytes[cut...]) + stream.lastUpdates()
            #expect(updates == whole, "split at \(cut)")
        }
    }

    @Test func `consecutive skipped lines are reported once, with their number and the first cause`() {
        let updates = read("\(tpv(0))\nfirst\nsecond\n{\"class\":7}\n\(tpv(1))\nthird\n\(tpv(2))\n")
        #expect(
            updates.notices == [
                .linesSkipped(count: 3, cause: "line 2: no JSON object at byte 0"),
                .linesSkipped(count: 1, cause: "line 6: no JSON object at byte 0"),
            ])
        #expect(updates.locations.count == 3)
    }

    @Test(arguments: ["", "2026-11-20 09:17:27.032561: ", "2026-11-20T09:17:27Z 1795166247.047163: "])
    func `sentences of a receiver between the reports are not reported as faults`(stamp: String) {
        let updates = read("\(tpv(0))\n\(stamp)$GPGGA,1*47\r\n\(stamp)!AIVDM,1*22\r\n\(tpv(1))\n")
        #expect(updates == read("\(tpv(0))\n\(tpv(1))\n"))
    }

    @Test(arguments: ["price: 7$", "a$", "2026: x$", "#$", ":$"])
    func `a line that merely contains a dollar sign is not a sentence`(line: String) {
        #expect(read("\(tpv(0))\n\(line)\n").notices.count == 1)
    }

    @Test func `a line that is too long is skipped and reading continues after it`() {
        let long = String(repeating: "x", count: 70_000)
        let updates = read("\(tpv(0))\n\(long)\n\(tpv(1))\n\(long)")
        let cause = "a line of 70000 bytes is too long"
        #expect(
            updates.notices == [
                .linesSkipped(count: 1, cause: "line 2: \(cause)"), .linesSkipped(count: 1, cause: "line 4: \(cause)"),
            ])
        #expect(updates.locations.count == 2)
    }

    @Test(arguments: [
        // Ends of lines, with blank lines.
        "\(tpv(0))\r\n\(tpv(1))\r\n", "\(tpv(0))\n\n\(tpv(1))\n\n", "\(tpv(0))\n \t \n\(tpv(1))\n \t \n",
        "\(tpv(0))\n\r\n\r\n\(tpv(1))\n\r\n\r\n",
        // A last line without its end.
        "\(tpv(0))\n\(tpv(1))", "\(tpv(0))\n\(tpv(1)) ", "\(tpv(0))\n\(tpv(1))\r", "\(tpv(0))\n\(tpv(1)) \r",
        // White space at the end, which is not a torn line.
        "\(tpv(0))\n\(tpv(1))\n\r", "\(tpv(0))\n\(tpv(1))\n  ", "\(tpv(0))\n\(tpv(1))\n\t\r",
    ])
    func `blank lines, carriage returns and white space do not change the updates`(text: String) {
        #expect(read(text) == read("\(tpv(0))\n\(tpv(1))\n"))
    }

    @Test func `a torn last line is reported at the last moment, after the lines skipped before it`() {
        let updates = read("\(tpv(0))\n\(tpv(2))\nbad\n{\"class\":\"TPV\",\"mo")
        #expect(
            updates.notices == [
                .linesSkipped(count: 1, cause: "line 3: no JSON object at byte 0"), .tornEnd(bytes: 18),
            ])
        #expect(updates.seconds.suffix(2) == [2, 2])
    }

    @Test func `updates before the first time get the first time, in the order of the lines`() {
        let updates = read("\(greeting)\nbad\n\(watching)\n\(tpv(7))\n\(tpv(8))\n")
        #expect(
            updates.map(\.event).prefix(3) == [
                .searching(.connected(release: "3.22")),
                .notice(.linesSkipped(count: 1, cause: "line 2: no JSON object at byte 0")),
                .authorization(.authorized),
            ])
        // The first epoch waits for further reports.
        #expect(updates.seconds == [0, 0, 0, 0, 0.3, 1])
        #expect(updates.prefix(4).allSatisfy { $0.moment.wall == time("09:00:07") })
        #expect(updates.last?.moment.wall == time("09:00:08"))
    }

    @Test func `a recording without any time gives all updates at its beginning`() {
        let undated = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"lon":2}"# + "\n"
        let updates = read(greeting + "\n" + String(repeating: undated, count: 400) + "bad\n" + undated)
        #expect(updates.locations.count == 401)
        #expect(updates.notices.count == 1)
        #expect(updates.allSatisfy { $0.moment.elapsed == .zero })
    }

    @Test func `a time after many reports without one starts the recording's clock`() {
        let undated = #"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"lon":2}"# + "\n"
        let updates = read(String(repeating: undated, count: 300) + "\(tpv(0))\n\(tpv(2))\n")
        #expect(updates.locations.count == 302)
        #expect(updates.seconds.suffix(2) == [0.3, 2])
        #expect(updates.last?.moment.wall == time("09:00:02"))
    }

    @Test func `a live session uses arrival times and ignores stamps and marks`() {
        var stream = GPSDStream()
        var updates: [LocationUpdate] = []
        let moments = (1...3).map { Moment(elapsed: .seconds($0 * 10), wall: time("12:00:00")) }
        let chunks = [
            "bad\n2020-01-01 00:00:00: \(tpv(0))\n", #"{"class":"LOCWATCH","at":99}"# + "\n" + tpv(1),
            "\nbad\n{\"class\":\"ERROR\",\"mess",
        ]
        for (chunk, moment) in zip(chunks, moments) { updates += stream.updates(of: chunk.utf8, arrival: moment) }
        updates += stream.lastUpdates(arrival: moments[2])
        #expect(updates.locations.map(\.timestamp) == [time("09:00:00"), time("09:00:01")])
        #expect(updates.locations.allSatisfy { $0.received == time("12:00:00") })
        #expect(updates.seconds == [10, 10, 10.3, 30, 30, 30])
        #expect(updates.notices.last == .tornEnd(bytes: 22))
    }

    @Test func `a stream counts lines and reports and keeps the first fault`() {
        var stream = GPSDStream()
        _ = stream.updates(of: "\n\(tpv(0))\n\u{89}PNG\nHTML\n\(tpv(1))".utf8) + stream.lastUpdates()
        #expect(stream.tally.lines == 5 && stream.tally.reports == 2)
        #expect(stream.tally.firstFault?.line == 3 && stream.tally.firstFault?.cause == "no JSON object at byte 0")
    }

    @Test(arguments: [
        #"{"class":"LOCWATCH","format":1,"started":"2026-11-20T09:00:00Z","at":1e300}"#,
        #"{"class":"LOCWATCH","format":1,"started":"2261-12-31T23:59:59Z","at":1e18}"#,
        #"{"class":"LOCWATCH","format":1,"started":"1678-01-01T00:00:00Z","at":-1e300}"#,
        #"{"class":"LOCWATCH","at":1e308}"#, "9223372036.854775807: {\"class\":\"WATCH\"}",
        #"{"class":"DEVICES","devices":[{"path":"/dev/a","activated":1e300,"cycle":1e300,"bps":9223372036854775807}]}"#,
        #"{"class":"DEVICE","path":"/dev/a","activated":-1e300,"cycle":-1e300,"stopbits":-9223372036854775808}"#,
        #"{"class":"SKY","device":"/dev/a","nSat":-2147483647,"uSat":-1,"satellites":[]}"#,
        #"{"class":"TPV","device":"/dev/a","mode":9223372036854775807,"lat":90,"lon":180,"track":1e308,"magvar":-1e308}"#,
        #"{"class":"TPV","device":"/dev/a","mode":-9223372036854775808,"time":"2261-12-31T23:59:60.999999999Z"}"#,
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"1678-01-01T00:00:00Z","lat":-90,"lon":-180}"#,
    ])
    func `extreme numbers do not stop the session`(line: String) {
        let session = (0..<3).map { "\(line)\n\(tpv($0))\n" }.joined() + line + "\n" + line
        let seconds = read(session).seconds
        #expect(seconds == seconds.sorted())
        #expect(read(session).locations.count { $0.device == "/dev/a" } >= 3)
    }
}

extension GPSDStreamTests {
    @Test func `a line without an end is reported once and takes no memory`() {
        var stream = GPSDStream()
        let moment = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 1))
        let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 60_000)
        let notices = (0..<1000).flatMap { _ in stream.updates(of: chunk, arrival: moment) }.map(\.event)
        #expect(notices == [.notice(.linesSkipped(count: 1, cause: "line 1: it has no end within 1048576 bytes"))])
        let line = "\n{\"class\":\"TPV\",\"mode\":3,\"lat\":1,\"lon\":2}\n"
        let next = stream.updates(of: line.utf8, arrival: moment) + stream.lastUpdates(arrival: moment)
        #expect(next.map(\.event.isLocation) == [true], "the end of the line adds nothing, and the next line is read")
    }

    @Test func `reports before the first time are held up to a megabyte`() {
        var stream = GPSDStream()
        let line = #"{"class":"DEVICE","path":"/dev/a","unknown":""# + String(repeating: "x", count: 60_000) + "\"}\n"
        for _ in 0..<17 { #expect(stream.updates(of: line.utf8).isEmpty) }
        #expect(!stream.updates(of: line.utf8).isEmpty)
    }

    @Test(arguments: [true, false])
    func `the recording of a fleet names the machine of each update`(isFleet: Bool) {
        let lines = [
            #"{"class":"LOCWATCH","format":1,"started":"2026-11-21T12:00:00Z"\#(isFleet ? #","fleet":true"# : "")}"#,
            #"{"class":"LOCWATCH","at":1}"#, #"{"class":"TPV","device":"bus/1","mode":3,"lat":1,"lon":2}"#,
            #"{"class":"TPV","device":"bus/2","mode":1}"#,
        ]
        let updates = read(lines.map { $0 + "\n" }.joined())
        let subjects = updates.filter { $0.event.device != nil }.map(\.subject)
        #expect(Set(subjects) == (isFleet ? ["bus/1", "bus/2"] : [nil]))
        #expect(updates.allSatisfy { $0.event.device != nil || $0.subject == nil })
    }

    @Test(arguments: [#""class":"DEVICES","devices""#, #""class":"SKY","satellites""#, #""class":"POLL","tpv""#])
    func `only the first elements of an endless list are kept`(beginning: String) throws {
        let list = repeatElement("{}", count: 20_000).joined(separator: ",")
        let count =
            switch try decode("{\(beginning):[\(list)]}") {
            case .devices(let report): report.devices.count
            case .sky(let report): report.satellites?.count
            case .poll(let report): report.tpv.count
            default: nil as Int?
            }
        #expect(count == 512)
    }
}

@Suite(.alone) struct GPSDStreamMemoryTests {
    @Test func `a long session takes no more memory than a short one`() throws {
        var stream = GPSDStream()
        var locations = 0
        let chunk = Array((0..<3000).map { tpv($0) + "\ntorn {\n" }.joined().utf8)
        func play(_ bytes: Int) {
            for _ in 0..<(bytes / chunk.count) {
                chunk.withUnsafeBytes { stream.feed($0) }
                while let update = stream.next() { if update.event.isLocation { locations += 1 } }
            }
        }
        play(1_000_000)
        let before = try #require(RunningProcess.own.memory)
        play(6_000_000)
        let after = try #require(RunningProcess.own.memory)
        #expect(after - before < 12_000_000)
        #expect(locations > 30_000)
    }
}
