/// A track in a file that is whole after every point, however the writer ends.
///
/// - GPX and KML are well-formed at every byte that is written, with every point whose `take` has returned; see
///   `Concealment`. While the file grows it holds processing instructions, which `finish()` takes out.
/// - GeoJSON is replaced as a whole; a long one has its newest points in `FILE.tail` until the end; see `ReplacingKeeper`.
/// - CSV, NMEA and gpsd's JSON are lines; a power cut can leave a part of the last one, which is cut off when the file is gone
///   on with; see `LineKeeper`.
///
/// A program that writes to the file has it locked, and a second one fails with `TrackFileError.inUse`. Before each element
/// the file is looked for under its name: if it was moved or deleted, or cut off by another program, the track continues
/// in a new file of that name, or in what is left, with a new segment.
///
/// A later report of an instant takes the place of its point; if the writer is killed in that moment, the point is missing.
/// One whose point was moved away with the file is dropped.
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

    private let format: TrackFormat
    private let options: TrackFormat.Options
    private let keeping: Keeping
    private let direct: Int
    private var writer: any TrackWriter
    private var writerBeforeLast: (any TrackWriter)?
    /// Whether the last point was written to a file that was moved, deleted or cut off since.
    private var lastIsElsewhere = false
    /// Nothing after the end, and after a failure to open the file again.
    private var keeper: (any TrackKeeper)?
    private var finishedSize = 0

    /// Begins a file, or continues one.
    public convenience init(
        _ path: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(),
        existing: Existing = .continued, durability: Durability = .powerCut
    ) throws(TrackFileError) {
        try self.init(path, format, options, existing, durability, SystemStorage(for: path), reserve: 4096)
    }

    init(
        _ path: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(), _ existing: Existing,
        _ durability: Durability, _ storage: any TrackStorage, reserve: Int, direct: Int = ReplacingKeeper.direct
    ) throws(TrackFileError) {
        self.path = path
        self.format = format
        self.options = options
        self.direct = direct
        keeping = Keeping(
            storage: storage, path: storage.resolved(path), name: path, isDurable: durability == .powerCut,
            reserve: reserve)
        writer = format.writer(options)
        storage.removeStaleDrafts(of: keeping.path)
        try open(existing)
    }

    /// Opens the file.
    ///
    /// - Parameter wasWritten: whether this program has written a file of this name until now, which was moved or cut off.
    private func open(_ existing: Existing, wasWritten: Bool = false) throws(TrackFileError) {
        // Another writer may begin the file at the same time.
        for _ in 0..<100 {
            let old = try keeping.storage.open(keeping.path, isCompanion: false)
            if old != nil, existing == .refused { throw .exists(path: path) }
            do throws(TrackFileError) {
                // An empty file is as good as none.
                if existing == .continued, let old, try old.size() > 0 {
                    return try resume(old, wasWritten: wasWritten)
                }
                return try begin(overwrites: old != nil, keepsTail: existing != .replaced)
            } catch {
                guard case .exists = error, old == nil else { throw error }
            }
        }
        throw .inUse(path: path)
    }

    private func begin(overwrites: Bool, keepsTail: Bool) throws(TrackFileError) {
        var writer = format.writer(options)
        var header: [UInt8] = []
        writer.header(to: &header)
        switch format {
        case .gpx, .kml:
            keeper = try ConcealingKeeper(
                keeping, header: header, trailer: Self.trailer(of: writer), overwrites: overwrites)
        case .csv, .nmea, .gpsd: keeper = try LineKeeper(keeping, header: header, overwrites: overwrites)
        case .geojson:
            let replacing = try ReplacingKeeper(keeping, direct: direct, overwrites: overwrites, keepsTail: keepsTail)
            if replacing.hasFeatures { writer = writer.continued(after: try replacing.ending()) }
            keeper = replacing
        }
        self.writer = writer
    }

    private func resume(_ old: any StoredFile, wasWritten: Bool) throws(TrackFileError) {
        var writer = format.writer(options)
        var header: [UInt8] = []
        writer.header(to: &header)
        if wasWritten {
            let start = try old.read(at: 0, count: header.count)
            // Of a file that was cut off within its header nothing is left.
            if start.count < header.count, header.starts(with: start) {
                return try begin(overwrites: true, keepsTail: true)
            }
        }
        switch format {
        case .gpx, .kml:
            keeper = try concealing(old, header, trailer: Self.trailer(of: writer), wasWritten: wasWritten)
            writer = writer.continued(after: [])
        case .csv:
            let columns = try columns(of: old)
            var beginning: [UInt8] = []
            writer = CSVWriter(columns)
            writer.header(to: &beginning)
            keeper = try LineKeeper(keeping, continuing: old, beginning: beginning)
            writer = CSVWriter(columns, after: try Self.ending(of: old))
        case .nmea, .gpsd:
            // NMEA has no header, but each of its lines begins so.
            let beginning = header.isEmpty ? [UInt8(ascii: "$")] : header
            keeper = try LineKeeper(keeping, continuing: old, beginning: beginning)
            writer = writer.continued(after: try Self.ending(of: old))
        case .geojson:
            let replacing = try ReplacingKeeper(keeping, continuing: old, direct: direct, wasWritten: wasWritten)
            if replacing.hasFeatures { writer = writer.continued(after: try replacing.ending()) }
            keeper = replacing
        }
        self.writer = writer
    }

    /// Returns the columns in which a file of CSV is continued, which are its own.
    private func columns(of old: any StoredFile) throws(TrackFileError) -> CSVColumns {
        let start = try old.read(at: 0, count: min(old.size(), Keeping.piece))
        guard let own = CSVColumns(header: start.prefix { ![0x0A, 0x0D].contains($0) }) else {
            throw .foreign(path: keeping.name, cause: "it does not begin with columns that this program writes")
        }
        if let chosen = options.columns, chosen != own {
            throw .foreign(path: keeping.name, cause: "its columns are \(own.names.joined(separator: ","))")
        }
        return own
    }

    private func concealing(
        _ old: any StoredFile, _ header: [UInt8], trailer: [UInt8], wasWritten: Bool
    ) throws(TrackFileError) -> ConcealingKeeper {
        do throws(TrackFileError) {
            return try ConcealingKeeper(keeping, continuing: old, trailer: trailer)
        } catch {
            // Another program has cut off what was written here.
            guard case .foreign = error, wasWritten, try old.read(at: 0, count: header.count) == header else {
                throw error
            }
        }
        let pointEnd = Array((format == .gpx ? "</trkpt>" : "</gx:coord>").utf8)
        let end = try old.endOfLast(pointEnd) ?? header.count
        return try ConcealingKeeper(keeping, salvaging: old, upTo: end, trailer: trailer)
    }

    /// Returns the keeper of the file, which is opened anew if it was moved, deleted or cut off.
    private func currentKeeper() throws(TrackFileError) -> any TrackKeeper {
        if let keeper, keeper.file.size(at: keeping.path) == keeper.extent { return keeper }
        // It has the file locked, which may still be the one that is opened.
        keeper = nil
        writerBeforeLast = nil
        lastIsElsewhere = true
        try open(.continued, wasWritten: true)
        guard let keeper else { preconditionFailure("a file that was opened has a keeper") }
        return keeper
    }

    /// How many bytes the file has.
    public var size: Int { keeper?.size ?? finishedSize }

    /// Takes an element of the track; when this returns, the file holds it.
    public func take(_ element: TrackElement) throws(TrackFileError) {
        var keeper = try currentKeeper()
        var bytes: [UInt8] = []
        // Also after a failure, of which the keeper may have kept something.
        defer { self.keeper = keeper }
        switch element {
        case .point(let point):
            try add(point, to: &keeper)
        case .revision(let point):
            // A second time it would be a point of its own.
            if lastIsElsewhere { return }
            guard var next = writerBeforeLast else { return try add(point, to: &keeper) }
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

    private func add(_ point: TrackPoint, to keeper: inout any TrackKeeper) throws(TrackFileError) {
        try absorb(&keeper)
        var bytes: [UInt8] = []
        var next = writer
        next.append(point, to: &bytes)
        try keeper.add(bytes, closing: Self.trailer(of: next))
        writerBeforeLast = writer
        lastIsElsewhere = false
        writer = next
        points += 1
    }

    /// Ends the file and unlocks it.
    ///
    /// One that was moved or deleted is not made anew, unless its newest points stand elsewhere.
    public func finish() throws(TrackFileError) {
        if let file = keeper?.file, file.size(at: keeping.path) == nil, (keeper as? ReplacingKeeper)?.hasTail != true {
            keeper = nil
            return try file.sync()
        }
        guard keeper != nil else { return }
        var current = try currentKeeper()
        keeper = nil
        try current.finish(closing: Self.trailer(of: writer))
        finishedSize = current.size
    }

    private func absorb(_ keeper: inout any TrackKeeper) throws(TrackFileError) {
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
        case let writer as GeoJSONWriter: return writer.continued(after: ending)
        case let writer:
            var next: any TrackWriter = writer
            var bytes: [UInt8] = []
            next.gap(.continued, to: &bytes)
            return next
        }
    }
}
