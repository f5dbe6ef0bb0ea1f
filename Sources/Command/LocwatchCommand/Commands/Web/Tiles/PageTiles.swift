import LocationCore
import LocwatchArguments

/// The tiles of the map, as the page needs to know them.
struct PageTiles: Sendable {
    /// The address of a tile, in which {z}, {x} and {y} stand for its place.
    let address: String
    let zooms: ClosedRange<Int>
    var bounds: TileBounds?
    /// The names of those who have made the map, which the page shows.
    let attribution: String?
    /// The width of a tile in pixels, if it is known.
    var side: Int?

    /// The tiles of a file, which this program serves.
    init(_ archive: TileArchive) {
        // A browser keeps tiles, and asks for those of another file by other addresses.
        address = "tiles/{z}/{x}/{y}?\(archive.version)"
        (zooms, bounds, attribution, side) = (archive.zooms, archive.bounds, archive.attribution, archive.side)
    }

    /// The tiles of a server, of which only the address is known.
    init(_ server: TileURL) {
        (address, zooms) = (server.text, 0...19)
        let isOpenStreetMap = server.host == "openstreetmap.org" || server.host.hasSuffix(".openstreetmap.org")
        attribution = isOpenStreetMap ? "© OpenStreetMap contributors" : "Map: \(server.host)"
    }
}

extension TextBuffer {
    mutating func member(_ key: StaticString, _ tiles: PageTiles?) {
        guard let tiles else { return }
        put(key: key)
        object { out in
            out.member("address", tiles.address)
            out.member("minzoom", tiles.zooms.lowerBound)
            out.member("maxzoom", tiles.zooms.upperBound)
            if let bounds = tiles.bounds {
                out.put(key: "bounds")
                out.list([bounds.west, bounds.south, bounds.east, bounds.north]) { $0.put(shortest: $1) }
            }
            out.member("attribution", tiles.attribution)
            out.member("side", tiles.side)
        }
    }
}
