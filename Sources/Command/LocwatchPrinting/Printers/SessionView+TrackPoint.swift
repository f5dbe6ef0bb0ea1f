package import LocationCore
package import LocationTracks
import LocwatchSupport

extension SessionView {
    /// Returns a location with its satellites and the judgement of its receiver, and its error against a point if one is given.
    package func reported(
        _ location: Location, _ sky: SkyView?, at moment: Moment, against reference: ReferencePoint? = nil
    ) -> TrackPoint {
        var point = TrackPoint(location, seen: sky?.seen, used: sky?.used, dilution: sky?.dilution ?? .init())
        if integrity.hasChanges { point.verdict = integrity.verdict(of: location.device) }
        point.isStationary = integrity.isStationary(location.device)
        point.distance = distance(at: location)
        if let reference { point.error = reference.error(of: location) }
        if location.received == nil { point.location.received = moment.wall }
        return point
    }

    /// Returns the standing that JSON contains, or `nil` for the current position of the only receiver and of a machine with
    /// a name.
    func shown(_ standing: TrackedUpdate.Standing, of location: Location) -> TrackedUpdate.Standing? {
        if location.isLate || standing == .late { return .late }
        return standing == .other || hasRivalPositions ? standing : nil
    }

    /// Returns the last report of a receiver about itself.
    func status(of device: String) -> DeviceStatus? { receivers[device]?.status }
}
