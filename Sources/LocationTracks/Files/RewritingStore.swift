/// A store for a file that cannot grow in place, such as JSON: each change writes a whole new file that replaces the
/// old one.
///
/// The cost of that grows with the file, so a file of more than `direct` bytes has a companion, `FILE.tail`: a small
/// file of the same format with the newest points. The tail is replaced at each point, and merged into the file now and
/// then and at the end. Both files are always well-formed. A point is in one of them only, except between merging the
/// tail and removing it. A tail that a killed writer left is merged when the file is resumed; see `GeoJSONTail`.
struct RewritingStore: TrackStore {
    /// The bytes before the first feature.
    static let head: [UInt8] = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8)
    /// The bytes after the last feature.
    static let foot: [UInt8] = Array("\n]}\n".utf8)
    /// The size in bytes up to which the file itself is replaced at each point.
    static let direct = 65_536

    private let keeping: TrackFileOptions
    private let direct: Int
    private(set) var file: any StoredFile
    /// The offset in the file at which the features end that will not change.
    private var stableEnd: Int
    /// Complete features that are not in the stable part yet.
    private var pending: [UInt8] = []
    private var pendingBeforeLast = 0
    private(set) var size: Int
    private var tail: GeoJSONTail

    /// Creates a new file.
    ///
    /// - Parameters:
    ///   - overwrites: Whether it replaces an existing file.
    ///   - keepsTail: Whether the new file begins with the points of a tail whose file was moved or deleted.
    init(_ keeping: TrackFileOptions, direct: Int = direct, overwrites: Bool, keepsTail: Bool) throws(TrackFileError) {
        self.keeping = keeping
        self.direct = direct
        tail = try GeoJSONTail(keeping)
        let features = keepsTail ? tail.features : []
        var draft = try keeping.replacement(overwrites: overwrites)
        try draft.write(Self.head + features + Self.foot)
        size = draft.size
        stableEnd = size - Self.foot.count
        file = try draft.place()
        tail.remove()
    }

    /// Resumes an existing file and its tail.
    ///
    /// - Parameter wasWritten: Whether this program has written the file until now. Then the file is resumed even if it
    ///   was cut off, and the tail belongs to it in any case.
    init(
        _ keeping: TrackFileOptions, continuing old: any StoredFile, direct: Int = direct, wasWritten: Bool
    ) throws(TrackFileError) {
        self.keeping = keeping
        self.direct = direct
        tail = try GeoJSONTail(keeping)
        file = old
        size = try old.size()
        stableEnd = size - Self.foot.count
        let ending = try old.read(at: max(0, stableEnd), count: Self.foot.count)
        let isWhole = stableEnd >= Self.head.count && ending == Self.foot
        guard try old.read(at: 0, count: Self.head.count) == Self.head, isWhole || wasWritten else {
            throw .foreign(path: keeping.name, cause: "it does not begin and end as a track of locwatch")
        }
        if !isWhole {
            // A comma and a line end separate features, and do not occur together within one.
            let separator = Array(",\n".utf8)
            stableEnd = try old.endOfLast(separator).map { $0 - separator.count } ?? Self.head.count
            try rewrite([], closing: Self.foot)
        }
        try takeInTail(wasWritten: wasWritten)
    }

    private mutating func takeInTail(wasWritten: Bool) throws(TrackFileError) {
        let features = tail.features
        if features.isEmpty { return tail.remove() }
        let belongs = try tail.belongs(to: file, size: size)
        if wasWritten || belongs { return try absorb((hasFeatures ? [UInt8(ascii: ",")] : []) + features) }
        // The tail may have been merged before the writer that should have removed it was killed.
        let last = try file.read(at: max(0, stableEnd - features.count), count: min(stableEnd, features.count))
        guard last == features else { throw .foreign(path: tail.path, cause: "it belongs to another track") }
        tail.remove()
    }

    /// Whether the file holds features.
    var hasFeatures: Bool { stableEnd > Self.head.count }

    /// Whether the tail holds points.
    var hasTail: Bool { tail.exists }

    var extent: Int { size }

    /// Returns the last features in the file, which contain the number of its last segment.
    func ending() throws(TrackFileError) -> [UInt8] {
        try file.read(at: max(0, stableEnd - TrackFileOptions.piece), count: min(stableEnd, TrackFileOptions.piece))
    }

    /// Whether the file holds features that will change; with a tail they would be in both files.
    private var isDirect: Bool { size > stableEnd + Self.foot.count }

    /// Whether to end the current feature, so that everything can be merged into the file; see `absorb`.
    func isTailLong(_ closing: [UInt8]) -> Bool {
        stableEnd + pending.count + closing.count > direct
            && (isDirect || pending.count + closing.count > max(direct / 2, stableEnd / 128))
    }

    /// Merges everything into the file; `bytes` complete the current feature.
    mutating func absorb(_ bytes: [UInt8]) throws(TrackFileError) {
        try rewrite(pending + bytes, closing: Self.foot)
        stableEnd = size - Self.foot.count
        pending = []
        pendingBeforeLast = 0
        tail.remove()
    }

    mutating func add(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        pendingBeforeLast = pending.count
        pending += bytes
        try save(closing)
    }

    mutating func replaceLast(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        pending.removeLast(pending.count - pendingBeforeLast)
        pending += bytes
        try save(closing)
    }

    mutating func finish(closing: [UInt8]) throws(TrackFileError) {
        try rewrite(pending, closing: closing)
        tail.remove()
    }

    private mutating func save(_ closing: [UInt8]) throws(TrackFileError) {
        if !tail.exists, isDirect || stableEnd + pending.count + closing.count <= direct {
            return try rewrite(pending, closing: closing)
        }
        // A feature after another begins with a comma, but the first one in the tail must not.
        var features = pending + closing
        if features.first == UInt8(ascii: ",") { features.removeFirst() }
        try tail.replace(after: file, size: size, by: features)
    }

    private mutating func rewrite(_ features: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        var draft = try keeping.replacement()
        var offset = 0
        while offset < stableEnd {
            let piece = try file.read(at: offset, count: min(TrackFileOptions.piece, stableEnd - offset))
            if piece.isEmpty { throw .foreign(path: keeping.name, cause: "another program has truncated it") }
            try draft.write(piece)
            offset += piece.count
        }
        try draft.write(features + closing)
        size = draft.size
        file = try draft.place()
    }
}
