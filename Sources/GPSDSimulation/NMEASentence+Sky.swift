import LocationCore

extension NMEASentence {
    /// GSA, one for each system that is in use: dimensions of the fix, satellites used (twelve a sentence) and DOPs.
    ///
    /// Without a fix there is one sentence that says so.
    public static func gsa(
        dimensions: Int?, used: [SimulatedSatellite], dops: DilutionOfPrecision?
    ) -> [NMEASentence] {
        let mode = dimensions.map { String($0) } ?? "1"
        // A fix in two dimensions has no vertical error to speak of; gpsd takes one that has for a 3D fix.
        let tail =
            dimensions == 2
            ? ["", number(dops?.hdop, 2), ""] : [number(dops?.pdop, 2), number(dops?.hdop, 2), number(dops?.vdop, 2)]
        func sentence(_ satellites: [SimulatedSatellite], _ system: SatelliteSystem) -> NMEASentence {
            let numbers = satellites.map { DecimalText.padded($0.nmeaNumber + system.offsetInGSA, to: 2) }
            let empty = Array(repeating: "", count: 12 - numbers.count)
            return NMEASentence(
                .combined, "GSA", ["A", mode] + numbers + empty + tail + [String(system.nmeaSystem)])
        }
        let sentences = SatelliteSystem.allCases.flatMap { system in
            let ours = used.filter { $0.system == system }
            return stride(from: 0, to: ours.count, by: 12).map {
                sentence(Array(ours[$0..<min($0 + 12, ours.count)]), system)
            }
        }
        return sentences.isEmpty ? [sentence([], .gps)] : sentences
    }

    /// GSV: the satellites in view, four a sentence, each system under its own talker.
    public static func gsv(_ satellites: [SimulatedSatellite]) -> [NMEASentence] {
        let sentences = SatelliteSystem.allCases.flatMap { system -> [NMEASentence] in
            let ours = satellites.filter { $0.system == system }
            let parts = stride(from: 0, to: ours.count, by: 4).map { ours[$0..<min($0 + 4, ours.count)] }
            return parts.enumerated().map { index, part in
                NMEASentence(
                    system.talker, "GSV",
                    [String(parts.count), String(index + 1), DecimalText.padded(ours.count, to: 2)]
                        + part.flatMap { fields(of: $0) } + ["1"])
            }
        }
        return sentences.isEmpty ? [NMEASentence(.gps, "GSV", ["1", "1", "00", "1"])] : sentences
    }

    private static func fields(of satellite: SimulatedSatellite) -> [String] {
        [
            DecimalText.padded(satellite.nmeaNumber, to: 2),
            DecimalText.padded(Int(clamping: satellite.elevation.rounded()), to: 2),
            DecimalText.padded(Int(clamping: satellite.azimuth.rounded()) % 360, to: 3),
            satellite.signal.map { DecimalText.padded(Int(clamping: $0.rounded()), to: 2) } ?? "",
        ]
    }
}
