package import LocationCore

/// The satellites in view and the dilutions of precision (`SKY`).
package struct SKYReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The time of the sky view.
    package var time: Timestamp?
    /// The dilutions of precision.
    package var dilution = DilutionOfPrecision()
    /// The number of satellites in view as the daemon counts them; the list may have another length.
    @OptionalCount package var nSat: Int?
    /// The number of satellites used.
    @OptionalCount package var uSat: Int?
    /// The signals of the satellites, or `nil` if the report has no list, which does not mean that none is in view.
    ///
    /// Implausible values are unknown.
    package var satellites: [Satellite]?
    /// The fields of which a satellite in the list had implausible values.
    private(set) var satelliteFaults: ImplausibleFields = []

    /// Creates an empty report.
    package init() {}
}

extension SKYReport: KeyedObject {
    enum Key: Sendable {
        case device, time, nSat, uSat, satellites
        case dilution(DilutionOfPrecision.Field)
    }

    static let keys = KeyTable<Key>()

    @inline(__always)
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .satellites:
            (satellites, satelliteFaults) = try cache.satellites(from: &scanner)
        case .device: device = try cache.name(from: &scanner)
        case .time: time = try cache.time(from: &scanner)
        case .nSat: _nSat = try scanner.counted()
        case .uSat: _uSat = try scanner.counted()
        case .dilution(let field): dilution[field] = try scanner.number()
        }
    }
}

extension SKYReport.Key: ComposedKey {
    static let allCases: [SKYReport.Key] =
        [.device, .time, .nSat, .uSat, .satellites]
        + DilutionOfPrecision.Field.allCases.map { .dilution($0) }

    var rawValue: String {
        switch self {
        case .device: "device"
        case .time: "time"
        case .nSat: "nSat"
        case .uSat: "uSat"
        case .satellites: "satellites"
        case .dilution(let field): field.row.gpsdName.description
        }
    }
}
