package import LocationCore
import LocwatchSupport

/// The statistics of the judgements of a session's receivers.
package struct IntegrityFigures: Sendable {
    /// The number of times that a receiver became suspect, and that one caused an alarm.
    package private(set) var suspects = 0, alarms = 0
    /// The time for which receivers were suspect, without alarms, and that of the alarms.
    package private(set) var suspectTime = Duration.zero, alarmTime = Duration.zero
    package private(set) var reasons: IntegrityReasons = []
    private var standing = PerDevice<IntegrityChange>()

    package var isNominal: Bool { reasons.isEmpty }

    mutating func process(_ change: IntegrityChange) {
        pass(change.moment, of: change.device)
        if change.to == .suspect, change.from != .suspect { suspects += 1 }
        if change.to == .alarm, change.from != .alarm { alarms += 1 }
        reasons.formUnion(change.reasons)
        standing.set(change, for: change.device)
    }

    /// Returns the figures as of the end of the session.
    func at(_ end: Moment?) -> IntegrityFigures {
        guard let end else { return self }
        var figures = self
        for device in standing.devices { figures.pass(end, of: device) }
        return figures
    }

    private mutating func pass(_ moment: Moment, of device: String?) {
        guard let before = standing[device] else { return }
        let passed = max(.zero, before.moment.duration(to: moment))
        switch before.to {
        case .nominal: break
        case .suspect: suspectTime += passed
        case .alarm: alarmTime += passed
        }
    }
}
