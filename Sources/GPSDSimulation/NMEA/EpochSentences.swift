import LocationCore

/// The sentences of an epoch in the order in which receivers send them.
enum EpochSentences {
    /// Returns an epoch's sentences; if it is reported several times, the first report holds the least, the last all.
    static func sentences(of epoch: ScenarioEpoch, repeated times: Int) -> [NMEASentence] {
        let position = epoch.reported
        let start: [NMEASentence] = [
            .rmc(position, from: .combined), .vtg(position, from: .combined), .gga(position, from: .combined),
        ]
        let geometry = NMEASentence.gsa(
            epoch.reception.dimensions.flatMap { FixKind(rawValue: $0) } ?? .none,
            satellites: epoch.used.map { Satellite($0, isUsed: true) },
            dilution: epoch.dops ?? DilutionOfPrecision())
        let sky = NMEASentence.gsv(epoch.satellites.map { Satellite($0, isUsed: false) })
        let ends: [NMEASentence] = [
            .gll(position, from: .combined), .gst(position, from: .combined), .zda(position, from: .combined),
        ]
        guard times > 1 else { return start + geometry + sky + ends }
        // gpsd reports at the sentence that it has learned to be the last of a cycle. Each epoch ends with a different
        // sentence, so that gpsd takes all of them for the end.
        let turn = epoch.index % ends.count
        let rotated = Array(ends[turn...] + ends[..<turn])
        var sentences = [.rmc(position, from: .combined)] + rotated
        for _ in 2..<times { sentences += start + geometry + rotated }
        return sentences + start + geometry + sky + rotated
    }
}

extension Satellite {
    fileprivate init(_ satellite: SimulatedSatellite, isUsed: Bool) {
        self.init(
            constellation: satellite.system.constellation, number: satellite.number, elevation: satellite.elevation,
            azimuth: satellite.azimuth, signal: satellite.signal, isUsed: isUsed)
    }
}
