import LocationCore
import Testing

@testable import LocwatchCommand

struct PositionCountTests {
    private func location(_ second: Double?, revision: Int = 0, device: String = "/dev/a") -> Location {
        var location = ScriptedSession.location(second ?? 0)
        if second == nil { location.timestamp = nil }
        location.device = device
        location.revision = revision
        return location
    }

    /// Which of some positions count, one after the other.
    private func counted(_ locations: [Location]) -> [Bool] {
        var positions = PositionCount()
        let answers = locations.map { positions.take($0) }
        #expect(positions.count == answers.count { $0 })
        return answers
    }

    @Test func `a revision of an instant is no position of its own`() {
        let locations = [location(1), location(1, revision: 1), location(1, revision: 2), location(2)]
        #expect(counted(locations) == [true, false, false, true])
    }

    @Test func `a revision whose instant was not counted is a position`() {
        // The first report of the second instant was held back, as for its accuracy.
        let locations = [location(1), location(2, revision: 1), location(2, revision: 2)]
        #expect(counted(locations) == [true, true, false])
    }

    @Test func `each receiver has its own instants`() {
        let locations = [
            location(1), location(1, device: "/dev/b"), location(1, revision: 1),
            location(1, revision: 1, device: "/dev/b"),
        ]
        #expect(counted(locations) == [true, true, false, false])
    }

    @Test func `positions without a time are each their own`() {
        #expect(counted([location(nil), location(nil)]) == [true, true])
    }
}
