package import LocationCore

/// The last reports of all active devices (`POLL`).
package struct PollReport: Hashable, Sendable {
    /// The time of the daemon's answer.
    package var time: Timestamp?
    /// The number of active devices.
    package var active: Int?
    /// The last fix of each device, with mode 0 for a device without a fix.
    package var tpv: [TPVReport] = []
    /// The last error statistics of each device.
    package var gst: [GSTReport] = []
    /// The last sky view of each device.
    package var sky: [SKYReport] = []

    /// Creates an empty report.
    package init() {}
}

extension PollReport: KeyedObject {
    enum Key: String, CaseIterable { case time, active, tpv, gst, sky }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .time: time = try memory.time(from: &scanner)
        case .active: active = try scanner.integer()
        case .tpv: tpv = try memory.reports(TPVReport.self, from: &scanner) ?? []
        case .gst: gst = try memory.reports(GSTReport.self, from: &scanner) ?? []
        case .sky: sky = try memory.reports(SKYReport.self, from: &scanner) ?? []
        }
    }
}
