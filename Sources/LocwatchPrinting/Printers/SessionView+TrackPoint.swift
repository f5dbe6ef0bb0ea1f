import LocationCore
import LocationTracks
import LocwatchSupport

extension SessionView {
    /// Returns a location with the data that other reports of its receiver add.
    func reported(_ location: Location, at moment: Moment) -> TrackPoint {
        let receiver = receivers[location.device]
        var point = TrackPoint(
            location, seen: receiver?.seen, used: receiver?.used, dilution: receiver?.dilution ?? .init())
        if location.received == nil { point.location.received = moment.wall }
        return point
    }

    /// Returns the last report of a receiver about itself.
    func status(of device: String) -> DeviceStatus? { receivers[device]?.status }
}
