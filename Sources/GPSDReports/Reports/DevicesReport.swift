/// All devices of the daemon (`DEVICES`).
public struct DevicesReport: Hashable, Sendable {
    /// The devices, in the daemon's order.
    public var devices: [DeviceReport] = []
    /// The daemon that this one relays, where it does.
    public var remote: String?
    /// Values that have no place here, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// A report of no device.
    public init() {}
}

extension DevicesReport: KeyedReport {
    enum Key: String, CaseIterable { case devices, remote }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
    ) throws(ReportError) {
        switch key {
        case .devices: devices = try memory.reports(DeviceReport.self, from: &scanner) ?? []
        case .remote: remote = try scanner.string()
        }
    }
}
