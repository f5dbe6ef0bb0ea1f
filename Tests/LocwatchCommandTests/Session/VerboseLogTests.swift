import LocationCore
import Testing

@testable import LocwatchSession
@testable import LocwatchTerminal

struct VerboseLogTests {
    @Test func `the log has all events but positions and satellites, and none twice`() {
        let log = VerboseLog(Console(environment: [:]))
        let updates = ScriptedSession.updates
        let told = updates.compactMap { log.words(for: $0) }
        let kinds = told.map { String($0.prefix { $0 != ":" }) }
        #expect(
            kinds == [
                "searching", "device", "searching", "found", "notice", "notice", "notice", "notice", "notice",
                "positions", "searching", "error",
            ], "\(told)")
        #expect(told[0] == "searching: connected to gpsd 3.22")
        #expect(told.last?.hasPrefix("error: no gpsd at localhost:2947") == true)
        #expect(told.allSatisfy { !$0.contains("\u{1B}") }, "hidden characters are made visible")
    }

    @Test func `a continued search is logged only when its reason changes`() {
        let log = VerboseLog(Console(environment: [:]))
        func words(_ used: Int) -> String? {
            let reason = SearchReason.noFix(seen: 7, used: used, best: nil)
            return log.words(
                for: .update(LocationUpdate(.searching(reason, device: "/dev/x"), at: ScriptedSession.moment(0))))
        }
        #expect(words(0) == "searching: /dev/x: no fix, 7 satellites seen, 0 used")
        #expect(words(0) == nil)
        #expect(words(2) == "searching: /dev/x: no fix, 7 satellites seen, 2 used")
    }
}
