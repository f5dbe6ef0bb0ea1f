import LocationCore

/// A value of a satellite in `SKY`, which may list a satellite once per signal.
///
/// The pseudorange and its rate are not kept, but a known key costs only one comparison.
enum SatelliteKey: String, CaseIterable {
    case PRN, gnssid, svid, sigid, freqid, health, qual, az, el, ss, pr, prRate, prRes, used

    static let table = KeyTable<SatelliteKey>()

    /// The field whose plausible values the key has, if it has a range.
    fileprivate var field: PhysicalField? {
        switch self {
        case .PRN: .PRN
        case .gnssid: .gnssid
        case .svid: .svid
        case .sigid: .sigid
        case .freqid: .freqid
        case .health: .health
        case .qual: .qual
        case .az: .az
        case .el: .el
        case .ss: .ss
        case .prRes: .prRes
        case .pr, .prRate, .used: nil
        }
    }
}

extension Satellite {
    /// Reads the value of a key; for a value of an unexpected type, sets `nil` and leaves the scanner to skip it.
    ///
    /// A value out of range is not kept, and its field is inserted into `faults`, unless the key comes again with another value.
    mutating func read(
        _ key: SatelliteKey, from scanner: inout JSONScanner, _ faults: inout ImplausibleFields
    ) throws(ReportError) {
        guard let field = key.field else {
            if key == .used { isUsed = scanner.bool() ?? false } else { _ = try scanner.number() }
            return
        }
        faults.remove(field)
        switch key {
        case .el, .az, .prRes, .ss:
            var number = try scanner.number()
            // A number beyond the range of `Double` is unknown. gpsd writes a signal of 0 for a satellite that is not heard.
            if number?.isFinite == false || key == .ss && number == 0 { number = nil }
            number = faults.checked(number, field)
            switch key {
            case .el: elevation = number
            case .az: azimuth = number
            case .prRes: residual = number
            default: signal = number
            }
        default:
            let count = faults.checked(try scanner.counted().wrappedValue, field)
            switch key {
            case .PRN: prn = count
            case .gnssid: constellation = count.flatMap(Constellation.init)
            case .svid: number = count
            case .sigid: signalBand = count
            case .freqid: frequencySlot = count
            case .health: health = count.flatMap(Health.init)
            default: quality = count
            }
        }
    }
}
