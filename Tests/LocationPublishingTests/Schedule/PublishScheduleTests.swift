import LocationCore
import LocationPublishing
import TestSupport
import Testing

@Suite struct PublishScheduleTests {
    private func location(_ second: Double, north metres: Double = 0, course: Double? = nil, speed: Double? = nil)
        -> Location
    {
        var location = Location(coordinate: Coordinate(latitude: 45 + metres / 111_132, longitude: 7))
        location.timestamp = moment(second).wall
        location.course = course
        location.speed = speed
        return location
    }

    private func schedule(
        distance: Double? = nil, interval: Duration? = nil, angle: Double? = nil, heartbeat: Duration? = nil
    ) -> PublishSchedule {
        var options = PublishSchedule.Options()
        options.distance = distance
        options.interval = interval
        options.angle = angle
        options.heartbeat = heartbeat
        return PublishSchedule(options)
    }

    @Test func `without criteria each position is published, the first as found`() {
        var schedule = schedule()
        let records = (0..<5).compactMap { schedule.record(for: location(Double($0)), at: moment(Double($0))) }
        #expect(records.map(\.occasion) == [.found, .moved, .moved, .moved, .moved])
        #expect(records.map(\.time) == (0..<5).map { moment(Double($0)).wall })
    }

    @Test func `the distance, the interval or the change of course is sufficient`() {
        var schedule = schedule(distance: 50, interval: .seconds(60), angle: 30)
        func isPublished(_ location: Location, _ second: Double) -> Bool {
            schedule.record(for: location, at: moment(second)) != nil
        }
        #expect(isPublished(location(0, course: 0, speed: 10), 0))
        #expect(!isPublished(location(1, north: 49, course: 10, speed: 10), 1))
        #expect(isPublished(location(2, north: 51, course: 10, speed: 10), 2))
        #expect(!isPublished(location(3, north: 51, course: 341, speed: 10), 3))
        #expect(isPublished(location(4, north: 51, course: 339, speed: 10), 4))
        // Standing still, the course is noise.
        #expect(!isPublished(location(5, north: 51, course: 180, speed: 0.4), 5))
        #expect(isPublished(location(64, north: 51, speed: 0), 64))
    }

    @Test func `after a handover a heartbeat repeats the position of the new receiver, or none`() {
        var schedule = schedule(heartbeat: .seconds(300))
        _ = schedule.record(for: location(0), at: moment(0))
        schedule.replaceCurrent(by: location(1, north: 50))
        let beat = schedule.expire(at: moment(300))
        #expect(beat?.location == location(1, north: 50) && schedule.deadline == moment(600))
        schedule.replaceCurrent(by: nil)
        #expect(schedule.deadline == nil)
    }

    @Test func `a heartbeat repeats the current position, and only while there is one`() throws {
        var schedule = schedule(distance: 100, heartbeat: .seconds(300))
        _ = schedule.record(for: location(0), at: moment(0))
        _ = schedule.record(for: location(299, north: 3), at: moment(299))
        #expect(schedule.deadline == moment(300))
        #expect(schedule.expire(at: moment(299)) == nil)
        let expired = schedule.expire(at: moment(300))
        let beat = try #require(expired)
        #expect(beat.occasion == .heartbeat)
        #expect(beat.location?.timestamp == moment(299).wall)
        #expect(schedule.deadline == moment(600))
        _ = schedule.record(
            for: StateChange(
                from: .found(location(299)), to: .searching(.silent(for: .seconds(3))), at: moment(310),
                lasted: .seconds(310)))
        #expect(schedule.deadline == nil)
    }

    @Test func `a loss is published with the last position, and the next position as found`() throws {
        var schedule = schedule(distance: 100)
        _ = schedule.record(for: location(0), at: moment(0))
        let loss = StateChange(
            from: .found(location(0)), to: .searching(.silent(for: .seconds(3))), at: moment(4), lasted: .seconds(4))
        let record = schedule.record(for: loss)
        let lost = try #require(record)
        #expect(lost.occasion == .lost && lost.location == location(0) && lost.created == moment(4).wall)
        #expect(schedule.record(for: loss) == nil)
        #expect(schedule.record(for: location(9), at: moment(9))?.occasion == .found)
    }

    @Test func `a fence event is published at once with the position`() throws {
        var schedule = schedule(distance: 1_000)
        let event = FenceEvent(fence: "home", kind: .enter, moment: moment(1), coordinate: location(1).coordinate)
        #expect(schedule.record(for: event) == nil)
        _ = schedule.record(for: location(1), at: moment(1))
        #expect(schedule.record(for: event)?.occasion == .fence(.enter, name: "home"))
    }

    @Test func `a fence event has the position that caused it, which is not published again`() {
        var schedule = schedule(distance: 1_000)
        _ = schedule.record(for: location(1), at: moment(1))
        let event = FenceEvent(fence: "home", kind: .enter, moment: moment(2), coordinate: location(2).coordinate)
        let record = schedule.record(for: event, causedBy: location(2))
        #expect(record?.location == location(2) && record?.created == moment(2).wall)
        #expect(schedule.record(for: location(2), at: moment(2)) == nil)
    }

    @Test func `a late position is never published`() {
        var schedule = schedule()
        _ = schedule.record(for: location(5), at: moment(5))
        var late = location(3)
        late.isLate = true
        #expect(schedule.record(for: late, at: moment(6)) == nil)
    }

    // MARK: Satellites

    /// Returns the satellites in the records of each position of a session, which a track has too.
    private func skies(_ events: [(LocationEvent, Double)], needsSky: Bool = true) -> [SkyView?] {
        var (tracker, schedule, skies) = (Tracker(), schedule(), [SkyView?]())
        let updates = events.map { event, second in LocationUpdate(event, at: moment(second)) }
        for update in updates.withSkies {
            for case .update(let update, .current) in tracker.results(of: update) {
                guard let location = update.location,
                    var record = schedule.record(for: location, at: update.moment)
                else { continue }
                let sky = tracker.view.sky(of: location.device)
                #expect(update.sky == sky)
                record.note(tracker.view, sky, needsSky: needsSky)
                skies.append(record.sky)
            }
        }
        return skies
    }

    @Test func `the records contain the numbers of satellites`() {
        let sky = LocationEvent.satellites(SkyView(satellites: [Satellite()], seen: 12, used: 9))
        let records = skies([(sky, 0), (.location(location(0)), 0)], needsSky: false)
        #expect(records == [SkyView(satellites: nil, seen: 12, used: 9)])
    }

    @Test
    func `the records contain the satellites of their own receiver, while they are recent, if a target needs them`() {
        var other = SkyView(satellites: [Satellite()], device: "/dev/other")
        other.dilution.horizontal = 9
        var sky = SkyView(satellites: [Satellite(isUsed: true), Satellite()])
        sky.dilution.horizontal = 0.9
        // Later releases of gpsd report the dilutions alone.
        var dilutions = SkyView(satellites: nil)
        dilutions.dilution.horizontal = 0.8
        var merged = sky
        merged.dilution.horizontal = 0.8
        let records = skies([
            (.satellites(other), 0), (.location(location(0)), 0), (.satellites(sky), 1), (.location(location(1)), 1),
            (.satellites(dilutions), 2), (.location(location(2)), 2), (.location(location(13)), 13),
        ])
        #expect(records == [nil, sky, merged, nil])
    }

    @Test func `a record has no count of used satellites if the report says that a fix uses none`() {
        let search = LocationEvent.satellites(SkyView(satellites: [Satellite()]))
        let records = skies([
            (search, 0), (.location(location(0)), 0), (search, 1), (.location(location(1)), 1),
            (.location(location(20)), 20),
        ])
        #expect(records.map(\.?.seen) == [1, 1, nil] && records.map(\.?.used) == [nil, nil, nil])
    }
}
