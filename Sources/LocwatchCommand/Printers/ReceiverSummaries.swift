import LocationCore
import LocationTracks
import LocwatchSupport

/// The latest satellites and status of each receiver, which complement the reports of positions.
struct ReceiverSummaries: Sendable {
    private struct Receiver {
        var used: Int?
        var seen: Int?
        var dilution = DilutionOfPrecision()
        var status: DeviceStatus?
    }

    private var receivers = PerDevice<Receiver>()

    /// The number of receivers that appeared in reports.
    var receiverCount: Int { receivers.count }

    mutating func note(_ event: LocationEvent) {
        switch event {
        case .satellites(let sky):
            let place = receivers.place(of: sky.device, default: Receiver())
            // A report without a list and counts leaves the last ones valid.
            if let used = sky.used { receivers[place: place].used = used }
            if let seen = sky.seen { receivers[place: place].seen = seen }
            if sky.dilution != DilutionOfPrecision() { receivers[place: place].dilution = sky.dilution }
        case .device(let status): receivers[status.path, default: Receiver()].status = status
        case .location: _ = receivers.place(of: event.device, default: Receiver())
        case .searching, .failure, .receiver, .clock, .authorization, .line, .notice: break
        }
    }

    /// Returns a location with the data that other reports of its receiver add.
    func reported(_ location: Location, at moment: Moment) -> TrackPoint {
        let receiver = receivers[location.device]
        var point = TrackPoint(
            location, seen: receiver?.seen, used: receiver?.used, dilution: receiver?.dilution ?? .init())
        if location.received == nil { point.location.received = moment.wall }
        return point
    }

    func status(of device: String) -> DeviceStatus? { receivers[device]?.status }
}
