/// All devices of the daemon (`DEVICES`).
package struct DevicesReport: Hashable, Sendable {
    /// The devices, in the daemon's order.
    package var devices: [DeviceReport] = []

    package init() {}
}

extension DevicesReport: KeyedObject {
    enum Key: String, CaseIterable { case devices }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .devices: devices = try cache.reports(DeviceReport.self, from: &scanner) ?? []
        }
    }
}
