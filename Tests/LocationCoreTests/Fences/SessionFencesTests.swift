import LocationCore
import LocationTesting
import TestSupport
import Testing

/// Tests of the fences of a session, which get the positions of the current receiver.
@Suite struct SessionFencesTests {
    private let home: Fence

    init() throws { home = try .circle() }

    private func session(
        ofFleet isFleet: Bool = false, request: LocationRequest = .everything,
        dwellAfter: Duration? = nil, list: FenceList? = nil, staleAfter: Duration = .seconds(30)
    ) -> TrackedSession {
        TrackedSession(
            Tracker(
                filters: SessionFilters(for: request), fences: list ?? FenceList([home], dwellAfter: dwellAfter),
                staleAfter: staleAfter), ofFleet: isFleet)
    }

    private func location(
        _ second: Double, device: String? = "/dev/a", isInside: Bool = true, accuracy: Double? = 3
    ) -> LocationEvent {
        fix(second, device: device, accuracy: accuracy).with {
            if !isInside { $0.coordinate = Coordinate(latitude: 45.1, longitude: 7) }
        }
    }

    @Test func `the positions of another receiver, and late ones, cause no event`() {
        var session = session()
        for second in 1...8 {
            session.process(location(Double(second), accuracy: 3), at: moment(Double(second)))
            session.process(
                location(Double(second), device: "/dev/b", isInside: false, accuracy: 5),
                at: moment(Double(second) + 0.1))
        }
        session.process(location(1, isInside: false).with { $0.isLate = true }, at: moment(9))
        #expect(session.fenceEvents == ["inside home at 1.0"])
    }

    /// Positions a second at home, of which the given ones are 11 km away, and the events.
    private func events(away seconds: ClosedRange<Int>, until end: Int) -> [String] {
        var session = session(list: FenceList([home], dwellAfter: .seconds(100)))
        for second in 0...end {
            session.process(
                location(Double(second), isInside: !seconds.contains(second)), at: moment(Double(second)))
        }
        return session.fenceEvents
    }

    @Test func `one false position in alarm moves no fence, and after the return a fence is watched as before`() {
        // Only the clock of the stay stands for the second of the false position.
        #expect(events(away: 20...20, until: 120) == ["inside home at 0.0", "dwell home at 101.0"])
        var session = session()
        for second in 0...22 {
            session.process(location(Double(second), isInside: second != 20), at: moment(Double(second)))
        }
        // A walk of 300 m in a minute, while the verdict is still an alarm.
        for second in 23...83 {
            let walk = location(Double(second)).with {
                $0.coordinate = $0.coordinate.destination(distance: 5 * Double(second - 22), bearing: 0)
                $0.speed = 5
            }
            session.process(walk, at: moment(Double(second)))
        }
        #expect(session.fenceEvents.map { $0.split(separator: " ")[0] } == ["inside", "exit"])
    }

    @Test func `a place far away in alarm leaves a fence when it is confirmed`() throws {
        let events = events(away: 20...600, until: 600)
        #expect(events.count == 2 && events[0] == "inside home at 0.0", "\(events)")
        let exit = try #require(events.last?.split(separator: " "))
        // 11 km are an ordinary journey after 370 s.
        let second = try #require(Double(exit[3]))
        #expect(exit[0] == "exit" && (350...390).contains(second), "\(events)")
    }

    @Test func `a correction of an anchor is a change of its record`() throws {
        let list = FenceList([try Fence(name: "anchor", shape: .anchor(radius: 20))])
        var session = session(list: list)
        session.process(location(1, accuracy: 60), at: moment(1))
        let count = list.eventCount
        let better = location(2, accuracy: 5).with {
            $0.coordinate = $0.coordinate.destination(distance: 30, bearing: 90)
        }
        session.process(better, at: moment(2))
        #expect(list.eventCount == count + 1 && list.record(for: "anchor")?.place == better.location?.coordinate)
        #expect(session.fenceEvents == ["inside anchor at 1.0"])
    }

    @Test func `a position that the request does not admit decides nothing`() {
        var session = session(request: LocationRequest(accuracy: 10))
        session.process(location(1), at: moment(1))
        for second in 2...9 {
            session.process(location(Double(second), isInside: false, accuracy: 50), at: moment(Double(second)))
        }
        #expect(session.fenceEvents == ["inside home at 1.0"] && session.view.isInside("home") == true)
    }

    @Test func `each device of a fleet has fences of its own, which decide at once`() {
        var session = session(ofFleet: true)
        session.process(location(1, device: "car"), at: moment(1))
        session.process(location(2, device: "bus", isInside: false), at: moment(2))
        session.process(location(3, device: "bus"), at: moment(3))
        session.process(location(4, device: "car", isInside: false), at: moment(4))
        #expect(
            session.fenceEvents == [
                "car inside home at 1.0", "bus outside home at 2.0", "bus enter home at 3.0", "car exit home at 4.0",
            ])
        #expect(session.view.isInside("home", device: "bus") == true)
        #expect(session.view.isInside("home", device: "car") == false)
        #expect(session.view.isInside("home", device: "tram") == nil)
    }

    @Test func `time without a position does not count for a dwell`() {
        var session = session(dwellAfter: .seconds(600))
        session.process(location(0), at: moment(0))
        session.process(.searching(.noFix(seen: 3, used: 0, best: nil), device: "/dev/a"), at: moment(1))
        session.process(location(600), at: moment(600))
        session.process(location(605), at: moment(605))
        #expect(session.fenceEvents.count == 1)
        // The position of 605 s is stale from 635 s on.
        session.run { $0.expire(at: moment(1_000)) }
        for second in 1_000...1_700 { session.process(location(Double(second)), at: moment(Double(second))) }
        // From 0 s to 1 s, from 600 s to 635 s, and from 1,000 s on.
        #expect(session.fenceEvents == ["inside home at 0.0", "dwell home at 1564.0"])
    }

    @Test func `the loss of one device of a fleet stops its own stay only`() {
        var session = session(ofFleet: true, dwellAfter: .seconds(60), staleAfter: .seconds(100))
        for device in ["car", "bus"] { session.process(location(0, device: device), at: moment(0)) }
        session.process(.searching(.noFix(seen: 3, used: 0, best: nil), device: "car"), at: moment(10))
        session.process(location(50, device: "car"), at: moment(50))
        session.run { $0.expire(at: moment(120)) }
        #expect(session.fenceEvents.suffix(2) == ["bus dwell home at 60.0", "car dwell home at 100.0"])
    }

    @Test func `a change of the list applies to the running session, and to each device of a fleet`() throws {
        let list = FenceList([home], dwellAfter: .seconds(10))
        var session = session(ofFleet: true, list: list)
        session.process(location(1, device: "car"), at: moment(1))
        session.process(location(2, device: "bus"), at: moment(2))
        list.add(try .circle("garden"))
        list.remove("home")
        session.process(location(3, device: "car"), at: moment(3))
        session.process(location(4, device: "bus"), at: moment(4))
        session.run { $0.expire(at: moment(20)) }
        #expect(
            session.fenceEvents == [
                "car inside home at 1.0", "bus inside home at 2.0", "car inside garden at 3.0",
                "bus inside garden at 4.0", "car dwell garden at 13.0", "bus dwell garden at 14.0",
            ])
        for device in ["car", "bus"] { #expect(session.view.isInside("home", device: device) == nil) }
        #expect(session.view.fenceNames == ["garden"])
    }
}
