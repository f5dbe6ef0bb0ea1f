import LocationCore
import LocationTesting
import Testing

/// Returns a moment of a session that begins at noon.
func moment(_ seconds: Double) -> Moment {
    Moment(elapsed: .zero, wall: Timestamp("2026-11-20T12:00:00Z") ?? .init(nanosecondsSince1970: 0))
        .advanced(by: .milliseconds(Int((seconds * 1000).rounded())))
}

/// Returns a fix whose timestamp is `seconds` into the session.
func fix(
    _ seconds: Double?, _ kind: FixKind = .threeD, device: String? = "/dev/ttyACM0", accuracy: Double? = nil
) -> LocationEvent {
    .location(
        Location(
            coordinate: Coordinate(latitude: 45, longitude: 7), fix: kind,
            timestamp: seconds.map { moment($0).wall }, device: device, horizontalAccuracy: accuracy))
}

@Suite struct LocationTrackerTests {
    @Test func `a new tracker is searching because it is starting`() {
        #expect(LocationTracker().state == .searching(.starting))
        #expect(LocationTracker().deadline == nil)
    }

    @Test(arguments: [FixKind.twoD, .threeD])
    func `a 2D or 3D fix changes the state to found`(kind: FixKind) throws {
        var tracker = LocationTracker()
        let transitions = tracker.apply(fix(1, kind), at: moment(1))
        let transition = try #require(transitions.first)
        #expect(transitions.count == 1)
        #expect(transition.from == .searching(.starting))
        #expect(transition.to.location?.fix == kind)
        #expect(transition.reason == .fix)
        #expect(transition.lasted == .seconds(1))
        #expect(transition.moment == moment(1))
        #expect(transition.device == "/dev/ttyACM0")
    }

    @Test func `a location without a fix is ignored`() {
        var tracker = LocationTracker()
        #expect(tracker.apply(fix(1, .none), at: moment(1)) == [])
        #expect(tracker.state == .searching(.starting))
    }

    @Test func `a newer fix is shown without a transition`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        #expect(tracker.apply(fix(2), at: moment(2)) == [])
        #expect(tracker.state.location?.timestamp == moment(2).wall)
    }

    @Test func `a late fix neither replaces nor prolongs the current one`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(2), at: moment(2))
        guard case .location(var late) = fix(1) else { return }
        late.isLate = true
        #expect(tracker.apply(.location(late), at: moment(3)) == [])
        #expect(tracker.state.location?.timestamp == moment(2).wall)
        #expect(tracker.deadline == moment(5))
    }

    @Test func `the loss of the fix reports the satellites in view`() throws {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        let reason = SearchReason.noFix(seen: 7, used: 0, best: 24)
        let transition = try #require(tracker.apply(.searching(reason), at: moment(9.5 - 6)).first)
        #expect(transition.to == .searching(reason))
        #expect(transition.reason.code == "noFix")
        #expect(transition.lasted == .seconds(2.5))
    }

    @Test func `a search that continues for the same reason updates its figures without a transition`() {
        var tracker = LocationTracker()
        #expect(tracker.apply(.searching(.noFix(seen: 7, used: 0, best: 24)), at: moment(1)).count == 1)
        #expect(tracker.apply(.searching(.noFix(seen: 8, used: 0, best: 25)), at: moment(2)) == [])
        #expect(tracker.state == .searching(.noFix(seen: 8, used: 0, best: 25)))
    }

    @Test func `a search that continues for another reason is a transition`() {
        var tracker = LocationTracker()
        _ = tracker.apply(.searching(.connecting(attempt: 1)), at: moment(0))
        #expect(tracker.apply(.searching(.noDevice), at: moment(1)).map(\.reason.code) == ["noDevice"])
    }

    @Test func `a fix older than staleAfter is no longer shown as current`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        #expect(tracker.deadline == moment(4))
        #expect(tracker.expire(at: moment(3.999)) == nil)
        let transition = tracker.expire(at: moment(10))
        #expect(transition?.to == .searching(.silent(for: .seconds(3))))
        #expect(transition?.moment == moment(4), "the silence begins at the deadline, not when it is noticed")
        #expect(transition?.lasted == .seconds(3))
        #expect(tracker.deadline == nil)
        #expect(tracker.expire(at: moment(20)) == nil)
    }

    @Test func `every position moves the deadline`() {
        var tracker = LocationTracker()
        for second in 1...9 { #expect(tracker.apply(fix(Double(second)), at: moment(Double(second))).count < 2) }
        #expect(tracker.deadline == moment(12))
    }

    @Test func `satellites and notices do not prolong a position`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        #expect(tracker.apply(.satellites(SkyView(satellites: [])), at: moment(3)) == [])
        #expect(tracker.apply(.notice(.message("still here")), at: moment(3)) == [])
        #expect(tracker.apply(.authorization(.authorized), at: moment(3)) == [])
        #expect(tracker.deadline == moment(4))
    }

    @Test func `an event after the deadline is preceded by the silence`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        let transitions = tracker.apply(fix(8), at: moment(8))
        #expect(transitions.map(\.reason.code) == ["silent", "fix"])
        #expect(transitions.map(\.moment) == [moment(4), moment(8)])
        #expect(transitions.map(\.lasted) == [.seconds(3), .seconds(4)])
    }

    @Test(arguments: [(0.2, 3.0), (1.0, 3.0), (5.0, 15.0)])
    func `a position stays current for three cycles of the device but at least three seconds`(
        cycle: Double, expected: Double
    ) {
        var tracker = LocationTracker()
        var status = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        status.cycle = .seconds(cycle)
        _ = tracker.apply(.device(status), at: moment(0))
        status.cycle = nil
        _ = tracker.apply(.device(status), at: moment(0))
        #expect(tracker.staleAfter == .seconds(expected))
    }

    @Test func `a given staleAfter overrides the cycle`() {
        var tracker = LocationTracker(staleAfter: .seconds(1))
        var status = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        status.cycle = .seconds(5)
        _ = tracker.apply(.device(status), at: moment(0))
        #expect(tracker.staleAfter == .seconds(1))
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

    @Test func `a receiver whose clock restarted earlier is found once its time advances`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1000), at: moment(1000))
        _ = tracker.apply(.searching(.deviceLost(path: "/dev/ttyACM0")), at: moment(1001))
        #expect(tracker.apply(fix(3), at: moment(1003)) == [])
        #expect(tracker.apply(fix(4), at: moment(1004)).map(\.reason) == [.fix])
    }

    @Test func `a different position at the time of the loss is not taken for a cached one`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        _ = tracker.apply(.failure(.daemon(message: "no")), at: moment(1))
        #expect(tracker.apply(fix(1), at: moment(1)) == [])
        guard case .location(var elsewhere) = fix(1) else { return }
        elsewhere.coordinate = Coordinate(latitude: 46, longitude: 8)
        #expect(tracker.apply(.location(elsewhere), at: moment(1)).map(\.reason) == [.fix])
    }

    @Test func `a receiver without timestamps is found at once after a loss`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        _ = tracker.apply(.searching(.deviceLost(path: "/dev/ttyACM0")), at: moment(2))
        #expect(tracker.apply(fix(nil), at: moment(3)).map(\.reason) == [.fix])
    }

    @Test func `a fix after a noFix counts at once because the receiver was never lost`() {
        var tracker = LocationTracker()
        _ = tracker.apply(fix(1), at: moment(1))
        _ = tracker.apply(.searching(.noFix(seen: nil, used: nil, best: nil)), at: moment(2))
        #expect(tracker.apply(fix(1), at: moment(3)).map(\.reason) == [.fix])
    }

    @Test func `a failure is a transition only if it differs from the previous one`() {
        var tracker = LocationTracker()
        let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "refused")
        #expect(tracker.apply(.failure(refused), at: moment(1)).map(\.to) == [.error(refused)])
        #expect(tracker.apply(.failure(refused), at: moment(2)) == [])
        let unknown = LocationError.unresolvable(host: "x", port: 2947, cause: "unknown")
        #expect(tracker.apply(.failure(unknown), at: moment(3)).map(\.reason) == [.failure(unknown)])
    }

    @Test func `no sequence of events shows a position past its deadline`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<200 {
            var tracker = LocationTracker(staleAfter: .seconds(3))
            var now = 0.0
            var lastUsable: Double?
            var lasted = Duration.zero
            for _ in 0..<100 {
                now += Double(generator.next() % 5000) / 1000
                let event: LocationEvent =
                    switch generator.next() % 6 {
                    case 0...2: fix(now)
                    case 3: .searching(.noFix(seen: 3, used: 0, best: 20))
                    case 4: .satellites(SkyView(satellites: []))
                    default: .failure(.daemon(message: "\(now)"))
                    }
                for transition in tracker.apply(event, at: moment(now)) { lasted += transition.lasted }
                if case .location = event { lastUsable = now }
                if case .found = tracker.state { #expect(now - (lastUsable ?? -.infinity) < 3) }
            }
            #expect(lasted <= moment(now).elapsed, "the states follow one another without overlap")
        }
    }
}
