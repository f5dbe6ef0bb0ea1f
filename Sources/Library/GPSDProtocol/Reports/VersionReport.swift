/// The release of a gpsd (`VERSION`); the version of its protocol was 3, 0, 3, 16 across releases, and says nothing.
package struct VersionReport: Hashable, Sendable {
    /// The release, such as `3.22`, for display.
    package var release: String?
}

extension VersionReport: KeyedObject {
    enum Key: String, CaseIterable { case release }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .release: release = try scanner.string()
        }
    }
}
