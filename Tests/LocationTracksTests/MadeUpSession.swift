import LocationCore
import TestSupport

@testable import LocationTracks

/// Sessions that are the same in every run.
struct MadeUpSession {
    var locations: [Location] = []

    var updates: [TrackedUpdate] {
        guard let first = locations.first else { return [] }
        let found = StateChange(
            from: .searching(.starting), to: .found(first), at: Self.moment(0), lasted: .zero, device: first.device)
        return [.transition(found)]
            + locations.enumerated().map { .update(LocationUpdate(.location($1), at: Self.moment($0))) }
    }

    static func moment(_ second: Int) -> Moment { .after(.seconds(second), from: SampleTrack.start) }

    /// Returns a position on the way of a receiver that moves to the east at 10 m/s.
    static func moving(_ second: Double, _ device: String? = "a") -> Location {
        Location(
            coordinate: Coordinate(latitude: 45, longitude: 7).destination(distance: second * 10, bearing: 90),
            timestamp: moment(second).wall, device: device, horizontalAccuracy: 5, speed: 10)
    }

    static func moment(_ second: Double) -> Moment {
        .after(.milliseconds(Int(second * 1000)), from: SampleTrack.start)
    }

    /// Returns the updates of a session with events at seconds, as `Tracker` produces them.
    static func tracked(_ events: [(LocationEvent, Double)], staleAfter: Duration? = nil) -> [TrackedUpdate] {
        var tracker = Tracker(staleAfter: staleAfter)
        let updates = events.map { event, second in LocationUpdate(event, at: moment(second)) }
        return updates.withSkies.flatMap { tracker.results(of: $0) }
    }

    static func standing(at origin: Coordinate, points: Int, seed: UInt64 = 12) -> MadeUpSession {
        var draw = SplitMix64(seed: seed)
        var session = MadeUpSession()
        for second in 0..<points {
            let (east, north) = (draw.normal() * 2, draw.normal() * 3)
            var location = Location(
                coordinate: origin.destination(distance: abs(east), bearing: east < 0 ? 270 : 90)
                    .destination(distance: abs(north), bearing: north < 0 ? 180 : 0),
                timestamp: moment(second).wall, device: "a", horizontalAccuracy: draw.uniform(4...9),
                altitudeMSL: 240 + draw.normal() * 4, speed: draw.uniform(0...0.3))
            location.received = moment(second).wall.advanced(by: .milliseconds(180))
            session.locations.append(location)
        }
        return session
    }

    /// Returns five minutes at 12 m/s, five minutes at rest that drift a metre per second to and fro, and five more at
    /// 12 m/s.
    static func driveWithStop() -> MadeUpSession {
        var draw = SplitMix64(seed: 8)
        var session = MadeUpSession()
        var place = Coordinate(latitude: 45.07, longitude: 7.68)
        for second in 0...900 {
            let isStanding = 301...600 ~= second
            if second > 0, !isStanding { place = place.destination(distance: 12, bearing: 60) }
            let shown = isStanding ? place.destination(distance: 1, bearing: draw.uniform(0...360)) : place
            session.locations.append(
                Location(
                    coordinate: shown, timestamp: moment(second).wall, device: "a", horizontalAccuracy: 5,
                    altitudeMSL: 240, speed: isStanding ? draw.uniform(0...0.2) : 12, course: isStanding ? nil : 60))
        }
        return session
    }
}

extension TrackStatistics {
    /// Creates the statistics of a session.
    init(_ updates: [TrackedUpdate]) {
        self.init()
        for update in updates { process(update) }
    }

    /// Creates the statistics of positions that arrive at times; one without a timestamp has that of its arrival.
    init(_ count: Int, at time: (Int) -> Duration, _ location: (Int) -> Location) {
        self.init()
        var stillness = IntegrityMonitor()
        for number in 0..<count {
            let moment = MadeUpSession.moment(0).advanced(by: time(number))
            var location = location(number)
            location.timestamp = location.timestamp ?? moment.wall
            var update = LocationUpdate(.location(location), at: moment)
            // As the tracker of a session does it.
            _ = stillness.process(update)
            update.isStationary = stillness.isStationary(location.device)
            process(.update(update))
        }
    }

    /// Creates the statistics of positions that arrive one after another.
    init(_ count: Int, every interval: Duration = .seconds(1), _ location: (Int) -> Location) {
        self.init(count, at: { interval * $0 }, location)
    }
}

extension MadeUpSession {
    /// Returns a quarter of an hour with a search, a drive, a tunnel, a stop, and an error at the end.
    static func everything() -> [TrackedUpdate] {
        var draw = SplitMix64(seed: 21)
        var updates: [TrackedUpdate] = []
        var state = LocationState.searching(.starting)
        func change(_ to: LocationState, _ second: Int) {
            updates.append(
                .transition(StateChange(from: state, to: to, at: moment(second), lasted: .zero, device: "a")))
            state = to
        }
        var place = Coordinate(latitude: 45.07, longitude: 7.68)
        var bearing = 30.0
        for second in stride(from: 0, through: 900, by: 5) {
            if second % 10 == 0 {
                updates.append(.update(LocationUpdate(.satellites(sky(second, &draw)), at: moment(second))))
            }
            let isHidden = second < 25 || 300...340 ~= second || second > 870
            let isStanding = 500...700 ~= second
            if !isStanding {
                bearing += draw.uniform(-9...9.5)
                place = place.destination(distance: 55, bearing: bearing)
            }
            if isHidden {
                if case .found = state {
                    change(
                        second > 870 ? .error(.daemon(message: "x")) : .searching(.noFix(seen: 4, used: 0, best: 20)),
                        second)
                }
                continue
            }
            let east = draw.normal() * 1.5
            let shown =
                isStanding
                ? place.destination(distance: east, bearing: 90).destination(distance: draw.normal() * 2.5, bearing: 0)
                : place
            let location = Location(
                coordinate: shown, timestamp: moment(second).wall, device: "a",
                horizontalAccuracy: 4 + draw.uniform(0...1) + (second == 345 ? 12 : 0),
                altitudeMSL: 240 + draw.normal(),
                speed: isStanding ? 0.1 : 11, course: isStanding ? nil : bearing)
            if case .found = state {} else { change(.found(location), second) }
            updates.append(.update(LocationUpdate(.location(location), at: moment(second))))
        }
        return updates
    }

    private static func sky(_ second: Int, _ draw: inout SplitMix64) -> SkyView {
        let systems: [(Constellation, Int)] = [(.gps, 9), (.glonass, 5), (.galileo, 6), (.beidou, 4), (.sbas, 2)]
        var satellites: [Satellite] = []
        for (system, count) in systems {
            for number in 1...count {
                let seed = Double(number * 37 + system.rawValue * 61)
                let elevation = min(
                    88, max(2, (seed * 1.7).truncatingRemainder(dividingBy: 85) + Double(second) * 0.008))
                let azimuth = (seed * 7.3 + Double(second) * 0.02).truncatingRemainder(dividingBy: 360)
                let hidden = 300...340 ~= second
                satellites.append(
                    Satellite(
                        constellation: system, number: number + system.rawValue * 3, elevation: elevation.rounded(),
                        azimuth: azimuth.rounded(),
                        signal: hidden ? draw.uniform(5...16) : 22 + elevation / 5 + draw.uniform(0...4),
                        isUsed: !hidden && elevation > 15))
            }
        }
        return with(SkyView(satellites: satellites, device: "a")) { $0.dilution.horizontal = 0.9 }
    }
}
