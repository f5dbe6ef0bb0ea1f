import LocationCore
import LocwatchSupport

extension SessionMetrics {
    private struct Signal: Hashable {
        var gnss: String?
        var number: Int
        var band: Int?
    }

    /// The maximum number of satellites of a receiver, which none reaches.
    private static let satelliteLimit = 256

    func putSkies(_ text: inout PrometheusText) {
        text.family("locwatch_dilution", .gauge, "The dilution of precision by its kind") { samples in
            eachSky { device, sky in
                let values: [(String, Double?)] = [
                    ("g", sky.dilution.geometric), ("h", sky.dilution.horizontal), ("p", sky.dilution.position),
                    ("t", sky.dilution.time), ("v", sky.dilution.vertical), ("x", sky.dilution.longitude),
                    ("y", sky.dilution.latitude),
                ]
                for (kind, value) in values { samples.add(value, ("device", device), ("kind", kind)) }
            }
        }
        text.family("locwatch_satellites_seen", .gauge, "Satellites that the receiver sees") { samples in
            eachSky { Self.put(&samples, $0, $1, total: $1.seen) { _ in true } }
        }
        text.family("locwatch_satellites_used", .gauge, "Satellites that the fix uses") { samples in
            eachSky { Self.put(&samples, $0, $1, total: $1.used) { $0.isUsed } }
        }
        text.family("locwatch_satellite_signal_dbhz", .gauge, "The carrier-to-noise density of a satellite") {
            samples in
            eachSky { device, sky in
                // A series can have one sample only, even if a receiver lists a satellite twice.
                var listed: Set<Signal> = []
                for satellite in (sky.satellites ?? []).prefix(Self.satelliteLimit) {
                    guard let signal = satellite.signal, let number = satellite.number ?? satellite.prn else {
                        continue
                    }
                    let key = Signal(
                        gnss: satellite.constellation?.name, number: number, band: satellite.signalBand)
                    guard listed.insert(key).inserted else { continue }
                    samples.add(
                        signal, ("device", device), ("gnss", key.gnss), ("sv", "\(number)"),
                        ("signal", key.band.map { "\($0)" }))
                }
            }
        }
    }

    private func eachSky(_ body: (String?, SkyView) -> Void) {
        for place in 0..<skies.count { body(skies.device(at: place), skies[place: place]) }
    }

    /// Appends the number of satellites by constellation, or the total if the satellites are not listed.
    private static func put(
        _ samples: inout PrometheusText.Samples, _ device: String?, _ sky: SkyView, total: Int?,
        _ counts: (Satellite) -> Bool
    ) {
        guard let satellites = sky.satellites else { return samples.add(total, ("device", device)) }
        // A constellation of which nothing is used has the count 0, so that its series does not end.
        let known = Set(satellites.map { $0.constellation })
        for constellation in known.sorted(by: { ($0?.rawValue ?? .max) < ($1?.rawValue ?? .max) }) {
            let count = satellites.count { $0.constellation == constellation && counts($0) }
            samples.add(count, ("device", device), ("gnss", constellation?.name ?? "unknown"))
        }
    }
}
