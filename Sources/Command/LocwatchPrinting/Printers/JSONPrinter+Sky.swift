import LocationCore

extension JSONPrinter {
    func print(_ sky: SkyView, received: Timestamp, into out: inout TextBuffer) {
        out.line("sky") { line in
            line.member("time", sky.timestamp)
            line.member("device", sky.device)
            line.member("seen", sky.seen)
            line.member("used", sky.used)
            line.member("xdop", sky.dilution.longitude)
            line.member("ydop", sky.dilution.latitude)
            line.member("hdop", sky.dilution.horizontal)
            line.member("vdop", sky.dilution.vertical)
            line.member("pdop", sky.dilution.position)
            line.member("tdop", sky.dilution.time)
            line.member("gdop", sky.dilution.geometric)
            line.member("received", received)
            guard let satellites = sky.satellites else { return }
            line.put(",\"satellites\":[")
            for (index, satellite) in satellites.enumerated() {
                if index > 0 { line.put(UInt8(ascii: ",")) }
                line.put(satellite)
            }
            line.put(UInt8(ascii: "]"))
        }
    }
}

extension TextBuffer {
    /// Appends a satellite as an object; `used` comes first because it is never absent.
    fileprivate mutating func put(_ satellite: Satellite) {
        put(satellite.isUsed ? "{\"used\":true" : "{\"used\":false")
        member("prn", satellite.prn)
        member("gnss", satellite.constellation?.name)
        member("svid", satellite.number)
        member("sigid", satellite.signalBand)
        member("freqid", satellite.frequencySlot)
        member("el", satellite.elevation)
        member("az", satellite.azimuth)
        member("ss", satellite.signal)
        member("prRes", satellite.residual)
        switch satellite.health {
        case .ok: member("healthy", true)
        case .bad: member("healthy", false)
        case .unknown, nil: break
        }
        member("qual", satellite.quality)
        put(UInt8(ascii: "}"))
    }
}
