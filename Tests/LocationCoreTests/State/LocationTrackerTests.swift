import LocationCore
import TestSupport
import Testing

@Suite struct LocationTrackerTests {
    /// Events at seconds of a session, and the changes of the state that they cause, with those that follow from silence.
    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: [(second: Double, event: LocationEvent)]
        let changes: [String]

        init(_ name: String, _ events: [(Double, LocationEvent)], _ changes: [String]) {
            (testDescription, self.events, self.changes) = (name, events, changes)
        }
    }

    private static let search = LocationEvent.searching(.noFix(seen: 7, used: 0, best: 24))
    private static let lost = LocationEvent.searching(.deviceLost(path: "/dev/ttyACM0"))

    /// Returns a fix of an earlier epoch.
    private static func late(_ second: Double) -> LocationEvent { fix(second).with { $0.isLate = true } }

    /// Returns a fix at another place.
    private static func elsewhere(_ second: Double) -> LocationEvent {
        fix(second).with { $0.coordinate = Coordinate(latitude: 46, longitude: 8) }
    }

    private static let stories = [
        Story("a location without a fix", [(1, fix(1, .none))], []),
        Story("a fix in two dimensions", [(1, fix(1, .twoD))], ["fix 1", "silent 4"]),
        Story(
            "a failure like the one before",
            [1, 2].map { ($0, .failure(.daemon(message: "no"))) } + [(3, .failure(.daemon(message: "never")))],
            ["daemon 1", "daemon 3"]),
        Story("a newer fix moves the deadline without a change", [(1, fix(1)), (2, fix(2))], ["fix 1", "silent 5"]),
        Story("a late fix does not move the deadline", [(2, fix(2)), (3, late(1))], ["fix 2", "silent 5"]),
        Story(
            "satellites and notices do not move the deadline",
            [
                (1, fix(1)), (3, .satellites(SkyView(satellites: []))), (3, .notice(.message("still here"))),
                (3, .authorization(.authorized)),
            ], ["fix 1", "silent 4"]),
        Story(
            "a fix after the deadline follows the silence", [(1, fix(1)), (8, fix(8))],
            // Its only interval is seven seconds.
            ["fix 1", "silent 4", "fix 8", "silent 29"]),
        Story("the loss of the fix", [(1, fix(1)), (3.5, search)], ["fix 1", "noFix 3.5"]),
        Story(
            "a search goes on for another reason",
            [(0, .searching(.connecting(attempt: 1))), (1, .searching(.noDevice))], ["connecting 0", "noDevice 1"]),
        Story(
            "a fix after a search counts at once, as the receiver was never lost",
            [(1, fix(1)), (2, search), (3, fix(1))], ["fix 1", "noFix 2", "fix 3", "silent 6"]),
        Story(
            "a receiver whose clock restarted earlier is found once its time advances",
            [(1000, fix(1000)), (1001, lost), (1003, fix(3)), (1004, fix(4))],
            ["fix 1000", "deviceLost 1001", "fix 1004", "silent 1007"]),
        Story(
            "a receiver without times is found at once after a loss", [(1, fix(1)), (2, lost), (3, fix(nil))],
            ["fix 1", "deviceLost 2", "fix 3", "silent 6"]),
        Story(
            "another position at the time of the loss is not taken for a cached one",
            [(1, fix(1)), (1, .failure(.daemon(message: "no"))), (1, fix(1)), (1, elsewhere(1))],
            ["fix 1", "daemon 1", "fix 1", "silent 4"]),
    ]

    @Test(arguments: stories) func `a receiver is found and lost as in its story`(story: Story) {
        var tracker = LocationTracker()
        var changes = story.events.flatMap { tracker.apply($0.event, at: moment($0.second)) }
        if let silence = tracker.expire(at: moment(10_000)) { changes.append(silence) }
        let words = changes.map { change in
            let seconds = change.moment.elapsed.inSeconds
            return "\(change.reason.code) \(seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)")"
        }
        #expect(words == story.changes)
        for (before, after) in zip(changes, changes.dropFirst()) {
            #expect(after.lasted == before.moment.duration(to: after.moment))
        }
        var beginning = Duration.zero
        for change in changes {
            if change.to.location != nil { #expect(change.searched == change.moment.elapsed - beginning) }
            if change.from.location != nil { beginning = change.moment.elapsed }
        }
        #expect(tracker.deadline == nil)
    }

    @Test func `a search that continues for the same reason updates its figures without a transition`() {
        var tracker = LocationTracker()
        #expect(tracker.apply(.searching(.noFix(seen: 7, used: 0, best: 24)), at: moment(1)).count == 1)
        #expect(tracker.apply(.searching(.noFix(seen: 8, used: 0, best: 25)), at: moment(2)) == [])
        #expect(tracker.state == .searching(.noFix(seen: 8, used: 0, best: 25)))
    }

    static let losses: [LocationEvent] = [
        .searching(.deviceLost(path: "/dev/ttyACM0"), device: "/dev/ttyACM0"),
        .searching(.deviceUnopenable(path: "/dev/ttyACM0"), device: "/dev/ttyACM0"),
        .searching(.noDevice), .searching(.connecting(attempt: 2)),
        .failure(.unreachable(host: "localhost", port: 2947, cause: "refused")),
    ]

    @Test(arguments: losses)
    func `only a fix newer than a loss ends it`(loss: LocationEvent) {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        #expect(tracker.apply(loss, at: moment(2)).count == 1)
        #expect(tracker.apply(fix(1), at: moment(5)) == [], "the daemon has cached it from before the loss")
        #expect(tracker.apply(fix(1), at: moment(6)) == [], "the cached fix is repeated")
        #expect(tracker.apply(fix(7), at: moment(7)).map(\.reason) == [.fix])
    }
}
