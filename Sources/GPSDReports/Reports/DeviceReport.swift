public import LocationCore

/// What the daemon knows about one device (`DEVICE`).
public struct DeviceReport: Hashable, Sendable {
    /// The device's path or URL.
    public var path: String?
    /// When the last byte was heard from it; `nil` when it was never opened, or is closed.
    public var activated: Timestamp?
    /// Whether the daemon has closed the device: it then sends the number 0 in place of a time.
    public var isDeactivated = false
    /// Whether `activated` was there but is no time that can be read.
    public var activatedIsUnreadable = false
    /// What kinds of packets came: 1 GPS, 2 RTCM2, 4 RTCM3, 8 AIS.
    public var flags: Int?
    /// The daemon's driver for it; `nil` until packets are recognised.
    public var driver: String?
    /// Bytes to be sent to the device, as hexadecimal text.
    public var hexdata: String?
    /// What the receiver says that it is.
    public var subtype: String?
    /// More of what the receiver says that it is.
    public var subtype1: String?
    /// The receiver's serial number.
    public var sernum: String?
    /// Bits a second.
    public var bps: Int?
    /// `N`, `O` or `E`.
    public var parity: String?
    /// 1 or 2.
    public var stopbits: Int?
    /// 0 NMEA, 1 the receiver's own binary mode.
    public var native: Int?
    /// Seconds between two fixes.
    @Measured public var cycle: Double?
    /// The least number of seconds between two fixes that can be set.
    @Measured public var mincycle: Double?
    /// Whether the daemon never writes to the device.
    public var readonly: Bool?
    /// Values that have no place here, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A report that says nothing.
    public init() {}
}

extension DeviceReport: KeyedReport {
    enum Key: String, CaseIterable {
        case path, activated, flags, driver, hexdata, subtype, subtype1, sernum
        case bps, parity, stopbits, native, cycle, mincycle, readonly
    }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .path: path = try memory.name(from: &scanner)
        case .activated: try readActivated(from: &scanner, with: &memory)
        case .flags: flags = try scanner.integer()
        case .driver: driver = try scanner.string()
        case .hexdata: hexdata = try scanner.string()
        case .subtype: subtype = try scanner.string()
        case .subtype1: subtype1 = try scanner.string()
        case .sernum: sernum = try scanner.string()
        case .bps: bps = try scanner.integer()
        case .parity: parity = try scanner.string()
        case .stopbits: stopbits = try scanner.integer()
        case .native: native = try scanner.integer()
        case .cycle: cycle = try scanner.number()
        case .mincycle: mincycle = try scanner.number()
        case .readonly: try readReadonly(from: &scanner)
        }
    }

    private mutating func readActivated(
        from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        isDeactivated = false
        activatedIsUnreadable = false
        activated = nil
        if scanner.isAtNumber {
            // Old daemons write seconds since 1970, and every one writes the number 0 for a device that is closed.
            guard let seconds = try scanner.number() else { return }
            if seconds == 0 {
                isDeactivated = true
            } else if abs(seconds) < 9.2e9 {
                activated = Timestamp(secondsSince1970: seconds)
            } else {
                // Beyond the years that a `Timestamp` holds.
                activatedIsUnreadable = true
            }
        } else {
            activated = try memory.time(from: &scanner, unreadable: &activatedIsUnreadable)
        }
    }

    private mutating func readReadonly(from scanner: inout JSONScanner) throws(ReportError) {
        // Daemons after 3.25 write this truth value with quotes around it.
        if scanner.isAtString {
            let text = try scanner.string()
            readonly = text == "true" ? true : text == "false" ? false : nil
        } else {
            readonly = scanner.bool()
        }
    }
}
