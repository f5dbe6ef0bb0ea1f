import LocationTesting
import TestSupport
import Testing

@testable import LocationCore

@Suite struct SessionViewTests {
    private let a = "/dev/a"
    private let b = "/dev/b"
    private let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "refused")
    private let reset = LocationError.connectionLost(host: "localhost", port: 2947, cause: "reset")

    @Test func `the satellites of a receiver are those that its last position carries`() {
        var session = TrackedSession()
        let sky = SkyView(satellites: nil, seen: 12, used: 7, device: a)
        session.process(.satellites(sky), at: moment(0))
        #expect(session.view[a]?.sky?.used == 7 && session.view.sky(of: a) == nil, "nothing else joins the two")
        guard case .location(let location) = fix(1, device: a) else { return }
        var update = LocationUpdate(.location(location), at: moment(1))
        update.sky = sky
        session.run { $0.apply(update) }
        #expect(session.view.sky(of: a)?.used == 7)
        session.process(fix(0.5, device: a).with { $0.isLate = true }, at: moment(2))
        #expect(session.view.sky(of: a)?.used == 7, "a late position does not replace the last one")
        session.process(fix(3, device: a), at: moment(3))
        #expect(session.view.sky(of: a) == nil && session.view[a]?.sky?.used == 7)
    }

    @Test func `the attitude is that of the current receiver, or else of a compass until that is lost`() {
        var session = TrackedSession()
        let compass = { (heading: Double) in LocationEvent.attitude(Attitude(heading: heading, device: self.b)) }
        session.process(compass(10), at: moment(0))
        #expect(session.view.attitude?.heading == 10 && session.view[b]?.attitude?.heading == 10)
        session.process(fix(1, device: a), at: moment(1))
        #expect(session.view.attitude?.heading == 10, "the receiver of the position has no compass")
        session.process(fix(2, device: a).with { $0.heading = 200 }, at: moment(2))
        #expect(session.view.attitude?.heading == 200 && session.view[a]?.attitude?.heading == 200)
        session.process(.attitude(Attitude(heading: 205, device: a)), at: moment(2.5))
        #expect(session.view.attitude?.heading == 205, "between two positions it is newer")
        session.process(fix(3, device: a).with { $0.heading = 210 }, at: moment(3))
        #expect(session.view.attitude?.heading == 210)
        session.process(fix(4, device: a), at: moment(4))
        #expect(session.view.attitude?.heading == nil, "the last report by itself was that of this receiver")
        session.process(compass(20), at: moment(5))
        session.process(.searching(.deviceSilent(path: b), device: b), at: moment(6))
        #expect(session.view.attitude == nil && session.view[b]?.attitude == nil)
        session.process(compass(30), at: moment(7))
        session.process(.failure(reset), at: moment(8))
        #expect(session.view.attitude == nil)
    }

    @Test func `a position that the source has kept counts only if it is newer than the known one`() {
        var session = TrackedSession()
        let known = [5.0, 3, 7, 6].map { (second: Double) -> Timestamp? in
            guard case .location(let location) = fix(second, device: a) else { return nil }
            session.process(second == 5 ? .location(location) : .notice(.lastKnown(location)), at: moment(10))
            return session.view[a]?.record.knownLocation?.timestamp
        }
        #expect(known == [5, 5, 7, 7].map { moment($0).wall })
    }

    @Test func `a failure is new, then repeated, and ends with the number of its attempts`() throws {
        var session = TrackedSession()
        let standings = (1...3).flatMap { second in
            session.process(.failure(refused), at: moment(Double(second))).compactMap(\.standing)
        }
        #expect(standings == [.current, .repeated, .repeated])
        #expect(session.view.failure?.error == refused && session.view.failure?.count == 3)
        #expect(session.view.failure?.moment == moment(3) && !session.view.hasHeard)
        let results = session.process(.searching(.connected(release: "3.22")), at: moment(4))
        let run = try #require(results.first?.endedFailure)
        #expect(run.error == refused && run.count == 3 && run.moment == moment(3))
        #expect(results.first?.moment == moment(4))
        #expect(session.view.failure == nil && session.view.hasHeard)
    }

    @Test func `another failure ends the run of the first one`() {
        var session = TrackedSession()
        session.process(.failure(refused), at: moment(1))
        session.process(.failure(refused), at: moment(2))
        let results = session.process(.failure(reset), at: moment(3))
        #expect(results.compactMap(\.endedFailure?.count) == [2])
        #expect(results.compactMap(\.standing) == [.current])
        #expect(session.view.failure?.error == reset && session.view.failure?.count == 1)
        #expect(session.process(.failure(refused), at: moment(4)).compactMap(\.standing) == [.current])
    }

    @Test(arguments: [
        LocationEvent.searching(.starting), .searching(.connecting(attempt: 2)), .authorization(.authorized),
        .line([65]), .notice(.message("x")),
    ])
    func `an event of the attempt itself leaves a failure lasting`(event: LocationEvent) {
        var session = TrackedSession()
        session.process(.failure(refused), at: moment(1))
        session.process(event, at: moment(2))
        #expect(session.view.failure?.count == 1 && !session.view.hasHeard)
        #expect(session.process(.failure(refused), at: moment(3)).compactMap(\.standing) == [.repeated])
    }

    @Test func `each receiver has its own state, last position, satellites and status`() {
        var session = TrackedSession()
        var status = DeviceStatus(path: a)
        status.cycle = .seconds(1)
        session.process(.device(status), at: moment(0))
        session.process(fix(1, device: a, accuracy: 3), at: moment(1))
        session.process(.searching(.noFix(seen: 2, used: 0, best: nil), device: b), at: moment(1))
        session.process(.satellites(SkyView(satellites: nil, seen: 9, used: 4, device: b)), at: moment(1))
        let view = session.view
        #expect(view[a]?.state.location == view.location && view[a]?.lastLocation == view.location)
        #expect(view[a]?.status == status && view[a]?.sky == nil)
        #expect(view[b]?.state == .searching(.noFix(seen: 2, used: 0, best: nil)))
        #expect(
            view[b]?.sky?.seen == 9 && view[b]?.sky?.used == 4 && view[b]?.lastLocation == nil && view[b]?.status == nil
        )
        #expect(view.devices == [a, b])
    }

    @Test func `a late position does not replace the last one of its receiver`() {
        var session = TrackedSession()
        session.process(fix(5, device: a, accuracy: 3), at: moment(5))
        session.process(fix(2, device: a, accuracy: 1).with { $0.isLate = true }, at: moment(6))
        #expect(session.view[a]?.lastLocation?.horizontalAccuracy == 3)
        #expect(session.positions.map(\.standing) == [.current, .late])
    }

    @Test func `a position without a fix is outdated, and a request that restricts nothing does not withhold it`() {
        var session = TrackedSession()
        session.process(fix(1, .none, device: a, accuracy: 1), at: moment(1))
        session.process(fix(2, device: a, accuracy: 1), at: moment(2))
        session.process(fix(3, .none, device: a, accuracy: 1), at: moment(3))
        #expect(session.positions.map(\.standing) == [.outdated, .current, .outdated])
    }

    @Test func `a position of a fleet that the request does not admit changes nothing`() {
        let filters = SessionFilters(for: LocationRequest(accuracy: 10))
        var session = TrackedSession(Tracker(filters: filters, staleAfter: .seconds(10)), ofFleet: true)
        session.process(fix(1, device: "car", accuracy: 3), at: moment(1))
        session.process(fix(2, device: "bus", accuracy: 4), at: moment(2))
        session.process(fix(3, device: "car", accuracy: 50), at: moment(3))
        session.process(fix(4, .none, device: "car", accuracy: 1), at: moment(4))
        #expect(session.positions.map(\.standing) == [.current, .current, .withheld, .withheld])
        #expect(session.view.location?.device == "bus")
    }
}

extension TrackedUpdate {
    fileprivate var standing: Standing? { if case .update(_, let standing) = self { standing } else { nil } }

    fileprivate var endedFailure: FailureRun? { if case .failureEnded(let run, _) = self { run } else { nil } }
}
