import Foundation
import LocationCore
import GPSDProtocol
import LocationTesting
import TestSupport
import Testing

@Suite(.serialized, .alone) struct ReplayProviderTests {
    /// Five positions in five seconds, a gap of five seconds, and two more positions.
    private static let walk = ([greeting, watching] + [0, 1, 2, 3, 4, 9, 10].map { tpv($0) }).map { $0 + "\n" }.joined()

    @Test func `a position goes stale exactly at its deadline in the recording's time`() async throws {
        let changes = try await ReplayProvider(.bytes(Array(Self.walk.utf8)), pace: .max).allTracked().compactMap(
            \.transition)
        #expect(changes.map(\.reason.code) == ["connected", "fix", "silent", "fix"])
        // The first epoch waits for further reports; later ones are whole with their first.
        #expect(changes.map(\.moment.elapsed) == [.zero, .milliseconds(300), .seconds(7), .seconds(9)])
    }

    @Test(arguments: [
        (ReplayPace.recorded, [0.3, 1, 2, 3, 4, 7, 9, 10]), (.times(2), [0.15, 0.5, 1, 1.5, 2, 3.5, 4.5, 5]),
    ])
    func `a pace delays updates and the loss of a position alike`(pace: ReplayPace, times: [Double]) async throws {
        let clock = ManualClock()
        let provider = ReplayProvider(.bytes(Array(Self.walk.utf8)), pace: pace, clock: clock)
        let told = EventLog<Double>()
        let task = Task {
            for try await next in provider.tracked() where next.isFixOrSilence {
                told.append(clock.now.elapsed.inSeconds)
            }
        }
        for _ in times { try await clock.advanceToNextDeadline() }
        try await task.value
        #expect(told.events == times)
    }

    @Test(arguments: [0, -1, .nan, 1e-300, .infinity])
    func `an invalid pace does not stop the replay`(rate: Double) async throws {
        let session = "\(tpv(0))\n\(tpv(0, mode: 1))\n"
        let updates = try await ReplayProvider(.bytes(Array(session.utf8)), pace: .times(rate)).allUpdates()
        #expect(updates == read(session))
    }

    @Test(.timeLimit(.minutes(1)))
    func `a recording with an extremely long wait can be cancelled`() async throws {
        let session =
            #"{"class":"LOCWATCH","format":1,"started":"2026-11-20T09:00:00Z"}"# + "\n" + tpv(0)
            + "\n" + #"{"class":"LOCWATCH","at":1e300}"# + "\n" + tpv(1) + "\n"
        for provider in [
            ReplayProvider(.bytes(Array(session.utf8))),
            ReplayProvider(.bytes(Array(session.utf8)), pace: .times(1e-300)),
        ] {
            let log = EventLog<LocationUpdate>()
            let task = Task { for try await update in provider.updates(for: .everything) { log.append(update) } }
            try await log.wait(for: "the first position") { !$0.isEmpty }
            task.cancel()
            try await task.value
        }
    }

    // MARK: Input that is not a session

    @Test(
        arguments: [
            (.path("/nonexistent/walk.json"), "/nonexistent/walk.json", "No such file or directory"),
            (.path("/tmp"), "/tmp", "Is a directory"), (.descriptor(9999), "descriptor 9999", "Bad file descriptor"),
        ] as [(RecordingSource, String, String)])
    func `a missing file, a directory and a closed descriptor cannot be read`(
        source: RecordingSource, path: String, cause: String
    ) async {
        await #expect(throws: LocationError.unreadable(path: path, cause: cause)) {
            try await ReplayProvider(source, pace: .max).allUpdates()
        }
    }

    @Test(arguments: [
        ("", 0, "it is empty"), ("\n\r\n \n", 0, "there is no report in it"),
        ("\u{89}PNG\r\n\u{1A}\n\u{0}\u{0}", 1, "no JSON object at byte 0, and 2 lines were skipped in all"),
        ("<!DOCTYPE html>\n<html></html>\n", 1, "no JSON object at byte 0, and 2 lines were skipped in all"),
        (
            "\n{\"name\":\"other\"}\n{\"name\":\"JSON\"}\n", 2,
            "an object without a class at byte 0, and 2 lines were skipped in all"
        ),
        ("$GPGGA,120000.00*47\r\n", 1, "no JSON object at byte 0"),
        ("{\"class\":\"TPV\",\"mo", 0, "there is no report in it"),
        ("a\nb\n", 1, "no JSON object at byte 0, and 2 lines were skipped in all"),
        ("{\"class\":\"VERSION\"}\n{\"class\":\"WATCH\"}\n$GPGGA,*00\n", 3, "no JSON object at byte 0"),
        (
            "{\"class\":\"VERSION\"}\n$GPGGA,*00\n$GPRMC,*00\n{\"class\":\"DEVICES\",\"devices\":[]}\n", 2,
            "no JSON object at byte 0, and 2 lines were skipped in all"
        ),
    ])
    func `input without a report is rejected with its first fault`(text: String, line: Int, cause: String) async {
        await #expect(throws: LocationError.notASession(path: "it", line: line, cause: cause)) {
            try await ReplayProvider(.bytes(Array(text.utf8), name: "it"), pace: .max).allUpdates()
        }
    }

    @Test(.timeLimit(.minutes(1))) func `endless input without a report is rejected`() async {
        await #expect(
            throws: LocationError.notASession(
                path: "/dev/zero", line: 0,
                cause: "it begins with the bytes 00 00 00 00 00 00 00 00")
        ) {
            try await ReplayProvider(.path("/dev/zero"), pace: .max).allUpdates()
        }
    }

    @Test func `a recording of only a header, or in which gpsd has no receiver, is a session`() async throws {
        let greeting = "{\"class\":\"VERSION\"}\n{\"class\":\"DEVICES\",\"devices\":[]}\n"
        for text in [greeting, greeting + "{\"class\":\"TPV"] {
            _ = try await ReplayProvider(.bytes(Array(text.utf8)), pace: .max).allUpdates()
        }
        var writer = RecordingWriter()
        let header = writer.header(source: "s", version: "1", at: Moment(elapsed: .zero, wall: time("09:00:00")))
        #expect(try await ReplayProvider(.bytes(header), pace: .max).allUpdates().isEmpty)
    }

    // MARK: Sources

    @Test func `each iterator plays the file from the beginning and closes its descriptor`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.walk, to: "walk.json").path
        let provider = ReplayProvider(.path(path), pace: .max)
        let expected = read(Self.walk)
        var first: LocationUpdates.Iterator? = provider.updates(for: .everything).makeAsyncIterator()
        var second: LocationUpdates.Iterator? = provider.updates(for: .everything).makeAsyncIterator()
        for update in expected.prefix(4) {
            #expect(try await first?.next() == update)
            #expect(try await second?.next() == update)
        }
        #expect(descriptors(of: path) == 2)
        first = nil
        #expect(descriptors(of: path) == 1)
        while try await second?.next() != nil {}
        #expect(descriptors(of: path) == 0)
        second = nil
    }

    @Test func `a descriptor of the caller stays open`() async throws {
        let scratch = try Scratch()
        let path = try scratch.write(Self.walk, to: "walk.json").path
        let file = open(path, O_RDONLY)
        defer { close(file) }
        let updates = try await ReplayProvider(.descriptor(file), pace: .max).allUpdates()
        #expect(updates == read(Self.walk) && updates.locations.count == 7)
        #expect(descriptors(of: path) == 1)
    }

    // MARK: Pipes

    @Test func `a pipe with a late and slow writer gives each update when it is written`() async throws {
        let scratch = try Scratch()
        let path = scratch.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let log = EventLog<LocationUpdate>()
        let provider = ReplayProvider(.path(path), pace: .max)
        let task = Task { for try await update in provider.updates(for: .everything) { log.append(update) } }
        try await eventually("the reader is there", { descriptors(of: path) }, is: { $0 == 1 })
        let writer = try #require(FileHandle(forWritingAtPath: path))
        let lines = [tpv(0), tpv(1), tpv(2)]
        for (index, line) in lines.enumerated() {
            writer.write(Data((line + "\n").utf8))
            try await log.wait(for: "position \(index + 1)") { $0.locations.count == index + 1 }
        }
        try writer.close()
        try await task.value
        #expect(log.events == read(lines.map { $0 + "\n" }.joined()))
        #expect(descriptors(of: path) == 0)
    }

    @Test func `a pace counts from the arrival of the first line`() async throws {
        let pipe = Pipe()
        let clock = ManualClock()
        let log = EventLog<Double>()
        let provider = ReplayProvider(
            .descriptor(pipe.fileHandleForReading.fileDescriptor), pace: .recorded, clock: clock)
        let task = Task {
            for try await update in provider.updates(for: .everything) where update.event.isLocation {
                log.append(clock.now.elapsed.inSeconds)
            }
        }
        clock.advance(by: .seconds(100))
        pipe.fileHandleForWriting.write(Data("\(tpv(0))\n\(tpv(5))\n".utf8))
        // The first epoch waits for further reports.
        for _ in 0..<2 { try await clock.advanceToNextDeadline() }
        try pipe.fileHandleForWriting.close()
        try await task.value
        #expect(log.events == [100.3, 105])
    }

    @Test func `sessions cancelled in the middle leak no descriptors`() async throws {
        let before = RunningProcess.own.descriptors.count
        let pipe = Pipe()
        let provider = ReplayProvider(.descriptor(pipe.fileHandleForReading.fileDescriptor), pace: .max)
        for _ in 0..<100 {
            let task = Task { try await provider.allUpdates() }
            await Task.yield()
            task.cancel()
            #expect(try await task.value.isEmpty)
        }
        // A leak would be two descriptors per session; tests that run at the same time hold some as well.
        try await eventually(
            "descriptors given back", { RunningProcess.own.descriptors.count }, is: { $0 < before + 100 })
        withExtendedLifetime(pipe) {}
    }
}

private func descriptors(of path: String) -> Int { RunningProcess.own.descriptors.count { $0 == path } }

extension TrackedUpdate {
    fileprivate var transition: StateChange? { if case .transition(let transition) = self { transition } else { nil } }

    fileprivate var isFixOrSilence: Bool {
        if case .update(let update, _) = self { update.event.isLocation } else { transition?.reason.code == "silent" }
    }
}
