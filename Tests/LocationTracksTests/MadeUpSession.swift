import LocationCore

/// Sessions that come out the same in every run.
struct MadeUpSession {
    var locations: [Location] = []

    var updates: [TrackedUpdate] {
        guard let first = locations.first else { return [] }
        let found = Transition(
            from: .searching(.starting), to: .found(first), at: Self.moment(0), lasted: .zero, device: first.device)
        return [.transition(found)]
            + locations.enumerated().map { .update(LocationUpdate(.location($1), at: Self.moment($0))) }
    }

    static func moment(_ second: Int) -> Moment {
        Moment(elapsed: .seconds(second), wall: SampleTrack.start.advanced(by: .seconds(second)))
    }

    static func standing(at origin: Coordinate, points: Int, seed: UInt64 = 12) -> MadeUpSession {
        var draw = SeededDraw(seed: seed)
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

    /// Five minutes at 12 m/s, five of standing that drift a metre a second to and fro, and five more at 12 m/s.
    static func driveWithStop() -> MadeUpSession {
        var draw = SeededDraw(seed: 8)
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

    /// Up a hill and down again.
    static func hill(height: Double, noise: Double) -> [TrackedUpdate] {
        var draw = SeededDraw(seed: 5)
        var session = MadeUpSession()
        var place = Coordinate(latitude: 45, longitude: 7)
        for second in 0...600 {
            place = place.destination(distance: 3, bearing: 0)
            let part = Double(second <= 300 ? second : 600 - second) / 300
            session.locations.append(
                Location(
                    coordinate: place, timestamp: moment(second).wall, device: "a", horizontalAccuracy: 3,
                    altitudeMSL: 500 + height * part + draw.uniform(-noise...noise), speed: 3))
        }
        return session.updates
    }
}
