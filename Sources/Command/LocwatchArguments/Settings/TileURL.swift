import LocationCore

/// The address of the tiles of a map, such as `https://tile.example/{z}/{x}/{y}.png`.
package struct TileURL: Hashable, Sendable {
    package let text: String
    /// The scheme, the host and the port.
    package let origin: String

    /// Creates an address, or returns `nil` if it is not one from which a page can load tiles.
    init?(_ text: String) {
        // Only characters that cannot end a directive of a Content-Security-Policy.
        let allowed = Array("-._~:/?=&%+{}".utf8)
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: allowed.contains(byte)
            }
        }
        guard isPlain, text.utf8.count <= 500 else { return nil }
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard let place = try? AddressAuthority(parsing: authority), !place.host.isEmpty,
            ["{z}", "{x}", "{y}"].allSatisfy({ text.containsBytes(of: $0) })
        else { return nil }
        self.text = text
        origin = scheme + AddressAuthority.text(place.host, place.port)
    }
}
