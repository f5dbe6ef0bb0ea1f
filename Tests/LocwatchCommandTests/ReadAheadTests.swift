import Foundation
import GPSDReports
import Glibc
import LocationCore
import LocationGPSD
import Testing

@testable import LocwatchCommand

struct ReadAheadTests {
    /// So much that it is read in many chunks, whose ends lie anywhere in a line.
    private static let session = (0..<30_000).map { index in
        let seconds = String(format: "%02d:%02d:%02d", index / 3600, index / 60 % 60, index % 60)
        let time = "2026-11-20T\(seconds).000Z"
        return #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(time)","lat":45.\#(index),"lon":7.5}"#
            + "\n"
    }.joined()

    private func told(by text: String, tap: ((Int) -> Void)? = nil) throws -> [LocationUpdate] {
        let file = FileManager.default.temporaryDirectory.appending(path: "read-ahead-\(UUID().uuidString).json")
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let feed = try RecordingFeed(
            path: file.path, pace: .max,
            clock: SessionClock(ContinuousClock(), startingAt: Timestamp(nanosecondsSince1970: 0)),
            tap: tap.map { tap in { chunk, _ in tap(chunk.count) } })
        var updates: [LocationUpdate] = []
        var goesOn = true
        while goesOn {
            var watched = pollfd(fd: feed.descriptor, events: Int16(POLLIN), revents: 0)
            if watched.fd >= 0 { #expect(poll(&watched, 1, 10_000) == 1) }
            goesOn = try feed.step(isReady: true) { updates.append($0) }
        }
        return updates
    }

    @Test func `a large file that is read ahead tells what its bytes tell`() throws {
        var bytes = 0
        let updates = try told(by: Self.session) { bytes += $0 }
        var expected: [LocationUpdate] = []
        var reader = SessionReader(timing: .recorded)
        Data(Self.session.utf8).withUnsafeBytes { reader.read($0) { expected.append($0) } }
        reader.finish { expected.append($0) }
        #expect(updates.count > 30_000)
        #expect(updates == expected)
        #expect(bytes == Self.session.utf8.count)
    }

    @Test func `a large file that is no session is told from one`() throws {
        #expect(throws: LocationError.self) { _ = try told(by: String(repeating: "no session\n", count: 200_000)) }
    }

    @Test func `a session that ends early leaves no reader behind`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "read-ahead-\(UUID().uuidString).json")
        try Data(Self.session.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        var ahead: ReadAhead? = try ReadAhead(of: RecordingInput(file: file.path), keepsChunks: false)
        weak let left = ahead
        ahead?.abandon()
        ahead = nil
        let deadline = ContinuousClock.now.advanced(by: .seconds(10))
        while left != nil, ContinuousClock.now < deadline { sched_yield() }
        #expect(left == nil)
    }
}
