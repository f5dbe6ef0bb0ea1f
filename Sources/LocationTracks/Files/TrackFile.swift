/// A track in a file that is complete after every point, however the writer ends.
///
/// - GPX and KML are well-formed after every byte written, and hold every point for which `process` has returned; see
///   `XMLPlaceholder` and `TailSlots`. While the file grows it holds processing instructions, and KML comments too, which
///   `finish()` removes.
/// - GeoJSON is replaced as a whole; a long one has its newest points in `FILE.tail` until the end; see
///   `RewritingStore`.
/// - CSV, NMEA and gpsd's JSON are lines; a power cut can leave a part of the last line, which is cut off when the file
///   is resumed; see `AppendingStore`.
///
/// The writing program locks the file, and a second one fails with `TrackFileError.inUse`. Each element is preceded by
/// a check of the file's name: if the file was moved, deleted or cut off by another program, the track continues in a
/// new file of that name, or in the rest of the old one, with a new segment.
///
/// A later report of an epoch replaces its point; if the writer of a GPX file or of lines is killed during that step, the
/// point is missing. A later report is dropped if its point was moved away with the file.
public final class TrackFile {
    /// The treatment of an existing file.
    public enum Existing: Hashable, Sendable {
        /// Resume it with a new segment.
        case continued
        /// Replace it.
        case replaced
        /// Throw `TrackFileError.exists` and write nothing.
        case refused
    }

    /// The events that a written point must survive.
    public enum Durability: Hashable, Sendable {
        /// The end of the writer at any moment, while the system keeps running.
        case kill
        /// A power cut at any moment too, at the cost of two or three disk flushes per point.
        case powerCut
    }

    /// The path of the file.
    public let path: String
    /// The number of points written.
    public private(set) var points = 0

    private let format: TrackFormat
    private let options: TrackFormat.Options
    private let keeping: TrackFileOptions
    private let direct: Int
    private var writer: any TrackWriter
    private var writerBeforeLast: (any TrackWriter)?
    /// Whether the last point went to a file that has since been moved, deleted or cut off.
    private var lastIsElsewhere = false
    /// The store of the open file; `nil` after the end, and after the file could not be reopened.
    private var keeper: (any TrackStore)?
    private var finishedSize = 0

    /// Creates a file, or resumes an existing one.
    public convenience init(
        _ path: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(),
        existing: Existing = .continued, durability: Durability = .powerCut
    ) throws(TrackFileError) {
        try self.init(path, format, options, existing, durability, SystemStorage(for: path))
    }

    /// - Parameter removesDrafts: Whether to look in the folder for what a killed writer of this file left, which takes as
    ///   long as the folder is large.
    init(
        _ path: String, _ format: TrackFormat, _ options: TrackFormat.Options = .init(), _ existing: Existing,
        _ durability: Durability, _ storage: any TrackStorage, reserve: Int = 4096, direct: Int = RewritingStore.direct,
        removesDrafts: Bool = true
    ) throws(TrackFileError) {
        self.path = path
        self.format = format
        self.options = options
        self.direct = direct
        keeping = TrackFileOptions(
            storage: storage, path: storage.resolved(path), name: path, isDurable: durability == .powerCut,
            reserve: reserve)
        writer = format.writer(options)
        if removesDrafts { storage.removeStaleDrafts(of: keeping.path) }
        try open(existing)
    }

    /// Opens the file.
    ///
    /// - Parameter wasWritten: Whether this program wrote a file of this name until now, which was moved or cut off.
    private func open(_ existing: Existing, wasWritten: Bool = false) throws(TrackFileError) {
        // Another writer may create the file at the same time.
        for _ in 0..<100 {
            let old = try keeping.storage.open(keeping.path, isCompanion: false)
            if old != nil, existing == .refused { throw .exists(path: path) }
            do throws(TrackFileError) {
                // An empty file counts as a missing one.
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
        switch format.form {
        case .concealed:
            keeper = try PlaceholderStore(
                keeping, header: header, trailer: Self.trailer(of: writer), overwrites: overwrites)
        case .lines: keeper = try AppendingStore(keeping, header: header, overwrites: overwrites)
        case .features:
            let replacing = try RewritingStore(keeping, direct: direct, overwrites: overwrites, keepsTail: keepsTail)
            if replacing.hasFeatures { writer.resume(after: try replacing.ending()) }
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
            // A file that was cut off within its header holds nothing to resume.
            if start.count < header.count, header.starts(with: start) {
                return try begin(overwrites: true, keepsTail: true)
            }
        }
        let start = try old.read(at: 0, count: min(old.size(), TrackFileOptions.piece))
        writer = format.writer(try format.options(options, continuing: start, of: keeping.name))
        header = []
        writer.header(to: &header)
        switch format.form {
        case .concealed(let pointEnd):
            keeper = try concealing(
                old, header, trailer: Self.trailer(of: writer), pointEnd: pointEnd, wasWritten: wasWritten)
            writer.resume(after: [])
        case .lines(let start):
            let beginning = header.isEmpty ? Array(start.utf8) : header
            keeper = try AppendingStore(keeping, continuing: old, beginning: beginning)
            writer.resume(after: try Self.ending(of: old))
        case .features:
            let replacing = try RewritingStore(keeping, continuing: old, direct: direct, wasWritten: wasWritten)
            if replacing.hasFeatures { writer.resume(after: try replacing.ending()) }
            keeper = replacing
        }
        self.writer = writer
    }

    private func concealing(
        _ old: any StoredFile, _ header: [UInt8], trailer: [UInt8], pointEnd: String, wasWritten: Bool
    ) throws(TrackFileError) -> PlaceholderStore {
        do throws(TrackFileError) {
            return try PlaceholderStore(keeping, continuing: old, trailer: trailer)
        } catch {
            // If this program wrote the file, another one has cut it off, and the rest can be resumed.
            guard case .foreign = error, wasWritten, try old.read(at: 0, count: header.count) == header else {
                throw error
            }
        }
        let end = try old.endOfLast(Array(pointEnd.utf8)) ?? header.count
        return try PlaceholderStore(keeping, salvaging: old, upTo: end, trailer: trailer)
    }

    /// Returns the store of the file, and reopens a file that was moved, deleted or cut off.
    private func currentKeeper() throws(TrackFileError) -> any TrackStore {
        if let keeper, keeper.file.size(at: keeping.path) == keeper.extent { return keeper }
        // The old store still locks its file, which may be the one to be reopened.
        keeper = nil
        writerBeforeLast = nil
        lastIsElsewhere = true
        try open(.continued, wasWritten: true)
        guard let keeper else { preconditionFailure("a file that was opened has a keeper") }
        return keeper
    }

    /// The size of the file in bytes, without space reserved for more points.
    public var size: Int { keeper?.size ?? finishedSize }

    /// Processes an element of the track; when this returns, the file holds it.
    public func process(_ element: TrackElement) throws(TrackFileError) {
        var keeper = try currentKeeper()
        var bytes: [UInt8] = []
        // Even a failed write may have changed the store.
        defer { self.keeper = keeper }
        switch element {
        case .point(let point):
            try add(point, to: &keeper)
        case .revision(let point):
            // Its point is in another file, so that here the revision would be a second point.
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

    private func add(_ point: TrackPoint, to keeper: inout any TrackStore) throws(TrackFileError) {
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

    /// Finishes the file and unlocks it.
    ///
    /// A file that was moved or deleted is not created again, unless its newest points are in its tail.
    public func finish() throws(TrackFileError) {
        if let file = keeper?.file, file.size(at: keeping.path) == nil, (keeper as? RewritingStore)?.hasTail != true {
            keeper = nil
            return try file.sync()
        }
        guard keeper != nil else { return }
        var current = try currentKeeper()
        keeper = nil
        try current.finish(closing: Self.trailer(of: writer))
        finishedSize = current.size
    }

    private func absorb(_ keeper: inout any TrackStore) throws(TrackFileError) {
        guard keeper.isTailLong(Self.trailer(of: writer)) else { return }
        var next = writer
        var bytes: [UInt8] = []
        guard next.endFeature(to: &bytes) else { return }
        try keeper.absorb(bytes)
        writer = next
    }

    private static func trailer(of writer: any TrackWriter) -> [UInt8] {
        var bytes: [UInt8] = []
        writer.trailer(to: &bytes)
        return bytes
    }

    private static func ending(of file: any StoredFile) throws(TrackFileError) -> [UInt8] {
        let size = try file.size()
        return try file.read(at: max(0, size - TrackFileOptions.piece), count: min(size, TrackFileOptions.piece))
    }
}
