public import LocationCore

/// The satellites in view and the dilutions of precision (`SKY`).
public struct SKYReport: Hashable, Sendable {
    /// The device that the report came from.
    public var device: String?
    /// The time of the sky view.
    public var time: Timestamp?
    /// Whether the report has a time that cannot be parsed.
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
    /// The number of satellites in view as the daemon counts them; the list may have another length.
    @Counted public var nSat: Int?
    /// The number of satellites used.
    @Counted public var uSat: Int?
    /// The satellites, or `nil` if the report has no list, which does not mean that none is in view.
    public var satellites: [Satellite]?
    /// Values of unknown keys and values of unexpected types, by key; those of a satellite are under
    /// `satellites[3].key`.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
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
            // Release an earlier list under the same key first, so that its buffer can be used again.
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
