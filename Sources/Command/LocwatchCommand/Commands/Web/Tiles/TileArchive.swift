import Glibc
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The pictures in an MBTiles file, a database of SQLite that another program has made and that is not trusted.
///
/// Only tables are read, by an index, and nothing in the file is run. A search of a tile is given up after a second, because the session
/// waits for it, and the file is then left alone for a while. The memory is that of one picture and of SQLite, which is limited.
final class TileArchive {
    /// The failure of a request while the file is left alone.
    struct IsTooSlow: Error {}

    /// A tile that a browser can show.
    struct Tile {
        let bytes: [UInt8]
        let picture: TilePicture
    }

    /// The steps of a statement: SQLite finds a tile by an index in some fifty, and takes ten for each tile without one.
    private static let steps = 100_000
    /// The time for opening a file, for a search, and the time for which a file is left alone after one that took too long.
    static let (openingTime, searchTime, pause) = (Duration.seconds(5), Duration.seconds(1), Duration.seconds(30))
    /// The width of most tiles, in pixels.
    private static let usualSide = 256

    let zooms: ClosedRange<Int>
    let bounds: TileBounds?
    /// The names of those who have made the map, as plain text.
    let attribution: String?
    /// The width of the first picture in pixels, or that of most tiles if it is smaller.
    let side: Int
    /// A word that changes with the content of the file.
    let version: String
    private let database: SQLiteDatabase
    private let selection: SQLiteDatabase.Statement
    private let now: () -> ContinuousClock.Instant
    /// The time until which the file is left alone, if it is.
    private var pauseEnd: ContinuousClock.Instant?

    /// Opens a file; throws if it has no pictures that a browser can show.
    ///
    /// - Parameter now: Returns the time.
    init(_ path: String, now: @escaping () -> ContinuousClock.Instant = { .now }) throws(StartFailure) {
        let status = try Self.status(of: path)
        version = "\(FileChange.text(status))-\(status.st_size)"
        var indexing: String?
        do throws(PublishError) {
            let database = try SQLiteDatabase(reading: path, steps: Self.steps, time: Self.openingTime, now: now)
            guard let tables = try TileTables.find(in: database) else {
                if try TileTables.isView(in: database) {
                    throw database.damage(
                        "its tiles are a view, which is not run, of other tables than map and images")
                }
                guard !Self.hasLog(path) else { throw database.damage(Self.unwritten(path)) }
                throw database.damage("it has no table of tiles: it is not an MBTiles file")
            }
            indexing = tables.indexing
            let metadata = TileMetadata(database)
            side = max(Self.usualSide, try Self.firstPicture(tables, database, metadata).width)
            zooms = if let zooms = metadata.zooms { zooms } else { try Self.zooms(tables, database) }
            (bounds, attribution) = (metadata.bounds, metadata.attribution)
            selection = try database.prepare(tables.selection)
            // Without an index, tiles that are not there take the most steps.
            try Self.select(selection, zooms.upperBound, -1, -1) { _ in }
            if let probe = tables.probe { try database.run(probe) }
            (self.database, self.now) = (database, now)
        } catch {
            guard error.cause.isTooLong, let indexing else {
                throw StartFailure(error.description, error.cause == .transport ? .unavailable : .badData)
            }
            throw StartFailure(
                [
                    "cannot use \(path): it has no index, so that each tile would be searched for in the whole file",
                    "make one by: sqlite3 \(path) '\(indexing)'",
                ], .badData)
        }
    }

    /// Whether SQLite has kept changes of a file beside it, in its write-ahead log.
    private static func hasLog(_ path: String) -> Bool {
        var log = stat()
        return stat("\(path)-wal", &log) == 0 && log.st_mode & S_IFMT == S_IFREG && log.st_size > 0
    }

    private static func unwritten(_ path: String) -> String {
        "its tables are still in \(path)-wal; end the program that writes it, or "
            + "sqlite3 \(path) 'PRAGMA wal_checkpoint(TRUNCATE)'"
    }

    /// Returns a tile, or `nil` if the file has none there that can be shown; throws if the file is too slow to look.
    func tile(at place: TilePlace) throws(IsTooSlow) -> Tile? {
        var bytes: [UInt8] = []
        if let pauseEnd, now() < pauseEnd { throw IsTooSlow() }
        database.allow(Self.searchTime)
        do throws(PublishError) {
            try Self.select(selection, place.zoom, place.column, place.rowFromSouth) { bytes = $0 }
        } catch {
            if error.cause.isTooSlow {
                pauseEnd = now() + Self.pause
                throw IsTooSlow()
            }
            // A part of the file is damaged, or a value is larger than any tile.
            return nil
        }
        return TilePicture(bytes).map { Tile(bytes: bytes, picture: $0) }
    }

    /// Calls `body` with the bytes of a tile if there is one; the row is counted from the south.
    private static func select(
        _ selection: SQLiteDatabase.Statement, _ zoom: Int, _ column: Int, _ row: Int, _ body: ([UInt8]) -> Void
    ) throws(PublishError) {
        for (place, number) in [zoom, column, row].enumerated() {
            selection.bind(Int64(number), at: Int32(place + 1))
        }
        try selection.forEachRow { row in
            body(row.bytes(at: 0))
            return false
        }
    }

    private static func status(of path: String) throws(StartFailure) -> stat {
        // A pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StartFailure(UsageError(unreadable: path, SystemFailure("read", code: errno)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StartFailure("cannot use \(path): it is not a file", .badData)
        }
        return status
    }

    private static func firstPicture(
        _ tables: TileTables, _ database: SQLiteDatabase, _ metadata: TileMetadata
    ) throws(PublishError) -> TilePicture {
        var first: [UInt8]?
        try database.prepare("SELECT tile_data FROM \(tables.pictures) LIMIT 1").forEachRow { row in
            first = row.bytes(at: 0)
            return false
        }
        guard let first else { throw database.damage("it has no tile") }
        if let picture = TilePicture(first) { return picture }
        // Vectors are compressed with gzip.
        guard metadata.format != "pbf", !first.starts(with: [0x1F, 0x8B]) else {
            throw database.damage("its tiles are vectors, and the page draws pictures only: PNG, JPEG or WebP")
        }
        let side = TilePicture.largestSide
        throw database.damage("its tiles are not pictures as PNG, JPEG or WebP of at most \(side) by \(side) pixels")
    }

    private static func zooms(
        _ tables: TileTables, _ database: SQLiteDatabase
    ) throws(PublishError) -> ClosedRange<Int> {
        let least = try database.prepare("SELECT min(zoom_level) FROM \(tables.index)").number() ?? -1
        let most = try database.prepare("SELECT max(zoom_level) FROM \(tables.index)").number() ?? -1
        guard let zooms = TileMetadata.zooms(Int(least), Int(most)) else {
            throw database.damage("its zoom levels are impossible")
        }
        return zooms
    }
}
