import Foundation
import LocationCore
import GPSDProtocol
import TestSupport
import Testing

struct RecordingWriterTests {
    private let lines = [
        (greeting, 0), (watching, 120), (tpv(0), 1_000_017), (tpv(1), 2_000_040), (tpv(1, mode: 1), 2_000_040),
        (tpv(3), 4_123_456), (tpv(4) + "\r", 5_000_000), ("{\"class\":\"TPV\",\"mo", 6_000_000), (tpv(6), 7_000_001),
    ]

    @Test func `a recording gives the updates of the live session at the same moments`() {
        var live = GPSDStream()
        var writer = RecordingWriter()
        var told: [LocationUpdate] = []
        var recording = writer.header(source: "gpsd://localhost:2947", version: "1.0", at: moment(0))
        for (line, micros) in lines {
            let arrival = moment(micros)
            told += live.updates(of: (line + "\n").utf8, arrival: arrival)
            recording += writer.record(Array(line.utf8), at: arrival)
        }
        let replayed = read(recording)
        #expect(replayed.count { $0.event.isNotice } == 1)
        #expect(replayed.filter { !$0.event.isNotice } == told.filter { !$0.event.isNotice })
        #expect(told.count == 10)
    }

    @Test func `a recording contains gpsd's lines byte for byte, with JSON marks between them`() throws {
        let odd: [[UInt8]] = [
            Array(greeting.utf8) + [0x0D],
            Array("{\"class\":\"X\",\"bytes\":\"".utf8) + [0xFF, 0xFE] + Array("\"}".utf8),
            Array("  {\"class\" : \"AIS\"}  ".utf8), Array("$GPGGA*47".utf8), [],
        ]
        var writer = RecordingWriter()
        var recording = writer.header(source: "a \"source\"\n", version: "1.0", at: moment(0))
        for (index, line) in odd.enumerated() { recording += writer.record(line, at: moment(index * 1000)) }
        var kept: [[UInt8]] = []
        var marks = 0
        for line in recording.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
            if line.starts(with: Array(#"{"class":"LOCWATCH","#.utf8)) {
                let object = try JSONSerialization.jsonObject(with: Data(line))
                #expect((object as? [String: Any])?["class"] as? String == "LOCWATCH")
                marks += 1
            } else {
                kept.append(Array(line))
            }
        }
        #expect(kept == odd.map { $0.last == 0x0D ? $0 : $0 + [0x0D] })
        #expect(marks == 1 + odd.count)
    }

    /// gpsd's own library gives no report for lines that end with only a newline, and gpscsv fails.
    @Test func `gpsd's own gpscsv reads a recording`() throws {
        var writer = RecordingWriter()
        var recording = writer.header(source: "s", version: "1", at: moment(0))
        for second in 0..<3 { recording += writer.record(tpv(second).utf8, at: moment(second * 1_000_000)) }
        let scratch = try Scratch()
        let path = try scratch.write(recording, to: "recording.json")
        let table = try Tool("gpscsv", ["--file", path, "--fields", "time,lat,lon,eph"]).output
        let rows = (0..<3).map { "2026-11-20T09:00:0\($0).000Z,52.5,13.3,4.5" }
        #expect(table.split(separator: "\n").map(String.init) == ["time,lat,lon,eph"] + rows)
    }

    @Test func `the header contains the format, the program's version, the source and the beginning`() {
        var writer = RecordingWriter()
        #expect(
            text(writer.header(source: "/dev/\"ttyACM0\"", version: "1.2", at: moment(2_500_000))) == #"""
                {"class":"LOCWATCH","format":1,"version":"1.2","source":"/dev/\"ttyACM0\"",\#
                "started":"2026-11-20T09:00:00.250Z"}\#r\#n
                """#)
    }

    @Test func `time is marked only if it has passed, and marks of a replayed recording are not copied`() {
        var writer = RecordingWriter()
        _ = writer.header(source: "s", version: "1", at: moment(0))
        let mark = #"{"class":"LOCWATCH","format":1,"started":"2020-01-01T00:00:00Z"}"#
        for (line, micros, expected) in [
            // A moment before the beginning is recorded as the beginning.
            ("{}", -123_456, "{\"class\":\"LOCWATCH\",\"at\":0.000000}\r\n{}\r\n"),
            ("{}", 5, "{\"class\":\"LOCWATCH\",\"at\":0.000005}\r\n{}\r\n"), ("{}\n", 5, "{}\n"), (mark, 7, ""),
            ("{}", 61_000_000, "{\"class\":\"LOCWATCH\",\"at\":61.000000}\r\n{}\r\n"),
        ] {
            #expect(text(writer.record(line.utf8, at: moment(micros))) == expected)
        }
    }

    @Test func `a mark records that the host's clock was set, but not a small drift`() {
        var writer = RecordingWriter()
        var recording = writer.header(source: "s", version: "1", at: moment(0))
        var drifted = moment(1_000_000)
        drifted.wall = drifted.wall.advanced(by: .milliseconds(99))
        recording += writer.record(Array(tpv(1).utf8), at: drifted)
        #expect(!text(recording.split(separator: 10)[1...].joined()).contains("started"))
        var set = moment(2_000_000)
        set.wall = set.wall.advanced(by: .seconds(-86_400))
        recording += writer.record(Array(tpv(2).utf8), at: set)
        set.wall = set.wall.advanced(by: .seconds(7200))
        recording += writer.record(Array(tpv(3).utf8), at: set)
        let moments = read(recording).compactMap { update in update.location.map { update.moment.arrival(of: $0) } }
        #expect(
            moments == [
                moment(1_000_000), Moment(elapsed: .seconds(2), wall: beginning.advanced(by: .seconds(-86_398))), set,
            ])
    }

    @Test func `a recording without its header keeps its times`() {
        var writer = RecordingWriter()
        let recording = writer.record(Array(tpv(1).utf8), at: moment(3_000_000))
        #expect(read(recording).map(\.moment).allSatisfy { $0 == moment(3_000_000) })
        #expect(read(recording).locations.count == 1)
    }

    @Test func `the second of two recordings in one file continues after the first`() {
        var recording: [UInt8] = []
        for start in [0, 100_000_000] {
            var writer = RecordingWriter()
            let begun = Moment(elapsed: .zero, wall: moment(start).wall)
            recording += writer.header(source: "s", version: "1", at: begun)
            for second in 0..<3 {
                let line = Array(tpv(start / 1_000_000 + second).utf8)
                recording += writer.record(line, at: begun.advanced(by: .seconds(second)))
            }
        }
        let moments = read(recording).compactMap { update in update.location.map { update.moment.arrival(of: $0) } }
        #expect(moments == [0, 1, 2, 100, 101, 102].map { moment($0 * 1_000_000) })
    }

    private let beginning = time("09:00:00.25")

    private func moment(_ micros: Int) -> Moment { .after(.microseconds(micros), from: beginning) }

    private func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
}

extension LocationEvent {
    var isNotice: Bool { if case .notice = self { true } else { false } }
    var isLocation: Bool { if case .location = self { true } else { false } }
}
