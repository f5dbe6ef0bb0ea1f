/// A store that keeps an XML file well-formed after every byte written; see `XMLPlaceholder`.
struct PlaceholderStore: TrackStore {
    private let keeping: TrackFileOptions
    private let trailer: [UInt8]
    private(set) var file: any StoredFile
    /// The offset of the space that hides incomplete content until it becomes `>`.
    private var cover: Int
    /// The offset of the cover that was lifted last, if the last point can be replaced.
    private var lastCover: Int?
    /// The offset at which the placeholder closes.
    private var end: Int
    private var finished: Int?

    /// Creates a new file.
    ///
    /// - Parameter overwrites: Whether it replaces an existing file.
    init(_ keeping: TrackFileOptions, header: [UInt8], trailer: [UInt8], overwrites: Bool) throws(TrackFileError) {
        var draft = try keeping.replacement(overwrites: overwrites)
        try draft.write(header)
        try self.init(keeping, draft, last: [], trailer: trailer)
    }

    /// Resumes an existing file, finished or not.
    init(_ keeping: TrackFileOptions, continuing old: any StoredFile, trailer: [UInt8]) throws(TrackFileError) {
        var draft = try keeping.replacement()
        let ending = try Self.copyShown(old, upTo: try old.size(), to: &draft, holdingBack: trailer.count)
        guard ending == trailer else {
            throw .foreign(path: keeping.name, cause: "it does not end as a track of locwatch")
        }
        try self.init(keeping, draft, last: [], trailer: trailer)
    }

    /// Resumes a file that was cut off, after the last whole point that is left in it.
    ///
    /// - Parameter end: The offset after that point, which may be a hidden one; `copyShown` leaves a hidden point out.
    init(
        _ keeping: TrackFileOptions, salvaging old: any StoredFile, upTo end: Int, trailer: [UInt8]
    ) throws(TrackFileError) {
        var draft = try keeping.replacement()
        _ = try Self.copyShown(old, upTo: end, to: &draft)
        try self.init(keeping, draft, last: [], trailer: trailer)
    }

    /// Appends the last point, the reserve and the trailer to a draft, and puts it in its place.
    private init(
        _ keeping: TrackFileOptions, _ draft: consuming FileReplacement, last: [UInt8], trailer: [UInt8]
    ) throws(TrackFileError) {
        self.keeping = keeping
        self.trailer = trailer
        // Replacing the last point needs a cover in front of it.
        try draft.write(XMLPlaceholder.opening + [XMLPlaceholder.shown] + last + XMLPlaceholder.opening)
        lastCover = last.isEmpty ? nil : draft.size - XMLPlaceholder.opening.count - last.count - 1
        cover = draft.size
        // A reserve in proportion to the size keeps the total cost of copying in proportion to the size.
        let room = max(keeping.reserve, draft.size / 16)
        end = cover + 1 + room
        try draft.write(XMLPlaceholder.spaces(1 + room) + XMLPlaceholder.closing + trailer)
        file = try draft.place()
    }

    /// The size of the file without the placeholder.
    var size: Int { finished ?? cover - XMLPlaceholder.opening.count + trailer.count }

    var extent: Int { finished ?? end + XMLPlaceholder.closing.count + trailer.count }

    mutating func add(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        let hidden = bytes + XMLPlaceholder.opening + [XMLPlaceholder.hidden]
        guard cover + 1 + hidden.count <= end else { return try grow(bytes) }
        do {
            try file.write(hidden, at: cover + 1)
        } catch {
            // A partial write must not mix with the bytes that are written there next.
            try? file.write(XMLPlaceholder.spaces(hidden.count), at: cover + 1)
            throw error
        }
        // The point must be on the disk before the byte that shows it.
        try keeping.sync(file)
        try file.write([XMLPlaceholder.shown], at: cover)
        try keeping.sync(file)
        lastCover = cover
        cover += hidden.count
    }

    mutating func replaceLast(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        guard let lastCover else { return try add(bytes, closing: closing) }
        try file.write([XMLPlaceholder.hidden], at: lastCover)
        try keeping.sync(file)
        try file.write(XMLPlaceholder.spaces(cover - lastCover), at: lastCover + 1)
        try keeping.sync(file)
        cover = lastCover
        self.lastCover = nil
        try add(bytes, closing: closing)
    }

    /// Removes the placeholders; a file that cannot be rewritten keeps them, and is well-formed too.
    mutating func finish(closing: [UInt8]) throws(TrackFileError) {
        do throws(TrackFileError) {
            var draft = try keeping.replacement()
            _ = try Self.copyShown(file, upTo: cover - XMLPlaceholder.opening.count, to: &draft)
            try draft.write(trailer)
            finished = draft.size
            file = try draft.place()
        } catch {
            try file.sync()
        }
    }

    private mutating func grow(_ bytes: [UInt8]) throws(TrackFileError) {
        var draft = try keeping.replacement()
        _ = try Self.copyShown(file, upTo: cover - XMLPlaceholder.opening.count, to: &draft)
        self = try PlaceholderStore(keeping, draft, last: bytes, trailer: trailer)
    }

    /// Copies the visible content and returns the last `held` bytes of it, which are not copied.
    private static func copyShown(
        _ file: any StoredFile, upTo end: Int, to draft: inout FileReplacement, holdingBack held: Int = 0
    ) throws(TrackFileError) -> [UInt8] {
        var remover = XMLPlaceholder.Remover()
        var shown: [UInt8] = []
        var offset = 0
        while offset < end {
            let piece = try file.read(at: offset, count: min(TrackFileOptions.piece, end - offset))
            if piece.isEmpty { break }
            offset += piece.count
            remover.process(piece, to: &shown)
            if shown.count > held {
                try draft.write(Array(shown[..<(shown.count - held)]))
                shown.removeFirst(shown.count - held)
            }
        }
        return shown
    }
}
