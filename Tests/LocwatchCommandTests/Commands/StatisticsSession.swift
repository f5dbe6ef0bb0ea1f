import LocationTracks
import TestSupport

@testable import LocationCore

/// A session with known figures: a standstill, a drive, a loss, and a second receiver.
enum StatisticsSession {
    static var statistics: TrackStatistics {
        var statistics = TrackStatistics()
        for update in updates { statistics.process(update) }
        return statistics
    }

    private static var updates: [TrackedUpdate] {
        let noFix = LocationEvent.searching(.noFix(seen: 3, used: 0, best: nil), device: "/dev/ttyACM0")
        var updates = [TrackedUpdate.update(LocationUpdate(noFix, at: 0))]
        updates += ScriptedSession.updates.filter { update in
            if case .update(let update, _) = update, case .satellites = update.event { return true }
            return false
        }
        updates += transition(.searching(.starting), .found(standing(20)), at: 20)
        updates += (20..<150).map { .update(location(standing($0), at: $0)) }
        updates += (150..<210).map { .update(location(moving($0), at: $0)) }
        updates += transition(.found(moving(209)), .searching(.silent(for: .seconds(5))), at: 215)
        updates += transition(.searching(.silent(for: .seconds(5))), .found(moving(220)), at: 220)
        updates += (220..<230).map { .update(location(moving($0), at: $0)) }
        let other = with(standing(230)) { ($0.device, $0.timestamp) = ("/dev/ttyUSB0", nil) }
        updates.append(.update(location(other, at: 230), .other))
        for second in 0..<20 {
            let drift = Int64(second) * 12_000
            for (source, offset) in [(ClockSample.Source.pulse, 3_200_000 + drift), (.message, 146_200_000 + drift)] {
                let sample = ClockSession.sample(source, second: second, offset: offset, device: "/dev/ttyACM0")
                updates.append(.update(LocationUpdate(.clock(sample), at: 230)))
            }
        }
        return updates
    }

    private static func location(_ location: Location, at second: Int) -> LocationUpdate {
        var update = LocationUpdate(.location(location), at: ScriptedSession.moment(Double(second) + 0.125))
        if location.timestamp != nil { update.reportInterval = .init(median: .seconds(1), staleAfter: .seconds(3)) }
        return update
    }

    private static func transition(_ from: LocationState, _ to: LocationState, at seconds: Double) -> [TrackedUpdate] {
        let transition = StateChange(
            from: from, to: to, at: ScriptedSession.moment(seconds), lasted: .seconds(1), device: "/dev/ttyACM0")
        return [.deviceTransition(transition), .transition(transition)]
    }

    private static func standing(_ second: Int) -> Location {
        let offset = Double(second % 4 - 2) * 1e-5
        var location = ScriptedSession.location(Double(second), latitude: 45.07 + offset, longitude: 7.68 - offset / 2)
        location.speed = 0.1
        location.speedAccuracy = 0.3
        location.altitudeMSL = 260 + Double(second % 3)
        return location
    }

    private static func moving(_ second: Int) -> Location {
        var location = ScriptedSession.location(
            Double(second), latitude: 45.07 + Double(second - 149) * 1e-4, longitude: 7.68)
        location.speed = 11.1
        location.altitudeMSL = 260 + Double(second - 149)
        location.quality = .differential
        return location
    }
}
