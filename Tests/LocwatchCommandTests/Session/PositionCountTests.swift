import LocationCore
import Testing

@testable import LocwatchSession

struct PositionCountTests {
    private func location(_ second: Double?, revision: Int = 0, device: String = "/dev/a") -> Location {
        var location = ScriptedSession.location(second ?? 0)
        if second == nil { location.timestamp = nil }
        location.device = device
        location.revision = revision
        return location
    }

    /// Returns for each position in turn whether it counts.
    private func counted(_ locations: [Location]) -> [Bool] {
        var positions = PositionCount()
        let answers = locations.map { positions.process($0) }
        #expect(positions.count == answers.count { $0 })
        return answers
    }

    @Test func `a revision of a counted epoch does not count`() {
        let locations = [location(1), location(1, revision: 1), location(1, revision: 2), location(2)]
        #expect(counted(locations) == [true, false, false, true])
    }

    @Test func `a revision counts if its epoch was not counted before`() {
        // The first report of the second epoch was held back, for example because of its accuracy.
        let locations = [location(1), location(2, revision: 1), location(2, revision: 2)]
        #expect(counted(locations) == [true, true, false])
    }

    @Test func `the epochs of different receivers count separately`() {
        let locations = [
            location(1), location(1, device: "/dev/b"), location(1, revision: 1),
            location(1, revision: 1, device: "/dev/b"),
        ]
        #expect(counted(locations) == [true, true, false, false])
    }

    @Test func `each position without a time counts`() {
        #expect(counted([location(nil), location(nil)]) == [true, true])
    }
}
