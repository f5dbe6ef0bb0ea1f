import LocationCore

/// A track in a file that is complete after every point, however the writer ends.
///
/// Each point is written together with the end of the file, over the end that was there; see `TrackStore`. KML and
/// GeoJSON list the times of a line apart from its positions, so their files have a line for each step from one point to the
/// next, which readers of this package join again.
///
/// - A writer that is killed between two points leaves a complete file.
/// - A writer that is killed while it writes a point, or a power cut then, can leave a torn last point; other programs
///   may refuse the file until this one opens it again, which removes that point. No other point is lost, if
///   `Durability` includes the event.
///
/// The writing program locks the file, and a second one fails with `TrackFileError.inUse`. Each element is preceded by
/// a check of the file's name: if the file was moved, deleted or cut off by another program, the track continues in a
/// new file of that name, or in the rest of the old one, with a new segment.
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
        /// A power cut at any moment too, at the cost of a disk flush per point.
        case powerCut
    }

    /// The path of the file.
    public let path: String
    /// The number of points written.
    public private(set) var points = 0

    /// The time of the first point that the file had when it was resumed, if that is known.
    private(set) var start: Timestamp?

    private let format: TrackFormat
    private let options: TrackFormat.Options
    private let isDurable: Bool
    private let storage: any TrackStorage
    /// The path of the file, with links resolved.
    private let place: String
    private var writer: any TrackWriter
    /// The store of the open file; `nil` after the end, and after the file could not be reopened.
    private var store: TrackStore?
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
        _ durability: Durability, _ storage: any TrackStorage, removesDrafts: Bool = true
    ) throws(TrackFileError) {
        self.path = path
        self.format = format
        self.options = options
        self.storage = storage
        isDurable = durability == .powerCut
        place = storage.resolved(path)
        writer = format.writer(options)
        if removesDrafts { storage.removeStaleDrafts(of: place) }
        try open(existing)
    }

    private func open(_ existing: Existing) throws(TrackFileError) {
        // Another writer may create the file at the same time.
        for _ in 0..<100 {
            let old = try storage.open(place)
            if old != nil, existing == .refused { throw .exists(path: path) }
            do throws(TrackFileError) {
                if existing == .continued, let old, try resume(old) { return }
                return try begin(overwrites: old != nil)
            } catch {
                guard case .exists = error, old == nil else { throw error }
            }
        }
        throw .inUse(path: path)
    }

    private func begin(overwrites: Bool) throws(TrackFileError) {
        writer = format.writer(options)
        start = nil
        let (header, trailer) = (writer.header, writer.trailer)
        var draft = try FileReplacement(of: place, overwrites: overwrites, in: storage)
        try draft.write(header + trailer)
        store = try TrackStore(
            draft.place(), upTo: header.count, rest: trailer, trailer: trailer, isDurable: isDurable)
    }

    /// Continues a file after its last whole point; returns `false` if it holds nothing but a part of a header.
    private func resume(_ old: any StoredFile) throws(TrackFileError) -> Bool {
        let start = try old.read(at: 0, count: TrackStore.piece)
        // An empty file counts as a missing one.
        if format.writer(options).header.starts(with: start) { return false }
        var writer = format.writer(try format.options(options, continuing: start, of: path))
        let (beginning, trailer) = (writer.beginning, writer.trailer)
        guard start.starts(with: beginning) else {
            throw .foreign(path: path, cause: "it does not begin as a track of locwatch")
        }
        let size = try old.size()
        let ending = try old.read(at: max(0, size - TrackStore.piece), count: TrackStore.piece)
        let isWhole = !trailer.isEmpty && ending.suffix(trailer.count).elementsEqual(trailer)
        let end = isWhole ? ending.count - trailer.count : writer.endOfLastPoint(in: ending)
        guard let end, isWhole || writer.isTorn(ending[end...]) else {
            throw .foreign(path: path, cause: "it does not end as a track of locwatch")
        }
        let rest = Array(ending[end...])
        writer.resume(after: ending[..<end])
        self.writer = writer
        self.start = writer.firstTime(in: start)
        store = try TrackStore(old, upTo: size - rest.count, rest: rest, trailer: trailer, isDurable: isDurable)
        return true
    }

    /// Returns the store of the file, and reopens a file that was moved, deleted or cut off.
    private func currentStore() throws(TrackFileError) -> TrackStore {
        if let store, store.file.size(at: place) == store.size { return store }
        // The old store still locks its file, which may be the one to be reopened.
        store = nil
        try open(.continued)
        guard let store else { preconditionFailure("a file that was opened has a store") }
        return store
    }

    /// The size of the file in bytes.
    public var size: Int { store?.size ?? finishedSize }

    /// Processes an element of the track; when this returns, the file holds it.
    public func process(_ element: TrackElement) throws(TrackFileError) {
        var store = try currentStore()
        // Even a failed write may have changed the store.
        defer { self.store = store }
        var next = writer
        var out = TextBuffer()
        switch element {
        case .point(let point):
            next.append(point, into: &out)
            next.flush(into: &out)
        case .gap(let gap): next.gap(gap, into: &out)
        }
        if out.count > 0 { try store.append(out.bytes, trailer: next.trailer) }
        writer = next
        if case .point = element { points += 1 }
    }

    /// Finishes the file and unlocks it.
    ///
    /// A file that was moved or deleted is not created again.
    public func finish() throws(TrackFileError) {
        if store?.file.size(at: place) != nil { store = try currentStore() }
        guard let last = store.take() else { return }
        try last.file.sync()
        finishedSize = last.size
    }
}
