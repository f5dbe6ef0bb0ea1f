import LocationCore
import GPSDProtocol

/// A converter of reports to NMEA sentences, as in gpsd for receivers that do not speak NMEA.
struct StandInSentences {
    private var decoder = ReportDecoder()

    /// Returns the sentences of a `TPV`, `SKY` or `ATT` report, or nothing for any other report.
    ///
    /// - Parameter sky: the latest `SKY` report of the same device, if any.
    mutating func sentences(of line: ArraySlice<UInt8>, sky: ArraySlice<UInt8>?) -> [UInt8] {
        switch try? decoder.decode(Array(line)) {
        case .tpv(let report): positionSentences(of: report, sky: sky.flatMap { skyView(of: $0) })
        case .sky(let report):
            SkyView(report, listsSatellites: true).satellites.map { NMEASentence.gsv($0).flatMap(\.bytes) } ?? []
        case .att(let report): Self.encoder.sentences(Attitude(report)).flatMap(\.bytes)
        default: []
        }
    }

    // The satellites follow with their own report.
    private static let encoder = NMEAEncoder(NMEASentenceType.usual.subtracting([.gsv]))

    private func positionSentences(of report: TPVReport, sky: SkyView?) -> [UInt8] {
        guard let coordinate = report.position else { return Self.encoder.void(at: report.time).flatMap(\.bytes) }
        return Self.encoder.sentences(
            Location(report, at: coordinate), used: sky?.used, satellites: sky?.satellites,
            dilution: sky?.dilution ?? DilutionOfPrecision()
        ).flatMap(\.bytes)
    }

    private mutating func skyView(of line: ArraySlice<UInt8>) -> SkyView? {
        guard case .sky(let report) = try? decoder.decode(Array(line)) else { return nil }
        return SkyView(report, listsSatellites: true)
    }
}
