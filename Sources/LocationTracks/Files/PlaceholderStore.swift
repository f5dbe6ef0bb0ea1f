/// A store that keeps an XML file well-formed after every byte written; see `XMLPlaceholder`.
///
/// A trailer that begins with unfinished content, as KML's does with the current gx:Track, is replaced in `TailSlots`.
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
    /// The slots of the unfinished content, if it is in the file.
    private var slots: TailSlots?
    /// The number of bytes in slots that are not visible.
    private var blank = 0

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

    /// The size of the file without the placeholder and the hidden slots.
    var size: Int { finished ?? cover - XMLPlaceholder.opening.count - blank + trailer.count }

    var extent: Int { finished ?? end + XMLPlaceholder.closing.count + trailer.count }

    mutating func add(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        if !bytes.isEmpty {
            if slots == nil { try append(bytes) } else { absorb(bytes) }
        }
        let unfinished = Array(closing.dropLast(trailer.count))
        if !unfinished.isEmpty { try show(unfinished) }
    }

    private mutating func append(_ bytes: [UInt8]) throws(TrackFileError) {
        guard hasRoom(for: bytes) else { return try grow(bytes) }
        try hide(bytes)
        try uncover(bytes)
    }

    private static let nextOpening = XMLPlaceholder.opening + [XMLPlaceholder.hidden]

    private func hasRoom(for bytes: [UInt8]) -> Bool { cover + 1 + bytes.count + Self.nextOpening.count <= end }

    /// Writes bytes into the placeholder, followed by the opening of the next one.
    private func hide(_ bytes: [UInt8]) throws(TrackFileError) {
        let hidden = bytes + Self.nextOpening
        do {
            try file.write(hidden, at: cover + 1)
        } catch {
            // A partial write must not mix with the bytes that are written there next.
            try? file.write(XMLPlaceholder.spaces(hidden.count), at: cover + 1)
            throw error
        }
        // The point must be on the disk before the byte that shows it.
        try keeping.sync(file)
    }

    /// Shows the bytes that were hidden last.
    private mutating func uncover(_ bytes: [UInt8]) throws(TrackFileError) {
        try file.write([XMLPlaceholder.shown], at: cover)
        try keeping.sync(file)
        lastCover = cover
        cover += bytes.count + Self.nextOpening.count
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

    // MARK: Unfinished content

    func isTailLong(_ closing: [UInt8]) -> Bool {
        slots.map { !$0.hasRoom(for: closing.count - trailer.count + TailSlots.pointLimit) } ?? false
    }

    /// Ends the unfinished content, which the slots already show.
    mutating func absorb(_ bytes: [UInt8]) { slots = nil }

    /// Replaces the unfinished content.
    private mutating func show(_ text: [UInt8]) throws(TrackFileError) {
        guard var slots else { return try begin(text) }
        do {
            try file.write(slots.hiddenSlot(with: text), at: slots.hiddenPlace)
        } catch {
            try? clear(slots)
            throw error
        }
        try keeping.sync(file)
        try file.write([slots.showsFirst ? XMLPlaceholder.hidden : XMLPlaceholder.shown], at: slots.cover)
        try keeping.sync(file)
        blank += slots.shownCount - text.count
        slots.swap(showing: text.count)
        self.slots = slots
        // A comment must not contain two hyphens, which could meet if the next write over the old version were torn.
        if slots.showsFirst { try? clear(slots) }
    }

    private func clear(_ slots: TailSlots) throws(TrackFileError) {
        try file.write(slots.cleared, at: slots.hiddenPlace)
        try keeping.sync(file)
    }

    /// Appends slots with the unfinished content.
    private mutating func begin(_ text: [UInt8]) throws(TrackFileError) {
        var slots = TailSlots(cover: cover, leastCapacity: keeping.reserve, showing: text.count)
        let bytes = slots.bytes(with: text, isJoined: false)
        if hasRoom(for: bytes) {
            try hide(bytes)
            try file.write([XMLPlaceholder.shown], at: slots.joint)
            try keeping.sync(file)
            try uncover(bytes)
        } else {
            try grow(slots.bytes(with: text, isJoined: true))
            if let lastCover { slots.cover = lastCover }
        }
        lastCover = nil
        blank += bytes.count - text.count
        self.slots = slots
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
