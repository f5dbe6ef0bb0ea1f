/// The sentences of an epoch in the order in which receivers send them.
enum EpochSentences {
    static func sentences(of epoch: ScenarioEpoch, repeated times: Int) -> [NMEASentence] {
        let position = epoch.reported
        let full =
            [.rmc(position), .vtg(position), .gga(position)]
            + NMEASentence.gsa(dimensions: epoch.reception.dimensions, used: epoch.used, dops: epoch.dops)
            + NMEASentence.gsv(epoch.satellites)
            + [.gll(position), .gst(position), .zda(position)]
        guard times > 1 else { return full }
        return full
    }
}
