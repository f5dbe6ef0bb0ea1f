import LocationPublishing

/// The facts about a map that an MBTiles file has in a table of names and values; those that are missing or wrong are absent.
struct TileMetadata {
    let format: String?
    let zooms: ClosedRange<Int>?
    let bounds: TileBounds?
    let attribution: String?

    init(_ database: SQLiteDatabase) {
        let hasTable = try? TileTables.has("metadata", ["name", "value"], in: database)
        func value(_ name: String) -> String? {
            guard hasTable == true,
                let search = try? database.prepare("SELECT value FROM metadata WHERE name = ?1 LIMIT 1")
            else { return nil }
            search.bind(Array(name.utf8), at: 1)
            var text: String?
            try? search.forEachRow { row in
                text = row.text(at: 0)
                return false
            }
            return text
        }
        format = value("format")
        zooms = Self.zooms(value("minzoom").flatMap { Int($0) }, value("maxzoom").flatMap { Int($0) })
        bounds = value("bounds").flatMap(TileBounds.init)
        attribution = value("attribution").flatMap(AttributionText.of)
    }

    /// Returns the zoom levels between two, or `nil` if one of them is unknown or impossible.
    static func zooms(_ least: Int?, _ most: Int?) -> ClosedRange<Int>? {
        guard let least, let most, least <= most, TilePlace.zooms.contains(least), TilePlace.zooms.contains(most) else {
            return nil
        }
        return least...most
    }
}

/// The area of a map, in degrees.
struct TileBounds: Hashable, Sendable {
    let west: Double
    let south: Double
    let east: Double
    let north: Double

    /// Parses four numbers with commas between them, or returns `nil` if they are not those of an area.
    init?(_ text: String) {
        let numbers = text.split(separator: ",").compactMap { Double($0.filter { $0 != " " }) }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite), numbers[0] < numbers[2], numbers[1] < numbers[3],
            -180...180 ~= numbers[0], -180...180 ~= numbers[2], -90...90 ~= numbers[1], -90...90 ~= numbers[3]
        else { return nil }
        (west, south, east, north) = (numbers[0], numbers[1], numbers[2], numbers[3])
    }
}
