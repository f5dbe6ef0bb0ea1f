import Foundation
import TestSupport
import Testing

/// A session that is watched and recorded at the same time.
@Suite struct LiveRecordingTests {
    @Test func `a recording of a live session replays to the positions that were watched`() async throws {
        let folder = try Scratch()
        let (server, port) = try await Locwatch.serving("sim:drive")
        let recorder = try Locwatch("exec $LW record -x 5s r.json localhost:\(port)", folder: folder.url)
        let watcher = try Locwatch("exec $LW -j --precision full -x 5s localhost:\(port)")
        #expect(try await recorder.end() == 0, "\(recorder.errors)")
        #expect(try await watcher.end() == 0, "\(watcher.errors)")
        try await server.stop()
        let replayed = try await Locwatch.run(
            "$LW -j --precision full --pace max r.json", folder: folder.url)
        #expect(replayed.code == 0)

        let (live, again) = (try positions(watcher.output), try positions(replayed.output))
        // The two began and ended at different times, so compare only the positions that both have in full.
        let first = max(try #require(live.first).time, try #require(again.first).time)
        let last = min(try #require(live.last).time, try #require(again.last).time)
        let both = [live, again].map { $0.filter { $0.time > first && $0.time < last } }
        #expect(both[0].count >= 10, "\(live.count) and \(again.count)")
        #expect(both[0] == both[1])
    }

    private struct Position: Equatable {
        let time: String
        let fields: [String: NSObject]
    }

    /// Returns all fields of each position except the time of arrival, which differs between clients.
    private func positions(_ output: String) throws -> [Position] {
        try Events.of("location", in: output).compactMap { event in
            var fields = event.compactMapValues { $0 as? NSObject }
            fields["received"] = nil
            return (event["time"] as? String).map { Position(time: $0, fields: fields) }
        }
    }
}
