/// Keeps a file that cannot grow in place, as JSON cannot: each step is a whole new file that takes the old one's place.
///
/// As that would cost more and more, a file beyond `direct` bytes has a companion, `FILE.tail`, which is a small file of the
/// same format with the newest points. It is replaced at each point and emptied into the file now and then, and at the
/// end. Both are well-formed at every moment, and what stands in the tail does not stand in the file, but for the moment
/// between the one taking the other in and its removal. A tail that a killed writer left is taken in when the file is
/// continued; see `GeoJSONTail`.
struct ReplacingKeeper: TrackKeeper {
    /// What stands before the first feature.
    static let head: [UInt8] = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8)
    /// What stands after the last one.
    static let foot: [UInt8] = Array("\n]}\n".utf8)
    /// Up to so many bytes the file itself is replaced at each point.
    static let direct = 65_536

    private let keeping: Keeping
    private let direct: Int
    private(set) var file: any StoredFile
    /// Where in the file the features end that will not change.
    private var stableEnd: Int
    /// Features that will not change and do not stand in the stable part.
    private var pending: [UInt8] = []
    private var pendingBeforeLast = 0
    private(set) var size: Int
    private var tail: GeoJSONTail

    /// Begins a new file.
    ///
    /// - Parameters:
    ///   - overwrites: whether it takes the place of one that is there.
    ///   - keepsTail: whether a tail without its file, which was moved away or deleted, begins the new file.
    init(_ keeping: Keeping, direct: Int = direct, overwrites: Bool, keepsTail: Bool) throws(TrackFileError) {
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

    /// Continues a file that is there, and its tail.
    ///
    /// - Parameter wasWritten: whether this program has written the file until now. It is continued then even if it was cut
    ///   off, and the tail belongs to it in any case.
    init(
        _ keeping: Keeping, continuing old: any StoredFile, direct: Int = direct, wasWritten: Bool
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
            throw .foreign(path: keeping.name, cause: "it does not begin and end as a track that was written here")
        }
        if !isWhole {
            // Features are separated by a comma and a line end, which do not occur within one.
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
        // It may have been taken in before its remover was killed.
        let last = try file.read(at: max(0, stableEnd - features.count), count: min(stableEnd, features.count))
        guard last == features else { throw .foreign(path: tail.path, cause: "it belongs to another track") }
        tail.remove()
    }

    /// Whether features stand in the file.
    var hasFeatures: Bool { stableEnd > Self.head.count }

    /// Whether points stand in the tail.
    var hasTail: Bool { tail.exists }

    var extent: Int { size }

    /// Returns the last of the features in the file, which show how many segments it has.
    func ending() throws(TrackFileError) -> [UInt8] {
        try file.read(at: max(0, stableEnd - Keeping.piece), count: min(stableEnd, Keeping.piece))
    }

    /// Whether features stand in the file that will change: with a tail beside it they would stand in both.
    private var isDirect: Bool { size > stableEnd + Self.foot.count }

    /// Whether it is time to end the feature that is being made, so that all goes into the file; see `absorb`.
    func isTailLong(_ closing: [UInt8]) -> Bool {
        stableEnd + pending.count + closing.count > direct
            && (isDirect || pending.count + closing.count > max(direct / 2, stableEnd / 128))
    }

    /// Puts everything into the file; `bytes` complete the feature that was being made.
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
        // The features of the tail begin with a comma where others stand before them.
        var features = pending + closing
        if features.first == UInt8(ascii: ",") { features.removeFirst() }
        try tail.replace(after: file, size: size, by: features)
    }

    private mutating func rewrite(_ features: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        var draft = try keeping.replacement()
        var offset = 0
        while offset < stableEnd {
            let piece = try file.read(at: offset, count: min(Keeping.piece, stableEnd - offset))
            if piece.isEmpty { throw .foreign(path: keeping.name, cause: "another program has cut it off") }
            try draft.write(piece)
            offset += piece.count
        }
        try draft.write(features + closing)
        size = draft.size
        file = try draft.place()
    }
}
