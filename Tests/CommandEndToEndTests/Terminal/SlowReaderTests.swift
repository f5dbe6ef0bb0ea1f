import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// A reader of standard output that pauses while much is written.
@Suite(.serialized, .withFew, .onlyInMakeTest) struct SlowReaderTests {
    private static let count = 8000

    /// Returns a daemon that sends a number of positions, each one second later than the previous one, and then hangs
    /// up.
    private func daemon(_ count: Int) throws -> StandInGPSD {
        var settings = StandInGPSD.Settings()
        settings.advance = .byHand
        settings.backlog = .max
        settings.faults = [.hangUp(.after(line: count))]
        return try StandInGPSD(StandInRecording(RecordedDrive.text(points: count, from: 1)), settings: settings)
    }

    /// Starts the program with a reader that begins to read only on request.
    private func program(_ arguments: String, _ daemon: StandInGPSD, in folder: Scratch) throws -> Locwatch {
        let program = try Locwatch(
            "mkfifo go && exec $LW \(arguments) localhost:\(daemon.port) > >(read <go; exec cat)", folder: folder.url)
        #expect(daemon.wait(within: .seconds(300)) { $0.watchers == 1 })
        return program
    }

    /// Lets the reader begin, even if it does not wait yet; returns a descriptor that is open until the end.
    private func letRead(_ folder: Scratch) -> Int32 {
        let writer = open(folder.path("go"), O_RDWR | O_CLOEXEC)
        #expect(write(writer, "\n", 1) == 1)
        return writer
    }

    /// Returns the program's memory once it has stopped changing.
    private func settledMemory(_ program: Locwatch) async throws -> Int {
        try await program.settled { try #require(program.process.memory, "it has ended: \(program.errors)") }
    }

    @Test(arguments: ["-j", "--csv"])
    func `a slow reader receives the newest line and an exact count of the dropped ones`(form: String) async throws {
        let (daemon, folder) = (try daemon(Self.count), try Scratch())
        let program = try program("\(form) -n \(Self.count)", daemon, in: folder)
        daemon.send(lines: Self.count / 4)
        let early = try await settledMemory(program)
        daemon.send(lines: Self.count / 2)
        let late = try await settledMemory(program)
        #expect(early > 0 && late - early < 2 << 20, "memory grew from \(early) to \(late) bytes")
        daemon.sendRest()
        let writer = letRead(folder)
        defer { close(writer) }
        #expect(try await program.end() == 74)
        #expect(program.errors.contains("locwatch: the output was too slow: lost "), "\(program.errors)")

        let latitude = form == "-j" ? /"lat":([0-9.]+)/ : /Z,([0-9.]+),/
        let got = program.output.matches(of: latitude).compactMap { Double($0.1) }.map { RecordedDrive.second(at: $0) }
        if form == "-j" {
            let lines = program.output.utf8.split(separator: UInt8(ascii: "\n"))
            #expect(
                lines.allSatisfy { $0.starts(with: "{".utf8) && $0.last == UInt8(ascii: "}") }, "each line is whole")
            #expect(lines.last.map { String(decoding: $0, as: UTF8.self) }?.contains(#""event":"end""#) == true)
        }
        let told = form == "-j" ? program.output : program.errors
        let missed = told.matches(of: /dropped (\d+) position/).compactMap { Int($0.1) }
        #expect(missed.reduce(0, +) > Self.count / 4)
        // The JSON lines of states hold no position, so each position that arrived occurs once and in order.
        #expect(got.count + missed.reduce(0, +) == Self.count)
        #expect(got == Array(Set(got)).sorted())
        #expect(got.last == Self.count)
    }

    @Test func `a track whose reader stops leaves points out, and does not keep the session waiting`() async throws {
        // More than the writer has taken (8,192 points and a few), what waits for it (as many), and what the pipe holds.
        let count = 30_000
        let (daemon, folder) = (try daemon(count), try Scratch())
        let program = try program("export csv --columns lat,segment -n \(count)", daemon, in: folder)
        daemon.sendRest()
        // The program has taken all positions, although nothing was read of what it writes.
        #expect(await daemon.wait(within: .seconds(300)) { $0.linesPlayed >= count && $0.clients == 0 })
        let writer = letRead(folder)
        defer { close(writer) }
        #expect(try await program.end() == 74, "\(program.errors)")
        let message = "locwatch: the output takes nothing, so that points are left out until it does\n"
        #expect(program.errors.hasPrefix(message))
        let words = try #require(program.errors.firstMatch(of: /too slow: left out (\d+) points/))
        let leftOut = try #require(Int(words.1))
        let rows = program.output.split(separator: "\r\n").dropFirst()
        #expect(rows.count + leftOut == count && rows.count > 8192)
    }

    @Test func `a recording drops nothing`() async throws {
        // More than the pipe and the program hold.
        let count = 5000
        let (daemon, folder) = (try daemon(count), try Scratch())
        let program = try program("record --no-reconnect -", daemon, in: folder)
        daemon.sendRest()
        // The pipe is full, and the program waits for its reader.
        try await program.settled { program.process.text("io") }
        let writer = letRead(folder)
        defer { close(writer) }
        #expect(try await program.end() == 69, "\(program.errors)")
        let isAll = program.numbers == Array(1...count)
        #expect(isAll, "\(program.numbers.count) positions")
    }

    @Test func `a recording to a file continues when the reader of standard output has gone`() async throws {
        let folder = try Scratch()
        let run = try await Locwatch.run(
            "($LW record -x 3s r.json sim:drive; echo code $? >&2) | true", folder: folder.url)
        #expect(run.errors.hasSuffix("code 0\n"), "\(run.errors)")
        #expect(try folder.text("r.json").contains(#""lat""#))
    }
}
