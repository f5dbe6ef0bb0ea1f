/// Keeps a file of lines: each is one write at the end, and a torn one is cut off when the file is gone on with.
///
/// No system call of Linux is known to be torn inside a page by SIGKILL, so a killed writer leaves whole lines but for one
/// that lies across two pages; a power cut can leave a part of the last line. Such a line has too few fields, no checksum or
/// no closing brace, and readers of these formats tell it from a whole one.
struct LineKeeper: TrackKeeper {
    private let keeping: Keeping
    let file: any StoredFile
    private(set) var size: Int
    private var lastStart: Int

    /// Begins a new file.
    ///
    /// - Parameter overwrites: whether it takes the place of one that is there.
    init(_ keeping: Keeping, header: [UInt8], overwrites: Bool) throws(TrackFileError) {
        self.keeping = keeping
        var draft = try keeping.replacement(overwrites: overwrites)
        try draft.write(header)
        size = draft.size
        lastStart = size
        file = try draft.place()
    }

    /// Continues a file that is there; one that does not begin with `beginning` is not a track of this format.
    init(_ keeping: Keeping, continuing old: any StoredFile, beginning: [UInt8]) throws(TrackFileError) {
        self.keeping = keeping
        file = old
        guard try old.read(at: 0, count: beginning.count) == beginning else {
            throw .foreign(path: keeping.name, cause: "it does not begin as a track that was written here")
        }
        // What follows the last line end was torn off.
        let end = try old.endOfLast([UInt8(ascii: "\n")]) ?? 0
        if end < (try old.size()) { try old.truncate(to: end) }
        size = end
        lastStart = end
    }

    var extent: Int { size }

    mutating func add(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        do throws(TrackFileError) {
            try file.write(bytes, at: size)
            try keeping.sync(file)
        } catch {
            try? file.truncate(to: size)
            throw error
        }
        lastStart = size
        size += bytes.count
    }

    mutating func replaceLast(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError) {
        try file.truncate(to: lastStart)
        size = lastStart
        try add(bytes, closing: closing)
    }

    mutating func finish(closing: [UInt8]) throws(TrackFileError) { try file.sync() }
}
