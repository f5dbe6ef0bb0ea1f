import Foundation
import LocationCore
import LocwatchSupport
import TestSupport
import Testing

@testable import GPSDProtocol

/// Tests of the conversion of a file of another format while it is read, with a format whose letters are seconds.
@Suite(.serialized, .withFew) struct RecordingConversionTests {
    /// A format that begins with `!`, in which each letter is a position.
    private final class Letters: RecordingConversion {
        private var count = 0
        let hasMore = false

        func resume(includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>) {}

        func convert(
            _ piece: UnsafeRawBufferPointer, includesLines: Bool, into updates: inout ReusedQueue<LocationUpdate>
        ) throws(LocationError) {
            for byte in piece where byte != UInt8(ascii: "!") {
                if byte == UInt8(ascii: "?") { throw LocationError.other(code: "letters", message: "a question") }
                if includesLines { updates.append(LocationUpdate(.line(Array("line \(count)".utf8)), at: now)) }
                let place = Coordinate(latitude: 1, longitude: Double(count % 180))
                updates.append(LocationUpdate(.location(Location(coordinate: place, timestamp: now.wall)), at: now))
                count += 1
            }
            if piece.isEmpty { updates.append(LocationUpdate(.notice(.message("\(count) letters")), at: now)) }
        }

        private var now: Moment {
            let start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)
            return Moment(elapsed: .seconds(count), wall: start.advanced(by: .seconds(count)))
        }
    }

    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static var reading: InputReading { with(InputReading()) { $0.recognizer = recognizer } }

    private static let recognizer = RecordingRecognizer { (beginning, isWhole, name) throws(LocationError) in
        if beginning.isEmpty { return isWhole ? .session : .undecided }
        if beginning.count < 3, !isWhole { return .undecided }
        return beginning.first == UInt8(ascii: "!") ? .other(Letters()) : .session
    }

    private func provider(_ source: RecordingSource, clock: SessionClock? = nil) -> ReplayProvider {
        var options = SessionOptions()
        options.clock = clock
        return ReplayProvider(source, pace: .max, reading: Self.reading, options: options)
    }

    private func locations(_ source: RecordingSource) async throws -> (count: Int, messages: [String]) {
        let updates = try await provider(source).allUpdates()
        let messages = updates.notices.compactMap { if case .message(let text) = $0 { text } else { nil } }
        return (updates.locations.count, messages)
    }

    @Test(arguments: [0, 1, 2, 5000, 40_000])
    func `a file of another format is read in full`(_ letters: Int) async throws {
        let path = try scratch.write("!" + String(repeating: "a", count: letters), to: "letters").path
        let result = try await locations(.path(path))
        #expect(result.count == letters && result.messages == ["\(letters) letters"])
    }

    @Test(.timeLimit(.minutes(2))) func `a pipe of another format is read as its bytes arrive`() async throws {
        let pipe = Pipe()
        let writer = Task.detached {
            for piece in ["!", "a", "bc", "", "defg", String(repeating: "h", count: 9000)] {
                pipe.fileHandleForWriting.write(Data(piece.utf8))
                await Task.yield()
            }
            try pipe.fileHandleForWriting.close()
        }
        let result = try await locations(.descriptor(pipe.fileHandleForReading.fileDescriptor))
        try await writer.value
        #expect(result.count == 9007 && result.messages == ["9007 letters"])
    }

    @Test(.timeLimit(.minutes(2))) func `a polled pipe of another format waits for the next bytes only`() throws {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data("!abc".utf8))
        let session = ReplaySource(
            .descriptor(pipe.fileHandleForReading.fileDescriptor), pace: .max, reading: Self.reading,
            includesLines: false, clock: .system())
        var count = 0
        func step(isReady: Bool) throws -> Bool {
            var updates = ReusedQueue<LocationUpdate>()
            defer { count += updates.count { $0.event.isLocation } }
            return try session.turn(isReady: isReady, into: &updates)
        }
        // The pipe is opened, then read once for each time that it is ready; a read of an empty pipe would block.
        _ = try step(isReady: false)
        _ = try step(isReady: true)
        #expect(count == 3)
        #expect(session.descriptor == pipe.fileHandleForReading.fileDescriptor)
        pipe.fileHandleForWriting.write(Data(repeating: 0x61, count: 30_000))
        _ = try step(isReady: true)
        #expect(session.descriptor == pipe.fileHandleForReading.fileDescriptor)
        #expect(count == 30_003 && session.bytesRead == 30_004)
        try pipe.fileHandleForWriting.close()
        var isGoingOn = true
        while isGoingOn { isGoingOn = try step(isReady: true) }
    }

    @Test func `an error of the conversion ends the session after what came before it`() async throws {
        let path = try scratch.write("!abc?", to: "letters").path
        await #expect(throws: LocationError.other(code: "letters", message: "a question")) {
            try await locations(.path(path))
        }
    }

    @Test func `the lines of another format come with its events only if they are asked for`() async throws {
        let path = try scratch.write("!ab", to: "letters").path
        for includesLines in [false, true] {
            var lines: [String] = []
            var request = LocationRequest.everything
            request.includesLines = includesLines
            for try await update in provider(.path(path)).updates(for: request) {
                if case .line(let line) = update.event { lines.append(String(decoding: line, as: UTF8.self)) }
            }
            #expect(lines == (includesLines ? ["line 0", "line 1"] : []))
        }
        let input = try RecordingInput(file: path, reading: Self.reading)
        defer { input.close() }
        #expect(try input.contents() == Array("line 0\nline 1\n".utf8))
    }

    @Test func `gpsd's lines pass through unchanged`() async throws {
        let line = #"{"class":"TPV","mode":2,"time":"2026-11-20T09:00:00Z","lat":1,"lon":2}"#
        let path = try scratch.write(line + "\n", to: "lines").path
        #expect(try await locations(.path(path)).count == 1)
        let input = try RecordingInput(file: path, reading: Self.reading)
        defer { input.close() }
        #expect(try input.contents() == Array((line + "\n").utf8))
    }

    @Test(arguments: [1, 65_536, 65_537, 140_000])
    func `a whole file is converted in pieces, and ended once`(count: Int) throws {
        let letters = "!" + String(repeating: "a", count: count - 1)
        let lines = try Self.recognizer.lines(of: Array(letters.utf8), named: "x", limit: .max)
        let expected = (0..<count - 1).map { "line \($0)\n" }.joined()
        #expect(String(decoding: lines, as: UTF8.self) == expected)
    }
}
