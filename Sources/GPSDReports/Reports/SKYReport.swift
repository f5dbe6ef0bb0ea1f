package import LocationCore

/// The satellites in view and the dilutions of precision (`SKY`).
package struct SKYReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The time of the sky view.
    package var time: Timestamp?
    /// Dilution of precision in space and time.
    @OptionalDouble package var gdop: Double?
    /// Dilution of precision in the plane.
    @OptionalDouble package var hdop: Double?
    /// Dilution of precision in space.
    @OptionalDouble package var pdop: Double?
    /// Dilution of precision in time.
    @OptionalDouble package var tdop: Double?
    /// Dilution of precision in height.
    @OptionalDouble package var vdop: Double?
    /// Dilution of precision in longitude.
    @OptionalDouble package var xdop: Double?
    /// Dilution of precision in latitude.
    @OptionalDouble package var ydop: Double?
    /// The number of satellites in view as the daemon counts them; the list may have another length.
    @Counted package var nSat: Int?
    /// The number of satellites used.
    @Counted package var uSat: Int?
    /// The satellites, or `nil` if the report has no list, which does not mean that none is in view.
    package var satellites: [Satellite]?
    /// Creates an empty report.
    package init() {}
}

extension SKYReport: KeyedObject {
    enum Key: String, CaseIterable {
        case device, time, gdop, hdop, pdop, tdop, vdop, xdop, ydop, nSat, uSat, satellites
    }

    static let keys = KeyTable<Key>()

    @inline(__always)
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .satellites:
            // Release an earlier list under the same key first, so that its buffer can be used again.
            satellites = nil
            satellites = try memory.satellites(from: &scanner)
        case .device: device = try memory.name(from: &scanner)
        case .time: time = try memory.time(from: &scanner)
        case .nSat: _nSat = try scanner.counted()
        case .uSat: _uSat = try scanner.counted()
        default: readNumber(key, OptionalDouble(wrappedValue: try scanner.number()))
        }
    }

    @inline(__always)
    private mutating func readNumber(_ key: Key, _ number: OptionalDouble) {
        switch key {
        case .gdop: _gdop = number
        case .hdop: _hdop = number
        case .pdop: _pdop = number
        case .tdop: _tdop = number
        case .vdop: _vdop = number
        case .xdop: _xdop = number
        case .ydop: _ydop = number
        default: break
        }
    }
}
