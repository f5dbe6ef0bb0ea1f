package import LocationCore

/// The state of one device (`DEVICE`).
package struct DeviceReport: Hashable, Sendable {
    /// The device's path or URL.
    package var path: String?
    /// The time of the last byte from the device, or `nil` if it was never opened or is closed.
    package var activated: Timestamp?
    /// Whether `activated` was present but cannot be read as a time.
    package var activatedIsUnreadable = false
    /// The daemon's driver for the device, or `nil` until packets are recognised.
    package var driver: String?
    /// The receiver's description of itself.
    package var subtype: String?
    /// The rest of the receiver's description of itself.
    package var subtype1: String?
    /// The line speed in bits per second.
    package var bps: Int?
    /// The parity: `N`, `O` or `E`.
    package var parity: String?
    /// The number of stop bits: 1 or 2.
    package var stopbits: Int?
    /// The number of seconds between two fixes.
    @OptionalDouble package var cycle: Double?
    /// The least number of seconds between two fixes that the driver can set; present only if it can set any.
    @OptionalDouble package var mincycle: Double?
    /// Whether the daemon writes nothing to the device (`-b`); 3.22 does not say so.
    package var readonly: Bool?

    package init() {}
}

extension DeviceReport: KeyedObject {
    enum Key: String, CaseIterable {
        case path, activated, driver, subtype, subtype1, bps, parity, stopbits, cycle, mincycle, readonly
    }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .path: path = try cache.name(from: &scanner)
        case .activated: try readActivated(from: &scanner, with: &cache)
        case .driver: driver = try scanner.string()
        case .subtype: subtype = try scanner.string()
        case .subtype1: subtype1 = try scanner.string()
        case .bps: bps = try scanner.integer()
        case .parity: parity = try scanner.string()
        case .stopbits: stopbits = try scanner.integer()
        case .cycle: cycle = try scanner.number()
        case .mincycle: mincycle = try scanner.number()
        // gpsd writes the truth as a text.
        case .readonly: readonly = try scanner.isAtString ? scanner.string() == "true" : scanner.bool()
        }
    }

    private mutating func readActivated(
        from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        activatedIsUnreadable = false
        activated = nil
        if scanner.isAtNumber {
            // Old daemons write seconds since 1970, and all daemons write the number 0 for a closed device.
            guard let seconds = try scanner.number() else { return }
            if seconds == 0 { return }
            // A time can be beyond the years that a `Timestamp` holds.
            activatedIsUnreadable = abs(seconds) >= 9.2e9
            if !activatedIsUnreadable { activated = Timestamp(secondsSince1970: seconds) }
        } else {
            let isNull = scanner.isAtNull
            activated = try cache.time(from: &scanner)
            activatedIsUnreadable = activated == nil && !isNull
        }
    }
}
