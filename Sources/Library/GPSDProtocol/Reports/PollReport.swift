/// The last fixes of all active devices (`POLL`).
package struct PollReport: Hashable, Sendable {
    /// The last fix of each device, with mode 0 for a device without a fix.
    package var tpv: [TPVReport] = []
}

extension PollReport: KeyedObject {
    enum Key: String, CaseIterable { case tpv }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .tpv: tpv = try cache.reports(TPVReport.self, from: &scanner) ?? []
        }
    }
}
