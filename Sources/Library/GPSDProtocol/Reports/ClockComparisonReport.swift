/// The host's clock compared with the receiver's time, at its pulse (`PPS`) or at the first data of a cycle (`TOFF`).
package struct ClockComparisonReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The receiver's time: seconds since 1970.
    package var real_sec: Int?
    /// The receiver's time: nanoseconds within the second.
    package var real_nsec: Int?
    /// The host's time: seconds since 1970.
    package var clock_sec: Int?
    /// The host's time: nanoseconds within the second.
    package var clock_nsec: Int?
    /// The precision, as an exponent of two in seconds.
    package var precision: Int?
    /// The pulse's quantisation error, in picoseconds; only a pulse has one.
    package var qErr: Int?
    /// The shared-memory segment of the time service that gets the report.
    package var shm: String?
}

extension ClockComparisonReport: KeyedObject {
    enum Key: String, CaseIterable { case device, real_sec, real_nsec, clock_sec, clock_nsec, precision, qErr, shm }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .device: device = try cache.name(from: &scanner)
        case .real_sec: real_sec = try scanner.integer()
        case .real_nsec: real_nsec = try scanner.integer()
        case .clock_sec: clock_sec = try scanner.integer()
        case .clock_nsec: clock_nsec = try scanner.integer()
        case .precision: precision = try scanner.integer()
        case .qErr: qErr = try scanner.integer()
        case .shm: shm = try scanner.string()
        }
    }
}
