import Foundation
import GPSDSimulation
import LocationCore
@testable import GPSDProtocol
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// The raw logs of receivers as sessions.
@Suite(.serialized, .withFew) struct RawLogTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Runs a line of the shell to its end.
    private func run(_ line: String) throws { _ = try Tool("sh", ["-c", line]) }

    @Test(arguments: ["zstd -qc", "gzip -c | gzip -c"])
    func `an input that expands beyond all measure ends with an error`(_ program: String) async throws {
        let report = #"{"class":"TPV","mode":1,"time":"2026-11-20T09:00:00.000Z"}"#
        let path = try scratch.write(Array(report.utf8) + [0x0A], to: "a.json")
        // A line of 280 MB, which is skipped; any input may become 268 MB.
        try run("(cat '\(path)'; head -c 280M /dev/zero) | \(program) > '\(path).z'")
        let played = await PlayedLog(.path(path + ".z"))
        #expect(played.damage?.hasPrefix("it expands to more than 24 times its size") == true, "\(played)")
        #expect(played.lines.count == 1)
    }

    @Test func `a log that expands beyond all measure ends with an error, though gpsd makes nothing of it`()
        async throws
    {
        let path = try scratch.write(LogKind.simulated(.walk, seconds: 12), to: "log")
        try run("(cat '\(path)'; head -c 20M /dev/zero) | zstd -qc > '\(path).zst'")
        let played = await PlayedLog(.path(path + ".zst"), floor: 4 << 20)
        #expect(played.damage?.hasPrefix("it expands to more than 24 times its size") == true, "\(played)")
        #expect(played.positions.count >= 10)
    }

    /// Lines of gpsd in a log, which it repeats, and the end of the logs of its own tests.
    @Test(arguments: [
        #"{"class":"POLL","time":"2026-03-01T08:00:00.000Z","active":0,"tpv":[],"gst":[],"sky":[]}"#,
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICE","path":"/dev/stdin","activated":0}"#,
        #"{"class":"ERROR","message":"Unrecognized request '?LOCWATCH-0-1-;'"}"#, "# EOF",
    ])
    func `no line in a log ends it`(line: String) async throws {
        let epochs = ScenarioEncoder(.walk, start: LogKind.start, duration: .seconds(200)).map(\.bytes)
        let log = (epochs.prefix(50) + [Array("\(line)\r\n\(line)\n".utf8)] + epochs.dropFirst(50)).flatMap(\.self)
        let played = await PlayedLog(.path(try scratch.write(log, to: "log.nmea")))
        #expect(played.failure == nil)
        #expect(played.moments.count == 200)
    }

    @Test(arguments: [("GGA,RMC", 10), ("GGA,GSA,GSA,RMC", 10), ("RMC,GGA", 10), ("GGA,GSA", 10), ("GGA", 10)])
    func `the first epoch of a raw log is one position, also from a pipe`(words: String, count: Int) async throws {
        let log = ScenarioEncoder(.walk, start: LogKind.start, duration: .seconds(count)).flatMap { transmission in
            let position = transmission.epoch.reported
            return words.split(separator: ",").flatMap { word -> [UInt8] in
                switch word {
                case "GGA": NMEASentence.gga(position, from: .gps).bytes
                case "RMC": NMEASentence.rmc(position, from: .gps).bytes
                default: NMEASentence(.gps, "GSA") { $0.append("A,3,01,02,03,04,05,06,07,08,,,,,1.6,0.9,1.3") }.bytes
                }
            }
        }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(log))
        try pipe.fileHandleForWriting.close()
        for source in [
            .path(try scratch.write(log, to: "log.nmea")), .descriptor(pipe.fileHandleForReading.fileDescriptor),
        ] as [RecordingSource] {
            let played = await PlayedLog(source)
            #expect(played.moments.count == count, "\(played.lines)")
        }
    }

    @Test func `a date that gpsd has moved by 1,024 weeks is moved back, with one notice`() async throws {
        let start = Timestamp(secondsSince1970: 1_428_956_790)
        let log = ScenarioEncoder(.walk, start: start, duration: .seconds(12)).flatMap(\.bytes)
        let played = await PlayedLog(.path(try scratch.write(log, to: "log.nmea")))
        #expect(played.moments.first.map { "\($0.wall)".hasPrefix("2015-04-13T20:26:3") } == true, "\(played.moments)")
        #expect(played.lines.allSatisfy { !$0.contains("\"time\":\"2034") })
        let notices = played.notices.map { "\($0)" }
        #expect(notices.count == 1 && notices[0].contains("moved back by 1,024 weeks"), "\(notices)")
    }

    @Test func `without gpsd the error names its package`() async throws {
        var settings = PrivateGPSD.Settings()
        settings.program = scratch.path("gpsd")
        let path = try scratch.write(LogKind.simulated(.walk, seconds: 2), to: "log.nmea")
        let played = await PlayedLog(.path(path), RawLogDecoder(settings: settings))
        #expect(played.failure == .programMissing(name: "gpsd", package: "gpsd"))
    }

    @Test func `a gpsd that crashes is an error with the position in the log`() throws {
        let pipe = try PrivatePipe()
        defer { close(pipe.readEnd) }
        let log = RawLog(beginning: LogKind.simulated(.walk, seconds: 12), source: pipe.readEnd, isFamiliar: true)
        let stage = try RawLogDecoder().start(log)
        defer { stage.end() }
        var watched = pollfd(fd: stage.output, events: Int16(POLLIN), revents: 0)
        #expect(poll(&watched, 1, 60_000) == 1)
        kill(try #require((stage as? LogStage)?.gpsd?.processID), SIGSEGV)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while poll(&watched, 1, 60_000) == 1, read(stage.output, &buffer, buffer.count) > 0 {}
        while let pending = stage.pendingEnd {
            var end = pollfd(fd: pending, events: Int16(POLLIN), revents: 0)
            #expect(poll(&end, 1, 60_000) == 1)
        }
        let failure = stage.failure(named: "log")
        let cause = "gpsd was ended by signal 11 within its first \(log.beginning.count) bytes"
        #expect(failure == .damaged(path: "log", cause: cause))
        close(pipe.writeEnd)
    }

    @Test func `the source of raw logs plays one`() async throws {
        let path = try scratch.write(LogKind.simulated(.walk, seconds: 12), to: "log.nmea")
        var count = 0
        for try await _ in RawLogSource(.path(path)).locations() { count += 1 }
        #expect(count >= 10)
    }

    @Test func `the time of a session is that of its fixes, even if gpsd dates the satellites wrongly`() async throws {
        let log = (0..<10).flatMap { UBXFrame.position($0) + UBXFrame.satellites($0) }
        let played = await PlayedLog(.path(try scratch.write(log, to: "log.ubx")))
        // gpsd 3.22 reports the first epoch alone, and its position waits for what the second one shows to be missing; gpsd 3.25
        // reports it only together with the second one.
        let (first, last) = (try #require(played.moments.first), try #require(played.moments.last))
        #expect(first.elapsed <= Location.assemblyLimit && last.elapsed >= .seconds(8), "\(played.moments)")
        #expect("\(last.wall)".hasPrefix("2026-01-05T12:00:09"), "\(played.moments)")
        let start = last.wall.advanced(by: .zero - last.elapsed)
        #expect(played.moments.allSatisfy { $0.wall.since(start) == $0.elapsed }, "\(played.moments)")
    }

    @Test(arguments: ["gzip", "xz", "zstd"])
    func `a compressed log or session is the same session`(program: String) async throws {
        let log = try scratch.write(LogKind.simulated(.walk, seconds: 30), to: "log.nmea")
        let session = try scratch.write(Array(RecordedText.session(RecordedText.positions(5)).utf8), to: "session.json")
        for path in [log, session] {
            let packed = path + ".packed"
            try run("\(program) -c '\(path)' > '\(packed)'")
            let (plain, played) = (await PlayedLog(.path(path)), await PlayedLog(.path(packed)))
            #expect(plain.failure == nil && played.failure == nil)
            #expect(played.lines == plain.lines && played.positions == plain.positions)
            #expect(played.positions.count >= 3)
        }
    }

    private static let longLog = LogKind.simulated(.walk, seconds: 600)

    @Test(arguments: ["gzip", "xz", "zstd"])
    func `a torn archive gives what it has and then says so`(program: String) async throws {
        let path = try scratch.write(Self.longLog, to: "log.nmea")
        // Small blocks, so that the first ones are whole.
        let options = program == "xz" ? "--block-size=20000" : ""
        try run("\(program) \(options) -c '\(path)' | head -c 16000 > '\(path).torn'")
        let played = await PlayedLog(.path(path + ".torn"))
        let cause = try #require(played.damage, "the session ended with \(played.failure as Any)")
        #expect(played.failure == .damaged(path: path + ".torn", cause: cause))
        #expect(cause.hasPrefix("\(program): ") && !cause.contains("stdin"), "\(cause)")
        // zstd passes on whole blocks only, of which there may be none.
        #expect(program == "zstd" || !played.positions.isEmpty)
    }

    @Test func `a log that is compressed twice is read, and one that is compressed three times is not`() async throws {
        let path = try scratch.write(LogKind.simulated(.walk, seconds: 12), to: "log")
        try run("gzip -c '\(path)' | xz -c > '\(path)2'; zstd -q -c '\(path)2' > '\(path)3'")
        #expect(await PlayedLog(.path(path + "2")).positions.count >= 3)
        let cause = "it is compressed more than 2 times"
        #expect(await PlayedLog(.path(path + "3")).failure == .notASession(path: path + "3", line: 0, cause: cause))
    }

    @Test(arguments: [
        ("\u{89}PNG", "it is a PNG picture"), ("%PDF-1.7", "it is a PDF document"),
        ("PK\u{3}\u{4}", "it is a ZIP archive"),
        ("Dear diary,\nnothing happened\n", "gpsd found no report in it; it begins with the text \"Dear diary,\""),
        ("$GPRMC", "gpsd found no report in it; it begins with the text \"$GPRMC\""),
        (
            "# Notes\n\nA sentence begins with $GPRMC and ends with *5A.\n",
            "gpsd found no report in it; it begins with the text \"# Notes\""
        ),
        (
            "$GPGGA,120000.00,4812.0000,N,01622.2000,E,1,08,0.9,200.0,M,40.0,M,,*6F\r\n",
            "gpsd found no report in it; it looks like NMEA sentences"
        ),
    ])
    func `the error for a file without a report says what it looks like`(text: String, cause: String) async throws {
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        let path = try scratch.write(bytes, to: "file")
        let played = await PlayedLog(.path(path))
        #expect(played.failure == .notASession(path: path, line: 0, cause: cause))
        #expect(played.lines.isEmpty)
    }

    @Test(
        arguments: [
            ([1, 2, 3], "it begins with the bytes 01 02 03"),
            ([0x10, 0x8F, 0xAB, 0x40, 0x40, 0x10, 0x03], "it begins with the bytes 10 8f ab 40 40 10 03"),
        ] as [([UInt8], String)])
    func `the error for a binary format that gpsd does not know names the gpsd`(bytes: [UInt8], look: String)
        async throws
    {
        let path = try scratch.write(bytes, to: "file")
        let version = try Tool("gpsd", ["-V"]).output
        let release = try #require(version.firstMatch(of: /gpsd: ([0-9.]+)/)?.1)
        let cause = "this gpsd (\(release)) decodes nothing in it; \(look)"
        #expect(await PlayedLog(.path(path)).failure == .notASession(path: path, line: 0, cause: cause))
    }
}
