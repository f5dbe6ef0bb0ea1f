/// A store for a file of lines: each is one write at the end, and resuming the file cuts off a torn last line.
///
/// No Linux system call is known to be torn inside a page by SIGKILL, so a killed writer leaves whole lines, except one
/// that lies across two pages; a power cut can leave a part of the last line. A torn line has too few fields, no
/// checksum or no closing brace, so readers of these formats can recognize it.
struct AppendingStore: TrackStore {
    private let keeping: TrackFileOptions
    let file: any StoredFile
    private(set) var size: Int
    private var lastStart: Int

    /// Creates a new file.
    ///
    /// - Parameter overwrites: Whether it replaces an existing file.
    init(_ keeping: TrackFileOptions, header: [UInt8], overwrites: Bool) throws(TrackFileError) {
        self.keeping = keeping
        var draft = try keeping.replacement(overwrites: overwrites)
        try draft.write(header)
        size = draft.size
        lastStart = size
        file = try draft.place()
    }

    /// Resumes an existing file; throws `foreign` if it does not begin with `beginning`.
    init(_ keeping: TrackFileOptions, continuing old: any StoredFile, beginning: [UInt8]) throws(TrackFileError) {
        self.keeping = keeping
        file = old
        guard try old.read(at: 0, count: beginning.count) == beginning else {
            throw .foreign(path: keeping.name, cause: "it does not begin as a track of locwatch")
        }
        // A write that was torn leaves bytes after the last line end.
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

    func isTailLong(_ closing: [UInt8]) -> Bool { false }

    mutating func absorb(_ bytes: [UInt8]) {}

    mutating func finish(closing: [UInt8]) throws(TrackFileError) { try file.sync() }
}
