/// The place of a tile in the world of Web Mercator.
struct TilePlace: Hashable, Sendable {
    /// The zoom levels of a map, of which the last one has tiles of a few centimetres.
    static let zooms = 0...30

    let zoom: Int
    let column: Int
    /// The row, counted from the north.
    let row: Int

    /// Parses a path such as `/tiles/3/4/2`, or returns `nil` if it is not that of a tile.
    init?(path: String) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1].elementsEqual("tiles".utf8),
            let zoom = Self.number(parts[2]), Self.zooms.contains(zoom),
            let column = Self.number(parts[3]), column < 1 << zoom, let row = Self.number(parts[4]), row < 1 << zoom
        else { return nil }
        (self.zoom, self.column, self.row) = (zoom, column, row)
    }

    /// The row as an MBTiles file has it, counted from the south.
    var rowFromSouth: Int { (1 << zoom) - 1 - row }

    /// Returns a number that is written in its only form, so that a tile has one path.
    private static func number(_ text: Substring.UTF8View) -> Int? {
        guard 1...10 ~= text.count, text.allSatisfy({ 0x30...0x39 ~= $0 }), text.count == 1 || text.first != 0x30
        else { return nil }
        return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
