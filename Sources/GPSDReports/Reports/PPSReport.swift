/// The host's clock at the receiver's pulse, against the receiver's time (`PPS`).
public struct PPSReport: Hashable, Sendable {
    /// The device that it came from.
    public var device: String?
    /// The receiver's time: seconds since 1970.
    public var real_sec: Int?
    /// The receiver's time: nanoseconds within the second.
    public var real_nsec: Int?
    /// The host's time: seconds since 1970.
    public var clock_sec: Int?
    /// The host's time: nanoseconds within the second.
    public var clock_nsec: Int?
    /// The precision, as an exponent of two in seconds.
    public var precision: Int?
    /// The pulse's quantisation error, in picoseconds.
    public var qErr: Int?
    /// The shared-memory segment of the time service that it feeds.
    public var shm: String?
    /// Values that have no place here, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A report that says nothing.
    public init() {}
}

extension PPSReport: KeyedReport {
    enum Key: String, CaseIterable { case device, real_sec, real_nsec, clock_sec, clock_nsec, precision, qErr, shm }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .device: device = try memory.name(from: &scanner)
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
