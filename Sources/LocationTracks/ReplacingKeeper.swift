/// Keeps a file that cannot grow in place, as JSON cannot: each step is a whole new file that takes the old one's place.
///
/// As that would cost more and more, a file beyond `direct` bytes has a companion, `FILE.tail`, which is a small file of the
/// same format with the newest points. It is replaced at each point and emptied into the file now and then, and at the
/// end. Both are well-formed at every moment. A tail that a killed writer left is taken in when the file is gone on with.
struct ReplacingKeeper: TrackKeeper {
    /// What stands before the first feature.
    static let head: [UInt8] = Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8)
    /// What stands after the last one.
    static let foot: [UInt8] = Array("\n]}\n".utf8)
    /// Up to so many bytes the file itself is replaced at each point.
    static let direct = 65_536

    private let keeping: Keeping
    private let direct: Int
    private var file: any StoredFile
    /// Where in the file the features end that will not change.
    private var stableEnd: Int
    /// Features that will not change and do not stand in the stable part.
    private var pending: [UInt8] = []
    private var pendingBeforeLast = 0
    private(set) var size: Int

    private var tail: String { keeping.path + ".tail" }
    private static let tailHead = "{\"type\":\"FeatureCollection\",\"after\":"

    /// A new file, in place of one that is there.
    init(_ keeping: Keeping, direct: Int = direct) throws(TrackFileError) {
        self.keeping = keeping
        self.direct = direct
        var draft = try FileReplacement(of: keeping.path, in: keeping.storage)
        try draft.write(Self.head + Self.foot)
        size = draft.size
        stableEnd = Self.head.count
        file = try draft.place()
        keeping.storage.remove(keeping.path + ".tail")
    }

    /// Goes on with a file that is there, and with its tail.
    init(_ keeping: Keeping, continuing old: any StoredFile, direct: Int = direct) throws(TrackFileError) {
        self.keeping = keeping
        self.direct = direct
        file = old
        size = try old.size()
        stableEnd = size - Self.foot.count
        guard try old.read(at: 0, count: Self.head.count) == Self.head, stableEnd >= Self.head.count,
            try old.read(at: stableEnd, count: Self.foot.count) == Self.foot
        else { throw .foreign(path: keeping.path, cause: "it does not begin and end as a track that was written here") }
        try takeInTail()
    }

    /// Whether features stand in the file.
    var hasFeatures: Bool { stableEnd > Self.head.count }

    /// The last of what stands in the file, to see how far it has come.
    func ending() throws(TrackFileError) -> [UInt8] {
        try file.read(at: max(0, stableEnd - Keeping.piece), count: min(stableEnd, Keeping.piece))
    }

    /// Whether it is time to end the feature that is being made, so that all goes into the file; see `absorb`.
    func isTailLong(_ closing: [UInt8]) -> Bool {
        stableEnd + pending.count + closing.count > direct
            && pending.count + closing.count > max(direct / 2, stableEnd / 128)
    }

    /// Puts everything into the file; `bytes` complete the feature that was being made.
    mutating func absorb(_ bytes: [UInt8]) throws(TrackFileError) {
        try rewrite(pending + bytes, closing: Self.foot)
        stableEnd = size - Self.foot.count
        pending = []
        pendingBeforeLast = 0
        keeping.storage.remove(tail)
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
        keeping.storage.remove(tail)
    }

    private mutating func save(_ closing: [UInt8]) throws(TrackFileError) {
        if stableEnd + pending.count + closing.count <= direct { return try rewrite(pending, closing: closing) }
        // The features of the tail begin with a comma where others stand before them.
        var features = pending + closing
        if features.first == UInt8(ascii: ",") { features.removeFirst() }
        var draft = try FileReplacement(of: tail, in: keeping.storage)
        try draft.write(Array("\(Self.tailHead)\(size),\"features\":[".utf8) + features)
        try draft.finish()
    }

    private mutating func rewrite(_ features: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        var draft = try FileReplacement(of: keeping.path, in: keeping.storage)
        var offset = 0
        while offset < stableEnd {
            let piece = try file.read(at: offset, count: min(Keeping.piece, stableEnd - offset))
            if piece.isEmpty { throw .foreign(path: keeping.path, cause: "somebody else has cut it off") }
            try draft.write(piece)
            offset += piece.count
        }
        try draft.write(features + closing)
        size = draft.size
        file = try draft.place()
    }

    private mutating func takeInTail() throws(TrackFileError) {
        guard let left = try keeping.storage.open(tail) else { return }
        let bytes = try left.read(at: 0, count: try left.size())
        let head = Array("\(Self.tailHead)\(size),\"features\":[".utf8)
        // One that belongs to another size was taken in before its remover was killed.
        if bytes.starts(with: head), bytes.suffix(Self.foot.count).elementsEqual(Self.foot) {
            let features = bytes[head.count..<(bytes.count - Self.foot.count)]
            if !features.isEmpty { try absorb((hasFeatures ? [UInt8(ascii: ",")] : []) + features) }
        }
        keeping.storage.remove(tail)
    }
}
