import LocationCore

extension JSONPrinter {
    func print(_ sky: SkyView, received: Timestamp, into out: inout TextBuffer) {
        out.line("sky") { line in
            line.member("time", sky.timestamp)
            line.member("device", sky.device)
            line.member("seen", sky.seen)
            line.member("used", sky.used)
            line.member("signals", sky.signals)
            line.members(of: sky.dilution)
            line.member("received", received)
            if let satellites = sky.satellites { line.list("satellites", satellites) { $0.members(of: $1) } }
        }
    }
}

extension TextBuffer {
    /// Appends the members of a satellite's signal, of which only `used` is never absent.
    fileprivate mutating func members(of satellite: Satellite) {
        member("used", satellite.isUsed)
        member("prn", satellite.prn)
        member("gnss", satellite.constellation?.name)
        commonMembers(of: satellite)
        switch satellite.health {
        case .ok: member("healthy", true)
        case .bad: member("healthy", false)
        case .unknown, nil: break
        }
        member("qual", satellite.quality)
    }
}
