import LocationCore
import LocwatchSupport

extension SessionMetrics {
    /// The maximum number of satellites of a receiver, which none reaches.
    private static let satelliteLimit = 256

    func putSkies(_ text: inout PrometheusText) {
        text.family("locwatch_dilution", .gauge, "The dilution of precision by its kind")
        eachSky { device, sky in
            let values: [(String, Double?)] = [
                ("g", sky.dilution.geometric), ("h", sky.dilution.horizontal), ("p", sky.dilution.position),
                ("t", sky.dilution.time), ("v", sky.dilution.vertical), ("x", sky.dilution.longitude),
                ("y", sky.dilution.latitude),
            ]
            for (kind, value) in values { text.add(value, ("device", device), ("kind", kind)) }
        }
        text.family("locwatch_satellites_seen", .gauge, "Satellites that the receiver sees")
        eachSky { Self.put(&text, $0, $1, total: $1.seen) { _ in true } }
        text.family("locwatch_satellites_used", .gauge, "Satellites that the fix uses")
        eachSky { Self.put(&text, $0, $1, total: $1.used) { $0.isUsed } }
        text.family("locwatch_satellite_signal_dbhz", .gauge, "The carrier-to-noise density of a satellite")
        eachSky { device, sky in
            // A series can have one sample only, even if a receiver lists a signal twice.
            var listed: Set<[String?]> = []
            for satellite in (sky.satellites ?? []).prefix(Self.satelliteLimit) {
                guard let signal = satellite.signal, let number = satellite.number ?? satellite.prn else { continue }
                let labels = [satellite.constellation?.name, "\(number)", satellite.signalBand.map { "\($0)" }]
                guard listed.insert(labels).inserted else { continue }
                text.add(signal, ("device", device), ("gnss", labels[0]), ("sv", labels[1]), ("signal", labels[2]))
            }
        }
    }

    private func eachSky(_ body: (String?, SkyView) -> Void) {
        for place in 0..<skies.count { body(skies.device(at: place), skies[place: place]) }
    }

    /// Appends the number of satellites by constellation, or the total if the satellites are not listed.
    private static func put(
        _ text: inout PrometheusText, _ device: String?, _ sky: SkyView, total: Int?, _ counts: (Satellite) -> Bool
    ) {
        guard let satellites = sky.distinctSatellites else { return text.add(total, ("device", device)) }
        // A constellation of which nothing is used has the count 0, so that its series does not end.
        let known = Set(satellites.map { $0.constellation })
        for constellation in known.sorted(by: { ($0?.rawValue ?? .max) < ($1?.rawValue ?? .max) }) {
            let count = satellites.count { $0.constellation == constellation && counts($0) }
            text.add(count, ("device", device), ("gnss", constellation?.name ?? "unknown"))
        }
    }
}
