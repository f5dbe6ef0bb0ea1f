/// The levels with which the topics of all devices of a fleet begin, such as `owntracks/fleet/`.
struct CommonTopic: Sendable {
    /// The bytes up to and including a slash, or `nil` without a device.
    private var prefix: [UInt8]?

    /// Takes the name of another device into account.
    mutating func add(_ device: String?) {
        let name = Array((device ?? "").utf8)
        let common = prefix.map { zip($0, name).prefix { $0 == $1 }.map(\.0) } ?? name
        // The last level is the device's own.
        prefix = Array(common[..<(common.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)])
    }

    /// Returns a name without the common levels.
    func remainder(of name: String) -> String {
        guard let prefix, !prefix.isEmpty, name.utf8.count > prefix.count else { return name }
        return String(decoding: name.utf8.dropFirst(prefix.count), as: UTF8.self)
    }
}
