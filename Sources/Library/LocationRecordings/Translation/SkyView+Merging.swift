import LocationCore

extension SkyView {
    /// The number of signals in a merged list, which receivers of all systems and bands do not reach.
    private static let mergedLimit = 256

    /// Adds what an earlier report of the same epoch contains and this one lacks.
    mutating func complete(with earlier: SkyView) {
        timestamp = timestamp ?? earlier.timestamp
        dilution.complete(with: earlier.dilution)
        guard let list = satellites else {
            satellites = earlier.satellites
            seen = seen ?? earlier.seen
            used = used ?? earlier.used
            return
        }
        // Some receivers report each system in a list of its own. A list without room for others need not be compared.
        guard list.count < Self.mergedLimit else { return }
        let names = list.map(SatelliteName.init)
        let unlisted = earlier.satellites?.filter { !names.contains(SatelliteName($0)) } ?? []
        let others = Array(unlisted.suffix(Self.mergedLimit - list.count))
        guard !others.isEmpty else { return }
        let all = others + list
        satellites = all
        seen = all.count
        used = all.count { $0.isUsed }
    }
}

extension DilutionOfPrecision {
    mutating func complete(with earlier: DilutionOfPrecision) {
        for place in Self.fields.indices where self[number: place] == nil {
            self[number: place] = earlier[number: place]
        }
    }
}

/// The numbers that tell a satellite's signal from others.
private struct SatelliteName: Equatable {
    let constellation: Constellation?
    let number: Int?
    let prn: Int?
    let band: Int?

    init(_ satellite: Satellite) {
        constellation = satellite.constellation
        number = satellite.number
        prn = satellite.prn
        band = satellite.signalBand
    }
}
