package import LocationCore
package import LocationTracks
import LocwatchSupport

extension Location {
    /// Returns whether a count of used satellites can be that of the position: a count of none, in a report of satellites
    /// that is not complete, is not that of a fix by satellites.
    package func admits(used count: Int?) -> Bool {
        guard count == 0 else { return true }
        switch quality {
        case .ordinary, .differential, .rtkFixed, .rtkFloat, .precisionCode: return false
        case .deadReckoning, .satellitesAndDeadReckoning, .surveyedTime, .simulated, .other: return true
        }
    }
}

extension SessionView {
    /// Returns a location with the data that other reports of its receiver add, and its error against a point if one is given.
    package func reported(
        _ location: Location, at moment: Moment, against reference: ReferencePoint? = nil
    ) -> TrackPoint {
        let sky = receivers[location.device]?.sky?.skyView
        var point = TrackPoint(location, seen: sky?.seen, used: sky?.used, dilution: sky?.dilution ?? .init())
        if !location.admits(used: point.used) { (point.used, point.seen) = (nil, nil) }
        if integrity.hasChanges { point.verdict = integrity.verdict(of: location.device) }
        point.isStationary = integrity.isStationary(location.device)
        if let reference { point.error = reference.error(of: location) }
        if location.received == nil { point.location.received = moment.wall }
        return point
    }

    /// Returns the standing that JSON contains, or `nil` for the current position of the only receiver and of a machine with
    /// a name.
    func shown(_ standing: TrackedUpdate.Standing, of location: Location) -> TrackedUpdate.Standing? {
        if location.isLate { return .late }
        if hasNames { return standing == .late ? .late : nil }
        return standing == .other || hasSeveralPositions ? standing : nil
    }

    /// Returns the last report of a receiver about itself.
    func status(of device: String) -> DeviceStatus? { receivers[device]?.status }
}
