/// All devices of the daemon (`DEVICES`).
package struct DevicesReport: Hashable, Sendable {
    /// The devices, in the daemon's order.
    package var devices: [DeviceReport] = []
    /// The daemon that this one relays, if any.
    package var remote: String?

    /// Creates a report without devices.
    package init() {}
}

extension DevicesReport: KeyedObject {
    enum Key: String, CaseIterable { case devices, remote }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .devices: devices = try memory.reports(DeviceReport.self, from: &scanner) ?? []
        case .remote: remote = try scanner.string()
        }
    }
}
