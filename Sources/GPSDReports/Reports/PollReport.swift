public import LocationCore

/// The last reports of all active devices (`POLL`).
public struct PollReport: Hashable, Sendable {
    /// When the daemon answered.
    public var time: Timestamp?
    /// Whether a time was there but cannot be read.
    public var timeIsUnreadable = false
    /// How many devices are active.
    public var active: Int?
    /// The last fix of each; its mode is 0 where a device had none.
    public var tpv: [TPVReport] = []
    /// The last error statistics of each.
    public var gst: [GSTReport] = []
    /// The last sky view of each.
    public var sky: [SKYReport] = []
    /// Values that have no place here, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A report that says nothing.
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
