import Foundation
import LocationCore
import GPSDProtocol
import LocationRecordingsTesting
import LocationTesting
import Testing

@Suite struct RecordedAnswerTests {
    private let clock = ManualClock()

    /// A gpsd greeting and one position per second, each one degree north of the previous one.
    private static let lines =
        [#"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#]
        + (0..<4).map {
            #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-05-01T12:00:0\#($0).000Z","lat":\#($0).0,"lon":8.0}"#
        }

    /// Returns all updates of a source that plays the answer and then ends.
    private func updates(_ answer: RecordedAnswer, then steps: [ScriptStep] = []) async throws -> [LocationUpdate] {
        let source = ScriptedLocationSource([.replay(answer)] + steps + [.end], clock: clock)
        let playing = Task {
            try await source.updates(for: .everything).reduce(into: [LocationUpdate]()) { $0.append($1) }
        }
        return try await clock.advance(untilEndOf: playing)
    }

    @Test(arguments: [(ReplayPace.times(2), [0.15, 0.5, 1, 1.5]), (.max, [0, 0, 0, 0]), (.recorded, [0.3, 1, 2, 3])])
    func `a recording is played at its own pace or at another`(pace: ReplayPace, seconds: [Double]) async throws {
        var answer = RecordedAnswer(lines: Self.lines)
        if pace != .recorded { answer.pace = pace }
        let updates = try await updates(answer)
        #expect(updates.first?.event == .searching(.connected(release: "3.22")))
        let positions = updates.filter { $0.location != nil }
        #expect(positions.map(\.location?.coordinate.latitude) == [0, 1, 2, 3])
        // The first epoch waits for further reports.
        #expect(positions.map(\.moment.elapsed) == seconds.map { .seconds($0) })
    }

    @Test func `the response time delays all events`() async throws {
        var answer = RecordedAnswer(lines: Self.lines)
        answer.responseTime = .seconds(5)
        let moments = try await updates(answer).map(\.moment.elapsed)
        #expect(moments.min() == .seconds(5) && moments.max() == .seconds(8))
    }

    @Test func `with a limited bandwidth each line arrives with its last byte`() async throws {
        var answer = RecordedAnswer(lines: Self.lines)
        answer.pace = .max
        answer.bandwidth = 10
        let ends = Self.lines.indices.map { line in
            Duration.seconds(Self.lines[...line].map { $0.utf8.count + 1 }.reduce(0, +)) / 10
        }
        let moments = try await updates(answer).filter { $0.location != nil }.map(\.moment.elapsed)
        #expect(moments == Array(ends.dropFirst()))
    }

    @Test(arguments: [
        ([SessionFault.cut(afterLines: 3)], [0.0, 1]), ([.lose(line: 2)], [1, 2, 3]), ([], [0, 1, 2, 3]),
        ([.tear(line: 4, atByte: 40)], [0, 1]), ([.insert(Array("%noise\n".utf8), beforeLine: 3)], [0, 1, 2, 3]),
        ([.joinWithNext(line: 3)], [0, 3]),
    ])
    func `faults reach the decoder as they would live`(faults: [SessionFault], left: [Double]) async throws {
        var answer = RecordedAnswer(lines: Self.lines)
        answer.faults = faults
        #expect(try await updates(answer).compactMap(\.location?.coordinate.latitude) == left)
    }

    @Test func `a torn end and skipped lines are reported`() async throws {
        var answer = RecordedAnswer(lines: Self.lines)
        answer.faults = [.insert(Array("%noise\n".utf8), beforeLine: 3), .tear(line: 5, atByte: 40)]
        let notices = try await updates(answer).map(\.event).filter { if case .notice = $0 { true } else { false } }
        #expect(notices.contains { if case .linesSkipped = $0.notice { true } else { false } })
        #expect(notices.last == .notice(.tornEnd(bytes: 40)))
    }

    @Test(arguments: 0..<30 as Range<UInt64>)
    func `a corrupted byte loses its line if it has no position any more, and never another line`(
        seed: UInt64
    ) async throws {
        var answer = RecordedAnswer(lines: Self.lines)
        answer.pace = .max
        answer.faults = [.corrupt(bytes: 1, seed: seed)]
        let sent = Array((Self.lines.joined(separator: "\n") + "\n").utf8)
        let arriving = SessionFault.corrupt(bytes: 1, seed: seed).applied(to: sent)
        try #require(zip(sent, arriving).count { $0 != $1 } == 1 && sent.count == arriving.count)
        // Foundation tells which lines still have a position; it reads no bytes that are not UTF-8.
        let positions = arriving.split(separator: UInt8(ascii: "\n")).count { line in
            let text = Data(String(decoding: line, as: UTF8.self).utf8)
            let report = (try? JSONSerialization.jsonObject(with: text)) as? [String: Any]
            return report?["class"] as? String == "TPV" && report?["mode"] as? Int == 3 && report?["lat"] is Double
                && report?["lon"] is Double
        }
        let left = try await updates(answer).count { $0.location != nil }
        #expect(left == positions, "\(String(decoding: arriving, as: UTF8.self))")
    }

    @Test(arguments: [
        (RecordingSource.bytes(Array("hello\n".utf8)), "notASession"), (.bytes([], name: "nothing"), "notASession"),
        (.path("/nowhere/session.json"), "unreadable"),
    ])
    func `input that is not a session, or cannot be read, ends the session with an error`(
        source: RecordingSource, code: String
    ) async throws {
        let error = await #expect(throws: LocationError.self) { try await updates(RecordedAnswer(source)) }
        #expect(error?.code == code)
    }

    @Test func `the script continues at the time at which the recording ends`() async throws {
        let answer = RecordedAnswer(lines: Self.lines)
        let updates = try await updates(answer, then: [.wait(.seconds(1)), .searching(.noDevice)])
        #expect(updates.last?.moment.elapsed == .seconds(4))
    }

    @Test(arguments: [true, false])
    func `cancelling the task ends the reader of a pipe that says nothing`(isEarly: Bool) async throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let (source, results) = (RecordingSource.descriptor(ends[0]), EventLog<Result<[UInt8], LocationError>>())
        let reading = Task {
            if isEarly { withUnsafeCurrentTask { $0?.cancel() } }
            do throws(LocationError) { results.append(.success(try await source.contents())) } catch {
                results.append(.failure(error))
            }
        }
        if !isEarly { reading.cancel() }
        #expect(try await results.wait(for: "the end of the reader") { !$0.isEmpty } == [.failure(.cancelled)])
    }

    @Test func `cancelling a session stops the playback of a recording`() async throws {
        let source = ScriptedLocationSource([.replay(RecordedAnswer(lines: Self.lines))], clock: clock)
        let recorder = LocationRecorder(source)
        try await clock.advanceToNextDeadline()
        try await recorder.wait(for: "the first position") { !$0.locations.isEmpty }
        recorder.stop()
        try await source.untilRunning(0)
        #expect(recorder.recording.locations.count == 1)
    }
}
