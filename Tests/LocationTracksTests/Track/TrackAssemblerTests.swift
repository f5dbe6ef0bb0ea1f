import LocationCore
import LocationTracks
import Testing

@Suite struct TrackAssemblerTests {
    private static let place = Coordinate(latitude: 1, longitude: 2)

    private func location(_ second: Int?, device: String? = "a") -> Location {
        Location(coordinate: Self.place, timestamp: second.map { MadeUpSession.moment($0).wall }, device: device)
    }

    private func update(_ location: Location, at second: Int = 0) -> TrackedUpdate {
        .update(LocationUpdate(.location(location), at: MadeUpSession.moment(second)))
    }

    private func change(from: LocationState, to: LocationState) -> TrackedUpdate {
        .transition(StateChange(from: from, to: to, at: MadeUpSession.moment(9), lasted: .zero))
    }

    private func elements(
        _ updates: [TrackedUpdate], device: String? = nil, keepsSatellites: Bool = false
    ) -> [TrackElement] {
        var assembler = TrackAssembler(device: device, keepsSatellites: keepsSatellites)
        return updates.flatMap { assembler.process($0) }
    }

    @Test func `a loss of the position is one gap for any number of states`() {
        let found = LocationState.found(location(1))
        let silent = LocationState.searching(.silent(for: .seconds(3)))
        let gone = LocationState.searching(.deviceLost(path: "a"))
        let track = elements([
            change(from: .searching(.starting), to: found), update(location(1)), change(from: found, to: silent),
            change(from: silent, to: gone), change(from: gone, to: found), update(location(20)),
        ])
        let lost = StateChange(from: found, to: silent, at: MadeUpSession.moment(9), lasted: .zero)
        #expect(track == [.point(TrackPoint(location(1))), .gap(.loss(lost)), .point(TrackPoint(location(20)))])
    }

    @Test func `a time that goes back begins a segment without losing a point`() {
        let track = elements([5, 6, 2, 3].map { update(location($0)) })
        #expect(SampleTrack.points(track).count == 4)
        #expect(track.count == 5 && track[2] == .gap(.timeWentBack))
    }

    @Test func `a position that the daemon repeats after a loss adds no point`() {
        let repeated = TrackedUpdate.update(
            LocationUpdate(.location(location(6)), at: MadeUpSession.moment(9)), .outdated)
        let found = LocationState.found(location(6))
        let lost = change(from: found, to: .searching(.connecting(attempt: 1)))
        let track = elements([update(location(5)), update(location(6)), lost, repeated, update(location(10), at: 10)])
        #expect(SampleTrack.points(track) == [location(5), location(6), location(10)].map { TrackPoint($0) })
        #expect(track.count == 4)
    }

    @Test func `a point has no count of used satellites if the report says that a fix uses none`() {
        let sky = LocationEvent.satellites(SkyView(satellites: nil, seen: 9, used: 0, device: "a"))
        let track = elements(
            MadeUpSession.tracked([(sky, 1), (.location(location(1)), 1), (sky, 2), (.location(location(2)), 2)]))
        #expect(SampleTrack.points(track).map(\.used) == [nil, nil])
        #expect(SampleTrack.points(track).map(\.seen) == [9, 9])
    }

    @Test func `points without a time are kept`() {
        #expect(elements([update(location(nil)), update(location(nil)), update(location(3))]).count == 3)
    }

    @Test func `a track follows one receiver until it loses its position`() {
        let found = LocationState.found(location(1))
        let updates = [
            update(location(1, device: "a")), update(location(1, device: "b")), update(location(2, device: "a")),
            change(from: found, to: .searching(.deviceLost(path: "a"))), update(location(3, device: "b")),
        ]
        #expect(SampleTrack.points(elements(updates)).map(\.location.device) == ["a", "a", "b"])
        #expect(SampleTrack.points(elements(updates, device: "b")).map(\.location.device) == ["b", "b"])
        var assembler = TrackAssembler()
        for update in updates { _ = assembler.process(update) }
        #expect(assembler.points == 3 && assembler.leftOut == 1)
    }

    @Test func `a point carries a sky view of its receiver that is less than ten seconds old`() {
        var sky = SkyView(satellites: [Satellite(isUsed: true), Satellite()], device: "a")
        sky.dilution.horizontal = 1.5
        var figures = SkyView(satellites: nil, device: "a")
        figures.dilution.horizontal = 0.7
        let points = SampleTrack.points(
            elements(
                MadeUpSession.tracked([
                    (.location(location(0)), 0), (.satellites(sky), 1), (.location(location(1)), 1),
                    (.satellites(figures), 2), (.location(location(2)), 2), (.location(location(20)), 20),
                ])))
        #expect(points.map(\.used) == [nil, 1, 1, nil])
        #expect(points.map(\.seen) == [nil, 2, 2, nil])
        #expect(points.map(\.dilution.horizontal) == [nil, 1.5, 0.7, nil])
    }

    @Test func `a point lists satellites only if requested`() {
        let satellites = [Satellite(isUsed: true), Satellite()]
        let updates = MadeUpSession.tracked([
            (.satellites(SkyView(satellites: satellites, device: "a")), 0), (.location(location(0)), 0),
            (.satellites(SkyView(satellites: nil, device: "a")), 1), (.location(location(1)), 1),
            (.location(location(20)), 20),
        ])
        #expect(SampleTrack.points(elements(updates)).map(\.satellites) == [nil, nil, nil])
        #expect(
            SampleTrack.points(elements(updates, keepsSatellites: true)).map(\.satellites)
                == [satellites, satellites, nil])
    }
}
