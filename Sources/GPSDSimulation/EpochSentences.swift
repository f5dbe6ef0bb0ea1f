/// The sentences of an epoch in the order in which receivers send them.
enum EpochSentences {
    /// The epoch's sentences; told more than once, an instant begins with the least and grows.
    static func sentences(of epoch: ScenarioEpoch, repeated times: Int) -> [NMEASentence] {
        let position = epoch.reported
        let fix = [NMEASentence.rmc(position), .vtg(position), .gga(position)]
            + NMEASentence.gsa(dimensions: epoch.reception.dimensions, used: epoch.used, dops: epoch.dops)
        let full = fix + NMEASentence.gsv(epoch.satellites) + [.gll(position), .gst(position), .zda(position)]
        // gpsd takes the last sentence of a cycle for its end, and reports at each one of that type.
        return (1..<max(1, times)).flatMap { round in
            round == 1 ? [.rmc(position), .zda(position)] : fix + [.zda(position)]
        } + full
    }
}
