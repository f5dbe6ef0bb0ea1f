package import LocationCore

extension JSONPrinter {
    /// Appends a line for a device of a fleet with its last known position.
    package func print(_ device: FleetDevice, at moment: Moment, into out: inout TextBuffer) {
        out.line("device") { line in
            line.member("time", moment.wall)
            line.member("device", device.name)
            line.member("activity", device.activity.rawValue)
            line.member("state", device.state.word)
            if case .searching(let reason) = device.state { line.member("reason", reason.code) }
            line.member("battery", device.battery)
            guard let location = device.location else { return }
            line.member("fixTime", location.timestamp)
            line.member("lat", location.coordinate.latitude, precision)
            line.member("lon", location.coordinate.longitude, precision)
            line.member("eph", location.horizontalAccuracy)
            line.member("speed", location.speed)
            line.member("course", location.course)
            line.member("received", location.received)
        }
    }
}
