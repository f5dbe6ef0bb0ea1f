/// Keeps an XML file well-formed at every byte that is written; see `Concealment`.
struct ConcealingKeeper: TrackKeeper {
    private let keeping: Keeping
    private let trailer: [UInt8]
    private(set) var file: any StoredFile
    /// Where the space stands that hides what is not complete.
    private var cover: Int
    /// Where the cover stood that was lifted last.
    private var lastCover: Int?
    /// Where the concealment closes.
    private var end: Int
    private var finished: Int?

    /// Begins a new file.
    ///
    /// - Parameter overwrites: whether it takes the place of one that is there.
    init(_ keeping: Keeping, header: [UInt8], trailer: [UInt8], overwrites: Bool) throws(TrackFileError) {
        var draft = try keeping.replacement(overwrites: overwrites)
        try draft.write(header)
        try self.init(keeping, draft, last: [], trailer: trailer)
    }

    /// Goes on with a file that is there, however its writer ended.
    init(_ keeping: Keeping, continuing old: any StoredFile, trailer: [UInt8]) throws(TrackFileError) {
        var draft = try keeping.replacement()
        let ending = try Self.copyShown(old, upTo: try old.size(), to: &draft, holdingBack: trailer.count)
        guard ending == trailer else {
            throw .foreign(path: keeping.name, cause: "it does not end as a track that was written here")
        }
        try self.init(keeping, draft, last: [], trailer: trailer)
    }

    /// Continues a file that was cut off, behind the last whole point that is left of it.
    ///
    /// - Parameter end: the offset behind that point, which may be a hidden one; `copyShown` leaves that out.
    init(
        _ keeping: Keeping, salvaging old: any StoredFile, upTo end: Int, trailer: [UInt8]
    ) throws(TrackFileError) {
        var draft = try keeping.replacement()
        _ = try Self.copyShown(old, upTo: end, to: &draft)
        try self.init(keeping, draft, last: [], trailer: trailer)
    }

    /// Adds the last point, the room for more and the end to a draft, and puts it in its place.
    private init(
        _ keeping: Keeping, _ draft: consuming FileReplacement, last: [UInt8], trailer: [UInt8]
    ) throws(TrackFileError) {
        self.keeping = keeping
        self.trailer = trailer
        // A revision of the last point needs a cover in front of it.
        try draft.write(Concealment.opening + [Concealment.shown] + last + Concealment.opening)
        lastCover = last.isEmpty ? nil : draft.size - Concealment.opening.count - last.count - 1
        cover = draft.size
        // In proportion to the size, so that all copying together is in proportion to it too.
        let room = max(keeping.reserve, draft.size / 16)
        end = cover + 1 + room
        try draft.write(Concealment.spaces(1 + room) + Concealment.closing + trailer)
        file = try draft.place()
    }

    /// What the file has without the room for more.
    var size: Int { finished ?? cover - Concealment.opening.count + trailer.count }

    var extent: Int { finished ?? end + Concealment.closing.count + trailer.count }

    mutating func add(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        let hidden = bytes + Concealment.opening + [Concealment.hidden]
        guard cover + 1 + hidden.count <= end else { return try grow(bytes) }
        do {
            try file.write(hidden, at: cover + 1)
        } catch {
            // What arrived must not be mixed with what is written there next.
            try? file.write(Concealment.spaces(hidden.count), at: cover + 1)
            throw error
        }
        // The disk must have the point before it has the byte that shows it.
        try keeping.sync(file)
        try file.write([Concealment.shown], at: cover)
        try keeping.sync(file)
        lastCover = cover
        cover += hidden.count
    }

    mutating func replaceLast(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        guard let lastCover else { return try add(bytes, closing: closing) }
        try file.write([Concealment.hidden], at: lastCover)
        try keeping.sync(file)
        try file.write(Concealment.spaces(cover - lastCover), at: lastCover + 1)
        try keeping.sync(file)
        cover = lastCover
        self.lastCover = nil
        try add(bytes, closing: closing)
    }

    /// Takes the concealments out; a file that cannot be rewritten stays as it is, which is whole too.
    mutating func finish(closing: [UInt8]) throws(TrackFileError) {
        do throws(TrackFileError) {
            var draft = try keeping.replacement()
            _ = try Self.copyShown(file, upTo: cover - Concealment.opening.count, to: &draft)
            try draft.write(trailer)
            finished = draft.size
            file = try draft.place()
        } catch {
            try file.sync()
        }
    }

    private mutating func grow(_ bytes: [UInt8]) throws(TrackFileError) {
        var draft = try keeping.replacement()
        _ = try Self.copyShown(file, upTo: cover - Concealment.opening.count, to: &draft)
        self = try ConcealingKeeper(keeping, draft, last: bytes, trailer: trailer)
    }

    /// Copies what is to be seen, and answers with the bytes at the end that were held back.
    private static func copyShown(
        _ file: any StoredFile, upTo end: Int, to draft: inout FileReplacement, holdingBack held: Int = 0
    ) throws(TrackFileError) -> [UInt8] {
        var remover = Concealment.Remover()
        var shown: [UInt8] = []
        var offset = 0
        while offset < end {
            let piece = try file.read(at: offset, count: min(Keeping.piece, end - offset))
            if piece.isEmpty { break }
            offset += piece.count
            remover.take(piece, to: &shown)
            if shown.count > held {
                try draft.write(Array(shown[..<(shown.count - held)]))
                shown.removeFirst(shown.count - held)
            }
        }
        return shown
    }
}
