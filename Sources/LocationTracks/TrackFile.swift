/// A track in a file that is whole after every point, however the writer ends.
///
/// - GPX and KML are well-formed at every byte that is written, with every point whose `take` has returned; see
///   `Concealment`. While the file grows it holds processing instructions, which `finish()` takes out.
/// - GeoJSON is replaced as a whole; a long one has its newest points in `FILE.tail` until the end; see `ReplacingKeeper`.
/// - CSV, NMEA and gpsd's JSON are lines; a power cut can leave a part of the last one, which is cut off when the file is gone
///   on with; see `LineKeeper`.
///
/// A later report of an instant takes the place of its point; if the writer is killed in that moment, the point is missing.
public final class TrackFile {
    /// What happens when the file is there already.
    public enum Existing: Hashable, Sendable {
        /// It is gone on with, in a new segment.
        case continued
        /// It is replaced.
        case replaced
        /// Nothing is written, and it is an error.
        case refused
    }

    /// How much a point must survive.
    public enum Durability: Hashable, Sendable {
        /// The end of the writer, at any moment; the system keeps what it has.
        case kill
        /// A power cut at any moment too; two waits for the disk a point.
        case powerCut
    }

    /// Where the track stands.
    public let path: String
    /// How many points were taken.
    public private(set) var points = 0

    private var writer: any TrackWriter
    private var writerBeforeLast: (any TrackWriter)?
    private var keeper: any TrackKeeper

    /// Begins a file, or goes on with one.
    public convenience init(
        _ path: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(),
        existing: Existing = .continued, durability: Durability = .powerCut
    ) throws(TrackFileError) {
        try self.init(path, format, options, existing, durability, SystemStorage(), reserve: 65_536)
    }

    init(
        _ path: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(), _ existing: Existing,
        _ durability: Durability, _ storage: any TrackStorage, reserve: Int, direct: Int = ReplacingKeeper.direct
    ) throws(TrackFileError) {
        let keeping = Keeping(
            storage: storage, path: storage is SystemStorage ? resolved(path) : path,
            isDurable: durability == .powerCut, reserve: reserve)
        // Opened even where it is replaced, as what is no file must not be.
        let there = try storage.open(keeping.path)
        let old = existing == .replaced ? nil : there
        if old != nil, existing == .refused { throw .exists(path: path) }
        let begun: (any TrackWriter, any TrackKeeper)
        // An empty file is as good as none.
        if let old, try old.size() > 0 {
            begun = try Self.goOn(keeping, with: old, format, options, direct)
        } else {
            begun = try Self.begin(keeping, format, options, direct)
        }
        self.path = path
        (writer, keeper) = begun
    }

    private static func begin(
        _ keeping: Keeping, _ format: TrackFormat, _ options: TrackFormat.Options, _ direct: Int
    ) throws(TrackFileError) -> (any TrackWriter, any TrackKeeper) {
        var writer = format.writer(options)
        var header: [UInt8] = []
        writer.header(to: &header)
        let keeper: any TrackKeeper =
            switch format {
            case .gpx, .kml: try ConcealingKeeper(keeping, header: header, trailer: trailer(of: writer))
            case .csv, .nmea, .gpsd: try LineKeeper(keeping, header: header)
            case .geojson: try ReplacingKeeper(keeping, direct: direct)
            }
        return (writer, keeper)
    }

    private static func goOn(
        _ keeping: Keeping, with old: any StoredFile, _ format: TrackFormat, _ options: TrackFormat.Options,
        _ direct: Int
    ) throws(TrackFileError) -> (any TrackWriter, any TrackKeeper) {
        var writer = format.writer(options)
        var header: [UInt8] = []
        writer.header(to: &header)
        switch format {
        case .gpx, .kml:
            let keeper = try ConcealingKeeper(keeping, continuing: old, trailer: trailer(of: writer))
            return (writer.continued(after: []), keeper)
        case .csv, .nmea, .gpsd:
            let keeper = try LineKeeper(keeping, continuing: old, header: header)
            return (writer.continued(after: try ending(of: old)), keeper)
        case .geojson:
            let keeper = try ReplacingKeeper(keeping, continuing: old, direct: direct)
            return (keeper.hasFeatures ? writer.continued(after: try keeper.ending()) : writer, keeper)
        }
    }

    /// How many bytes the file has.
    public var size: Int { keeper.size }

    /// Takes an element of the track; when this returns, the file holds it.
    public func take(_ element: TrackElement) throws(TrackFileError) {
        var bytes: [UInt8] = []
        switch element {
        case .point(let point):
            try absorb()
            var next = writer
            next.append(point, to: &bytes)
            try keeper.add(bytes, closing: Self.trailer(of: next))
            writerBeforeLast = writer
            writer = next
            points += 1
        case .revision(let point):
            guard var next = writerBeforeLast else { return try take(.point(point)) }
            next.append(point, to: &bytes)
            try keeper.replaceLast(bytes, closing: Self.trailer(of: next))
            writer = next
        case .gap(let gap):
            var next = writer
            next.gap(gap, to: &bytes)
            if !bytes.isEmpty { try keeper.add(bytes, closing: Self.trailer(of: next)) }
            writer = next
            writerBeforeLast = nil
        }
    }

    /// Ends the file.
    public func finish() throws(TrackFileError) {
        try keeper.finish(closing: Self.trailer(of: writer))
    }

    private func absorb() throws(TrackFileError) {
        guard var replacing = keeper as? ReplacingKeeper, var lines = writer as? GeoJSONWriter,
            replacing.isTailLong(Self.trailer(of: writer))
        else { return }
        var bytes: [UInt8] = []
        guard lines.cut(to: &bytes) else { return }
        try replacing.absorb(bytes)
        writer = lines
        keeper = replacing
    }

    private static func trailer(of writer: any TrackWriter) -> [UInt8] {
        var bytes: [UInt8] = []
        writer.trailer(to: &bytes)
        return bytes
    }

    private static func ending(of file: any StoredFile) throws(TrackFileError) -> [UInt8] {
        let size = try file.size()
        return try file.read(at: max(0, size - Keeping.piece), count: min(size, Keeping.piece))
    }
}

extension TrackWriter {
    /// The writer as it goes on in a file that ends so.
    fileprivate func continued(after ending: [UInt8]) -> any TrackWriter {
        switch self {
        case let writer as CSVWriter: return CSVWriter(after: ending) ?? writer
        case let writer as GeoJSONWriter: return writer.continued(after: ending)
        case let writer:
            var next: any TrackWriter = writer
            var bytes: [UInt8] = []
            next.gap(.continued, to: &bytes)
            return next
        }
    }
}
