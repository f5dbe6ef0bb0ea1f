import Glibc
import LocationCore
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@testable import GPSDProtocol

/// Tests of inputs that are decompressed, and of logs that are decoded.
@Suite(.serialized, .alone) struct InputStageTests {
    private let scratch: Scratch
    private let report: String
    /// An input without bytes.
    private let empty = OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))

    init() throws {
        scratch = try Scratch()
        report = try scratch.write(Array("{\"class\":\"TPV\",\"mode\":1}\n".utf8), to: "a.json")
    }

    /// A decoder that passes a log on as it is, or finds nothing in it.
    private struct Passing: LogDecoder {
        var findsNothing = false

        func start(_ log: RawLog) throws(LocationError) -> any DecodingStage {
            let source = findsNothing ? open("/dev/null", O_RDONLY | O_CLOEXEC) : log.source
            return try InputStage(
                nil, beginning: log.beginning, source: source, follows: false, isExcessive: log.isExcessive)
        }
    }

    private func contents(_ path: String, _ decoder: Passing? = nil, floor: Int? = nil) throws -> [UInt8] {
        var reading = InputReading()
        if let floor { (reading.expansion.floor, reading.expansion.floorOfLog) = (floor, floor) }
        reading.logDecoder = decoder
        return try RecordingInput(file: path, reading: reading).contents()
    }

    @Test func `a small input may become 256 MB, and a large one 24 times its size`() {
        let expansion = InputExpansion()
        #expect(!expansion.isExceeded(by: 256 << 20, from: 1))
        #expect(expansion.isExceeded(by: 256 << 20 + 1, from: 10 << 20))
        #expect(!expansion.isExceeded(by: 2_400 << 20, from: 100 << 20))
        #expect(expansion.isExceeded(by: 2_400 << 20 + 1, from: 100 << 20))
    }

    @Test func `a small log may become 32 MB, because gpsd decodes it`() throws {
        let expansion = InputExpansion()
        #expect(!expansion.isExceeded(by: 32 << 20, from: 1, isLog: true))
        #expect(expansion.isExceeded(by: 32 << 20 + 1, from: 1, isLog: true))
        #expect(!expansion.isExceeded(by: 240 << 20, from: 10 << 20, isLog: true))
        let log = Array(String(repeating: "$GPRMC,120000,A*00\r\n", count: 100_000).utf8)
        _ = try Tool("gzip", ["-k", scratch.write(log, to: "log")])
        var reading = InputReading()
        reading.expansion.floorOfLog = 1 << 20
        reading.logDecoder = Passing()
        #expect(throws: InputExpansion.error(named: scratch.path("log.gz"))) {
            try RecordingInput(file: scratch.path("log.gz"), reading: reading).contents()
        }
    }

    @Test func `what a log of a compressed input becomes is limited before it is decoded, too`() throws {
        let log = Array(String(repeating: "$GPRMC,120000,A*00\r\n", count: 100_000).utf8)
        _ = try Tool("gzip", ["-k", scratch.write(log, to: "log")])
        #expect(try contents(scratch.path("log.gz"), Passing()) == log)
        let error = InputExpansion.error(named: scratch.path("log.gz"))
        #expect(throws: error) { try contents(scratch.path("log.gz"), Passing(), floor: 1 << 20) }
        #expect(try contents(scratch.path("log"), Passing(), floor: 1 << 20) == log, "it is what it seems to be")
    }

    @Test func `each report counts as many bytes as a point can cost`() throws {
        _ = try Tool("gzip", ["-k", report])
        let input = try RecordingInput(file: report + ".gz")
        _ = try input.contents()
        let room = InputExpansion().floor / 100
        try input.count(reports: room - 1)
        #expect(throws: LocationError.self) { try input.count(reports: 2) }
    }

    @Test(.timeLimit(.minutes(1))) func `a stage that follows a file ends while it waits for more of the file`() throws
    {
        let file = open(report, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let stage = try InputStage(nil, beginning: [], source: file, follows: true)
        var ready = pollfd(fd: stage.output, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 60_000) == 1)
        stage.end()
        #expect(fcntl(file, F_GETFD) >= 0, "the descriptor is its owner's")
    }

    /// Returns the stage of a program that closes its output and then neither ends nor runs, with its whole output read.
    private func lingeringStage() throws -> InputStage {
        let program = DecodingProgram(
            name: "sh", package: "dash", ending: "", arguments: ["-c", "exec >&-; kill -STOP $$"], magic: [])
        let stage = try InputStage(program, beginning: [], source: empty.number, follows: false)
        var ready = pollfd(fd: stage.output, events: Int16(POLLIN), revents: 0)
        var byte: UInt8 = 0
        #expect(poll(&ready, 1, 60_000) == 1 && read(stage.output, &byte, 1) == 0)
        return stage
    }

    @Test func `the end of a program that has closed its output is waited for by a descriptor`() throws {
        let stage = try lingeringStage()
        defer { stage.end() }
        let pending = try #require(stage.pendingEnd)
        stage.child?.send(SIGKILL)
        var ready = pollfd(fd: pending, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 60_000) == 1)
        #expect(stage.pendingEnd == nil)
        let cause = "sh was ended by signal 9 within its first 0 bytes"
        #expect(stage.failure(named: "a") == .damaged(path: "a", cause: cause))
    }

    @Test func `a program that has closed its output and does not end is no failure after a while`() throws {
        let stage = try lingeringStage()
        defer { stage.end() }
        let child = try #require(stage.child)
        let end = ExpectedEnd(within: .milliseconds(20)) { child.wait(for: $0) }
        var ready = pollfd(fd: try #require(end.descriptor), events: Int16(POLLIN), revents: 0)
        #expect(poll(&ready, 1, 60_000) == 1)
        #expect(end.descriptor == nil && end.ending == nil)
        #expect(child.endingIfAny == nil)
    }

    /// A decoder whose stage ends when it is told to.
    private final class Lingering: LogDecoder, DecodingStage {
        let output: Int32
        let ending: Event
        let hasEnded: Event

        init() throws {
            output = open("/dev/null", O_RDONLY | O_CLOEXEC)
            ending = try Event()
            hasEnded = try Event()
        }

        func start(_ log: RawLog) -> any DecodingStage { self }
        var bytesRead: Int { 0 }
        var hasGivenUp: Bool { false }
        func takeNotices() -> [Notice] { [] }
        var pendingEnd: Int32? { ending.hasHappened ? nil : ending.descriptor }
        func failure(named name: String) -> LocationError? { .damaged(path: name, cause: "late") }

        func end() {
            ending.wait()
            close(output)
            hasEnded.happen()
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `no step of a replay, nor its stop, waits for a decoder that does not end`(isStopped: Bool) throws {
        let decoder = try Lingering()
        var reading = InputReading()
        (reading.isLog, reading.logDecoder) = (true, decoder)
        let path = try scratch.write(Array("$GPRMC,120000,A*00\r\n".utf8), to: "log")
        let session = ReplaySource(
            .path(path), pace: .max, reading: reading, includesLines: false, clock: SessionClock.system())
        var updates = ReusedQueue<LocationUpdate>()
        for _ in 0..<4 { #expect(try session.turn(isReady: true, into: &updates)) }
        #expect(session.descriptor == decoder.ending.descriptor)
        #expect(session.timeLeft(until: nil) == nil, "the loop sleeps")
        if isStopped {
            session.stop()
            #expect(!decoder.hasEnded.hasHappened)
            decoder.ending.happen()
        } else {
            decoder.ending.happen()
            #expect(throws: LocationError.damaged(path: path, cause: "late")) {
                while try session.turn(isReady: true, into: &updates) {}
            }
            session.stop()
        }
        decoder.hasEnded.wait()
    }

    @Test func `a file that breaks off gives its last position before the error`() async throws {
        let lines = (0...1).map { #"{"class":"TPV","mode":2,"time":"2026-05-01T12:00:0\#($0)Z","lat":1,"lon":2}"# }
        let packed = try scratch.write(Array(lines.joined(separator: "\n").utf8), to: "broken.json") + ".gz"
        _ = try Tool("gzip", ["-k", scratch.path("broken.json")])
        _ = try Tool("truncate", ["-s", "-4", packed])
        let session = try await LocationRecorder(ReplayProvider(.path(packed), pace: .max)).untilEnded()
        #expect(session.locations.count == 2 && session.ending != .ended)
    }

    @Test func `a file that asks for more memory than any recording needs is refused by xz`() throws {
        _ = try Tool("xz", ["--lzma2=preset=6,dict=512MiB", "-k", report])
        let error = LocationError.damaged(path: report + ".xz", cause: "xz: Memory usage limit reached")
        #expect(throws: error) { try contents(report + ".xz") }
    }

    @Test func `a log is what its decoder makes of it, and without one the error names the source that has it`()
        async throws
    {
        let log = Array("$GPRMC,120000,A*00\r\n".utf8)
        let path = try scratch.write(log, to: "log")
        #expect(try contents(path, Passing()) == log)
        let cause = "gpsd found no report in it; it looks like NMEA sentences"
        #expect(throws: LocationError.notASession(path: path, line: 0, cause: cause)) {
            try contents(path, Passing(findsNothing: true))
        }
        let binary = try scratch.write([0x10, 0x8F, 0xAB, 0x40, 0x40, 0x10, 0x03, 0x0A], to: "binary")
        let nothing = "gpsd decodes nothing in it; it begins with the bytes 10 8f ab 40 40 10 03 0a"
        #expect(throws: LocationError.notASession(path: binary, line: 0, cause: nothing)) {
            try contents(binary, Passing(findsNothing: true))
        }
        let error = #expect(throws: LocationError.self) { try contents(path) }
        #expect(error?.code == "rawLog" && "\(error!)".contains("RawLogSource"))
        await #expect(throws: error!) { try await ReplayProvider(.path(path)).allUpdates() }
    }
}
