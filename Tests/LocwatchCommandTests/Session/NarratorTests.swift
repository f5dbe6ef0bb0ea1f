import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of the one voice on standard error.
@Suite(.serialized, .withClocks) struct NarratorTests {
    @Test func `hidden characters reach no terminal`() async throws {
        let evil = LocationError.daemon(message: "\u{1B}[2Jgone\u{202E}")
        let result = try await CommandTrial.run("record - x", [.error(evil), .end])
        #expect(!result.errors.utf8.contains(0x1B) && !result.errors.unicodeScalars.contains("\u{202E}"))
    }

    // MARK: --verbose

    @Test func `the log has all events but positions and satellites, and none twice`() {
        var log = VerboseLog()
        let updates = ScriptedSession.updates
        let told = updates.compactMap { log.words(for: $0) }
        let kinds = told.map { String($0.prefix { $0 != ":" }) }
        #expect(
            kinds == [
                "searching", "device", "searching", "found", "notice", "notice", "notice", "notice", "notice", "notice",
                "notice", "positions", "searching", "error",
            ], "\(told)")
        #expect(told[0] == "searching: connected to gpsd 3.22")
        #expect(told.last?.hasPrefix("error: no gpsd at localhost:2947") == true)
        #expect(told.allSatisfy { !$0.contains("\u{1B}") }, "hidden characters are made visible")
    }

    @Test func `the duration of the search does not include the time for which the position was held`() {
        let wall = Timestamp(secondsSince1970: 1_800_000_000)
        var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7), fix: .threeD)
        location.received = wall.advanced(by: .milliseconds(20_000))
        let moment = Moment(elapsed: .milliseconds(20_300), wall: wall.advanced(by: .milliseconds(20_300)))
        var receiver = LocationTracker()
        let found = receiver.apply(.location(location), at: moment)[0]
        var log = VerboseLog()
        #expect(log.words(for: .transition(found))?.hasPrefix("found: 3D fix after 20 s: ") == true)
        var track = Tracker()
        _ = track.results(of: LocationUpdate(.notice(.staleAfter(.seconds(86_400))), at: moment))
        log = VerboseLog()
        #expect(log.words(for: .transition(found), track.view)?.hasPrefix("found: 3D fix: ") == true)
    }

    @Test func `a continued search is logged only when its reason changes`() {
        var log = VerboseLog()
        func words(_ used: Int) -> String? {
            let reason = SearchReason.noFix(seen: 7, used: used, best: nil)
            return log.words(for: .update(LocationUpdate(.searching(reason, device: "/dev/x"), at: 0)))
        }
        #expect(words(0) == "searching: /dev/x: no fix, 7 satellites seen, 0 used")
        #expect(words(0) == nil)
        #expect(words(2) == "searching: /dev/x: no fix, 7 satellites seen, 2 used")
    }
}
