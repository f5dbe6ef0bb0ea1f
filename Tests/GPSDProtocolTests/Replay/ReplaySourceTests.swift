import Foundation
import LocationCore
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@testable import GPSDProtocol

struct ReplaySourceTests {
    /// A session that is read in several chunks, which end anywhere in a line.
    private static let session = (0..<12_000).map { index in
        let seconds = String(format: "%02d:%02d:%02d", index / 3600, index / 60 % 60, index % 60)
        let time = "2026-11-20T\(seconds).000Z"
        return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":45.\#(index),"lon":7.5}"#
            + "\n"
    }.joined()

    /// Returns the updates that a poll loop gets from a recording in a file.
    private func updates(of text: String, includesLines: Bool = false) throws -> (updates: [LocationUpdate], bytes: Int)
    {
        let scratch = try Scratch()
        return try poll(.path(scratch.write(text, to: "session.json").path), includesLines: includesLines)
    }

    private func poll(
        _ source: RecordingSource, pace: ReplayPace = .max, includesLines: Bool = false
    ) throws -> (updates: [LocationUpdate], bytes: Int) {
        let clock = SessionClock(ContinuousClock(), startingAt: Timestamp(nanosecondsSince1970: 0))
        let session = ReplaySource(source, pace: pace, includesLines: includesLines, clock: clock)
        var updates = ReusedQueue<LocationUpdate>()
        var isReady = false
        while try session.turn(isReady: isReady, into: &updates) {
            var watched = pollfd(fd: session.descriptor, events: Int16(POLLIN), revents: 0)
            isReady = Glibc.poll(&watched, 1, session.timeLeft(until: nil).map { $0 <= .zero ? 0 : 10 } ?? 10_000) > 0
        }
        return (Array(updates), session.bytesRead)
    }

    @Test(arguments: [false, true])
    func `a large file that is read ahead gives the updates of its bytes`(includesLines: Bool) throws {
        let (updates, bytes) = try updates(of: Self.session, includesLines: includesLines)
        #expect(updates.count >= (includesLines ? 24_000 : 12_000))
        #expect(updates == read(Self.session, includesLines: includesLines))
        #expect(bytes == Self.session.utf8.count)
    }

    @Test func `a small file and bytes in memory give the same updates at every pace`() throws {
        let text = String(Self.session.prefix(2000))
        let expected = read(text)
        #expect(expected.count > 10)
        #expect(try updates(of: text).updates == expected)
        #expect(try poll(.bytes(Array(text.utf8))).updates == expected)
        // In pieces.
        #expect(try poll(.bytes(Array(Self.session.utf8))).updates == read(Self.session))
        #expect(try poll(.bytes(Array(text.utf8)), pace: .times(1000)).updates == expected)
    }

    @Test func `a late loop reaches no deadline before the earlier updates, and none after the end`() throws {
        let manual = ManualClock()
        let text = tpv(0) + "\n" + tpv(10) + "\n"
        let session = ReplaySource(
            .bytes(Array(text.utf8)), pace: .recorded, includesLines: false,
            clock: SessionClock(manual, startingAt: Timestamp(nanosecondsSince1970: 0)))
        var updates = ReusedQueue<LocationUpdate>()
        func step() throws -> Bool { try session.turn(isReady: false, into: &updates) }
        func hasReached(_ seconds: Int) -> Bool {
            session.hasReached(Moment(elapsed: .seconds(seconds), wall: Timestamp(nanosecondsSince1970: 0)))
        }
        #expect(!hasReached(0))
        while updates.isEmpty { _ = try step() }
        // The first position waits for further reports of its epoch.
        manual.advance(by: .milliseconds(300))
        _ = try step()
        #expect(updates.last?.moment.elapsed == .milliseconds(300))
        manual.advance(by: .seconds(60))
        #expect(hasReached(7) && !hasReached(13))
        _ = try step()
        #expect(updates.last?.moment.elapsed == .seconds(10))
        #expect(!hasReached(13))
        while try step() {}
        #expect(hasReached(10) && !hasReached(13))
    }

    @Test func `a large file that is not a session is rejected`() throws {
        #expect(throws: LocationError.self) {
            _ = try updates(of: String(repeating: "no session\n", count: 200_000))
        }
    }

    @Test func `abandoning a session ends its reader thread`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write(Self.session, to: "session.json")
        var ahead: ReadAhead? = try ReadAhead(of: RecordingInput(file: file.path), includesLines: false)
        weak let left = ahead
        ahead?.abandon()
        ahead = nil
        try await eventually("the end of the thread", { left == nil }, is: { $0 })
    }
}
