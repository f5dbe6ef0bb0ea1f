public import LocationCore

/// The last reports of all active devices (`POLL`).
public struct PollReport: Hashable, Sendable {
    /// The time of the daemon's answer.
    public var time: Timestamp?
    /// Whether the report has a time that cannot be parsed.
    public var timeIsUnreadable = false
    /// The number of active devices.
    public var active: Int?
    /// The last fix of each device, with mode 0 for a device without a fix.
    public var tpv: [TPVReport] = []
    /// The last error statistics of each device.
    public var gst: [GSTReport] = []
    /// The last sky view of each device.
    public var sky: [SKYReport] = []
    /// Values of unknown keys and values of unexpected types, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
    public init() {}
}

extension PollReport: KeyedReport {
    enum Key: String, CaseIterable { case time, active, tpv, gst, sky }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .time: time = try memory.time(from: &scanner, unreadable: &timeIsUnreadable)
        case .active: active = try scanner.integer()
        case .tpv: tpv = try memory.reports(TPVReport.self, from: &scanner) ?? []
        case .gst: gst = try memory.reports(GSTReport.self, from: &scanner) ?? []
        case .sky: sky = try memory.reports(SKYReport.self, from: &scanner) ?? []
        }
    }
}
