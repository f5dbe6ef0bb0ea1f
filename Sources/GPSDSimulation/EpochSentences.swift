/// The sentences of an epoch in the order in which receivers send them.
enum EpochSentences {
    /// The epoch's sentences; told more than once, an instant begins with the least and grows.
    static func sentences(of epoch: ScenarioEpoch, repeated times: Int) -> [NMEASentence] {
        let position = epoch.reported
        let start = [NMEASentence.rmc(position), .vtg(position), .gga(position)]
        let geometry = NMEASentence.gsa(dimensions: epoch.reception.dimensions, used: epoch.used, dops: epoch.dops)
        let sky = NMEASentence.gsv(epoch.satellites)
        let ends = [NMEASentence.gll(position), .gst(position), .zda(position)]
        guard times > 1 else { return start + geometry + sky + ends }
        // gpsd reports at the sentence that it has learnt to be a cycle's last, so each epoch ends with another one:
        // it then takes all of them for the end.
        let turn = epoch.index % ends.count
        let rotated = Array(ends[turn...] + ends[..<turn])
        return (1..<times).flatMap { round in round == 1 ? [.rmc(position)] + rotated : start + geometry + rotated }
            + start + geometry + sky + rotated
    }
}
