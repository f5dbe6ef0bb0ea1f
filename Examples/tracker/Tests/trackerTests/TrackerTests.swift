import Foundation
import LocationTesting
import Testing

@testable import tracker

struct TrackerTests {
    private let clock = ManualClock()

    @Test func `a track is continued in a new segment, and positions close to the last one are left out`() async throws
    {
        let path = FileManager.default.temporaryDirectory.appending(path: "tracker-\(UUID().uuidString).gpx").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let tracker = Tracker(path: path)

        let first = ScriptedLocationSource(
            [.location(52.51, 13.37), .location(52.51001, 13.37), .location(52.52, 13.37), .end], clock: clock)
        #expect(try await tracker.run(first) == 2)
        let second = ScriptedLocationSource([.location(52.53, 13.37), .end], clock: clock)
        #expect(try await tracker.run(second) == 1)

        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.components(separatedBy: "<trkpt").count == 4)
        #expect(text.components(separatedBy: "<trkseg>").count == 3)
    }
}
