import LocationCore

/// The sentences of an epoch in the order in which receivers send them.
enum EpochSentences {
    /// Returns an epoch's sentences; if it is reported several times, the first report holds the least, the last all.
    ///
    /// - Parameter hasAccuracies: Whether gpsd is to report the receiver's accuracies instead of estimates; not for several reports.
    static func sentences(
        of epoch: ScenarioEpoch, repeated times: Int, hasAccuracies: Bool = false
    ) -> [NMEASentence] {
        let position = epoch.reported
        let start: [NMEASentence] = [
            .rmc(position, from: .combined), .vtg(position, from: .combined), .gga(position, from: .combined),
        ]
        let geometry = NMEASentence.gsa(
            epoch.reception.dimensions.flatMap { FixKind(rawValue: $0) } ?? .none,
            satellites: epoch.used.map { Satellite($0, isUsed: true) },
            dilution: epoch.dops ?? DilutionOfPrecision())
        let sky = NMEASentence.gsv(epoch.satellites.map { Satellite($0, isUsed: false) })
        // gpsd 3.22 keeps the figures of a GST where it keeps the attitude, and its ATT is not valid JSON after one.
        let errors: [NMEASentence] = position.heading == nil ? [.gst(position, from: .combined)] : []
        let ends: [NMEASentence] = [.gll(position, from: .combined)] + errors + [.zda(position, from: .combined)]
        // gpsd 3.22 drops the sentences of a gyrocompass (HE) before it looks at their type.
        let compass: [NMEASentence] =
            position.heading == nil
            ? [] : [.hdt(position), .hdt(position, from: .magneticCompass), .hdg(position), .rot(position)]
        guard times > 1 else {
            return start + geometry + sky + ends + (hasAccuracies ? accuracies(of: position) : []) + compass
        }
        // gpsd reports at the sentence that it has learned to be the last of a cycle. Each epoch ends with a different
        // sentence, so that gpsd takes all of them for the end.
        let turn = epoch.index % ends.count
        let rotated = Array(ends[turn...] + ends[..<turn])
        var sentences = [.rmc(position, from: .combined)] + rotated
        for _ in 2..<times { sentences += start + geometry + rotated }
        return sentences + start + geometry + sky + rotated + compass
    }

    /// Returns the sentences from which gpsd 3.22 takes the accuracies of a receiver; it passes a GST on, but estimates the
    /// accuracies of the position from the geometry.
    ///
    /// It takes `sep` from Garmin's PGRME, `eph` and `epv` from SiRF's PSRFEPE, and `epx` and `epy` from GBS, which must be the
    /// last sentence of the epoch, because each further sentence replaces them by estimates.
    private static func accuracies(of position: NMEAPosition) -> [NMEASentence] {
        let errors = position.errors
        return [
            NMEASentence(.proprietary, "GRME") { fields in
                // gpsd multiplies by 2.45 / 1.18, because Garmin's figures are at 50 % confidence.
                let spherical = errors.sphericalAccuracy.map { $0 * 1.18 / 2.45 }
                for _ in 0..<3 { fields.append(spherical, decimals: 3, unit: "M") }
            },
            NMEASentence(.proprietary, "SRFEPE") { fields in
                fields.append(timeOf: position.time)
                fields.append(position.coordinate == nil ? "V" : "A")
                fields.append()
                fields.append(errors.horizontalAccuracy, decimals: 3)
                fields.append(errors.verticalAccuracy, decimals: 3)
                fields.append()
                fields.append()
            },
            NMEASentence(.combined, "GBS") { fields in
                fields.append(timeOf: position.time)
                for accuracy in [errors.latitudeAccuracy, errors.longitudeAccuracy, errors.verticalAccuracy] {
                    fields.append(accuracy, decimals: 3)
                }
                for _ in 0..<4 { fields.append() }
            },
        ]
    }
}

/// The accuracies at a confidence of 95 %, as gpsd reports them.
extension NMEAPosition.Errors {
    var latitudeAccuracy: Double? { north.map { $0 * 1.96 } }
    var longitudeAccuracy: Double? { east.map { $0 * 1.96 } }
    var verticalAccuracy: Double? { up.map { $0 * 1.96 } }
    /// The radius of a circle.
    var horizontalAccuracy: Double? { major.map { $0 * 2.45 } }
    /// The radius of a sphere.
    fileprivate var sphericalAccuracy: Double? {
        guard let major, let up else { return nil }
        return max(major, up) * 2.8
    }
}

extension Satellite {
    fileprivate init(_ satellite: SimulatedSatellite, isUsed: Bool) {
        self.init(
            constellation: satellite.system.constellation, number: satellite.number, elevation: satellite.elevation,
            azimuth: satellite.azimuth, signal: satellite.signal, isUsed: isUsed)
    }
}
