package import LocationCore

/// The state of one device (`DEVICE`).
package struct DeviceReport: Hashable, Sendable {
    /// The device's path or URL.
    package var path: String?
    /// The time of the last byte from the device, or `nil` if it was never opened or is closed.
    package var activated: Timestamp?
    /// Whether the daemon has closed the device, in which case it sends the number 0 instead of a time.
    package var isDeactivated = false
    /// Whether `activated` was present but cannot be read as a time.
    package var activatedIsUnreadable = false
    /// The kinds of packets received: 1 GPS, 2 RTCM2, 4 RTCM3, 8 AIS.
    package var flags: Int?
    /// The daemon's driver for the device, or `nil` until packets are recognised.
    package var driver: String?
    /// The bytes to send to the device, as hexadecimal text.
    package var hexdata: String?
    /// The receiver's description of itself.
    package var subtype: String?
    /// The rest of the receiver's description of itself.
    package var subtype1: String?
    /// The receiver's serial number.
    package var sernum: String?
    /// The line speed in bits per second.
    package var bps: Int?
    /// The parity: `N`, `O` or `E`.
    package var parity: String?
    /// The number of stop bits: 1 or 2.
    package var stopbits: Int?
    /// The protocol: 0 NMEA, 1 the receiver's own binary mode.
    package var native: Int?
    /// The number of seconds between two fixes.
    @OptionalDouble package var cycle: Double?
    /// The smallest number of seconds between two fixes that can be set.
    @OptionalDouble package var mincycle: Double?
    /// Whether the daemon never writes to the device.
    package var readonly: Bool?

    /// Creates an empty report.
    package init() {}
}

extension DeviceReport: KeyedObject {
    enum Key: String, CaseIterable {
        case path, activated, flags, driver, hexdata, subtype, subtype1, sernum
        case bps, parity, stopbits, native, cycle, mincycle, readonly
    }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
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
        from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        isDeactivated = false
        activatedIsUnreadable = false
        activated = nil
        if scanner.isAtNumber {
            // Old daemons write seconds since 1970, and all daemons write the number 0 for a closed device.
            guard let seconds = try scanner.number() else { return }
            if seconds == 0 {
                isDeactivated = true
            } else if abs(seconds) < 9.2e9 {
                activated = Timestamp(secondsSince1970: seconds)
            } else {
                // The time is beyond the years that a `Timestamp` holds.
                activatedIsUnreadable = true
            }
        } else {
            let isNull = scanner.isAtNull
            activated = try memory.time(from: &scanner)
            activatedIsUnreadable = activated == nil && !isNull
        }
    }

    private mutating func readReadonly(from scanner: inout JSONScanner) throws(ReportError) {
        // Daemons after 3.25 write this Boolean as a string.
        if scanner.isAtString {
            let text = try scanner.string()
            readonly = text == "true" ? true : text == "false" ? false : nil
        } else {
            readonly = scanner.bool()
        }
    }
}
