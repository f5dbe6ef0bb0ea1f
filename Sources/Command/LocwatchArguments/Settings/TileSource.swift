import LocationCore

/// The source of the tiles of a map, which are pictures of its streets.
package enum TileSource: Hashable, Sendable {
    /// An MBTiles file at a path.
    case file(String)
    /// A server that the browser asks.
    case server(TileURL)

    /// Creates a source from the value of `--tiles`, or returns `nil` if it is neither a path nor an address.
    init?(_ text: String) {
        if text.containsBytes(of: "://") || text.containsBytes(of: "{") {
            guard let address = TileURL(text) else { return nil }
            self = .server(address)
        } else {
            guard !text.isEmpty else { return nil }
            self = .file(text)
        }
    }

    package var file: String? { if case .file(let path) = self { path } else { nil } }

    package var server: TileURL? { if case .server(let address) = self { address } else { nil } }
}

/// The address of the tiles of a server, such as `https://tile.example/{z}/{x}/{y}.png`.
package struct TileURL: Hashable, Sendable {
    package let text: String
    package let host: String
    /// The scheme, the host and the port.
    package let origin: String

    /// Creates an address, or returns `nil` if it is not one from which a page can load tiles.
    init?(_ text: String) {
        // Only characters that cannot end a directive of a Content-Security-Policy.
        let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || "-._~:/?=&%+{}".utf8.contains($0) }
        guard isPlain, text.utf8.count <= 500 else { return nil }
        guard let scheme = ["https://", "http://"].first(where: { text.hasPrefix($0) }) else { return nil }
        let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
        guard let place = AddressAuthority(parsing: authority), !place.host.isEmpty else { return nil }
        // The page knows no other placeholder, such as {s}.
        guard ["{z}", "{x}", "{y}"].allSatisfy({ text.containsBytes(of: $0) }),
            "{}".utf8.allSatisfy({ brace in text.utf8.count { $0 == brace } == 3 })
        else { return nil }
        self.text = text
        host = place.host
        origin = scheme + AddressAuthority.text(place.host, place.port)
    }
}
