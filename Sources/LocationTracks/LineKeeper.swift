/// Keeps a file of lines: each is one write at the end, and a torn one is cut off when the file is gone on with.
///
/// No system call of Linux is known to be torn inside a page by SIGKILL, so a killed writer leaves whole lines but for one
/// that lies across two pages; a power cut can leave a part of the last line. Such a line has too few fields, no checksum or
/// no closing brace, and readers of these formats tell it from a whole one.
struct LineKeeper: TrackKeeper {
    private let keeping: Keeping
    private let file: any StoredFile
    private(set) var size: Int
    private var lastStart: Int

    /// A new file, in place of one that is there.
    init(_ keeping: Keeping, header: [UInt8]) throws(TrackFileError) {
        self.keeping = keeping
        var draft = try FileReplacement(of: keeping.path, in: keeping.storage)
        try draft.write(header)
        size = draft.size
        lastStart = size
        file = try draft.place()
    }

    /// Goes on with a file that is there; one that does not begin with `header` is somebody else's.
    init(_ keeping: Keeping, continuing old: any StoredFile, header: [UInt8]) throws(TrackFileError) {
        self.keeping = keeping
        file = old
        size = try old.size()
        guard try old.read(at: 0, count: header.count) == header else {
            throw .foreign(path: keeping.path, cause: "it does not begin as a track that was written here")
        }
        // What follows the last line end was torn off.
        var end = size
        while end > 0, try old.read(at: end - 1, count: 1) != [UInt8(ascii: "\n")] { end -= 1 }
        if end < size { try old.truncate(to: end) }
        size = end
        lastStart = end
    }

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
