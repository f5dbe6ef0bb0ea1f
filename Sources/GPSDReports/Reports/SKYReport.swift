public import LocationCore

/// The satellites in view and the dilutions of precision (`SKY`).
public struct SKYReport: Hashable, Sendable {
    /// The device that it came from.
    public var device: String?
    /// The time that it belongs to.
    public var time: Timestamp?
    /// Whether a time was there but cannot be read.
    public var timeIsUnreadable = false
    /// Dilution of precision in space and time.
    @Measured public var gdop: Double?
    /// Dilution of precision in the plane.
    @Measured public var hdop: Double?
    /// Dilution of precision in space.
    @Measured public var pdop: Double?
    /// Dilution of precision in time.
    @Measured public var tdop: Double?
    /// Dilution of precision in height.
    @Measured public var vdop: Double?
    /// Dilution of precision in longitude.
    @Measured public var xdop: Double?
    /// Dilution of precision in latitude.
    @Measured public var ydop: Double?
    /// How many satellites are in view, as the daemon counts them; the list may have another length.
    @Counted public var nSat: Int?
    /// How many satellites are used.
    @Counted public var uSat: Int?
    /// The satellites; `nil` when the report has no list, which does not mean that none is in view.
    public var satellites: [Satellite]?
    /// Values that have no place here, by key; those of a satellite under `satellites[3].key`.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A report that says nothing.
    public init() {}
}

extension SKYReport: KeyedReport {
    enum Key: String, CaseIterable {
        case device, time, gdop, hdop, pdop, tdop, vdop, xdop, ydop, nSat, uSat, satellites
    }

    static let keys = KeyTable<Key>()

    @inline(__always)
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .satellites:
            // Of an earlier list under the same key nobody else holds the buffer, then.
            satellites = nil
            satellites = try memory.satellites(from: &scanner)
        case .device: device = try memory.name(from: &scanner)
        case .time: time = try memory.time(from: &scanner, unreadable: &timeIsUnreadable)
        case .nSat: _nSat = try scanner.counted()
        case .uSat: _uSat = try scanner.counted()
        default: readNumber(key, Measured(wrappedValue: try scanner.number()))
        }
    }

    @inline(__always)
    private mutating func readNumber(_ key: Key, _ number: Measured) {
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
