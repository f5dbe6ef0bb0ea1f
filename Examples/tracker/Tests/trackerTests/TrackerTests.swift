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

    @Test func `a signal ends the loop over the positions, and the rest of the service runs`() async throws {
        // Not the arguments of the test, because those run at the same time, and a signal concerns the whole process.
        for signal in [SIGTERM, SIGINT] {
            let path = FileManager.default.temporaryDirectory.appending(path: "tracker-\(UUID().uuidString).gpx").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            let source = ScriptedLocationSource([.location(52.51, 13.37), .location(52.52, 13.37)], clock: clock)
            let points = EventLog<Int>()
            let service = Task {
                try await untilTerminated { points.append(try await Tracker(path: path).run(source)) }
            }
            try await eventually("both points") {
                try? String(contentsOfFile: path, encoding: .utf8)
            } is: {
                $0?.components(separatedBy: "<trkpt").count == 3
            }
            kill(getpid(), signal)
            try await service.value
            #expect(points.events == [2])
        }
    }
}
