/// A file that is written beside the one it replaces, and takes its place in one step when it is complete.
public struct FileReplacement: ~Copyable {
    private let storage: any TrackStorage
    private let target: String
    private let draft: String
    private var file: (any StoredFile)?
    /// How many bytes were written so far.
    public private(set) var size = 0

    /// Begins a file that shall stand at `path`; until it does, the one that stands there is untouched.
    public init(of path: String) throws(TrackFileError) {
        let storage = SystemStorage()
        try storage.checkIsRegular(path)
        try self.init(of: resolved(path), in: storage)
    }

    init(of path: String, in storage: any TrackStorage) throws(TrackFileError) {
        self.storage = storage
        target = path
        draft = path + ".partial"
        file = try storage.create(draft)
    }

    /// Writes the next bytes.
    public mutating func write(_ bytes: [UInt8]) throws(TrackFileError) {
        try file?.write(bytes, at: size)
        size += bytes.count
    }

    /// Puts the file in its place.
    public consuming func finish() throws(TrackFileError) { _ = try place() }

    /// Puts the file in its place and goes on with it.
    consuming func place() throws(TrackFileError) -> any StoredFile {
        guard let file else { throw .system(attempt: "replace", path: target, code: 0) }
        try file.sync()
        try storage.replace(target, by: draft)
        self.file = nil
        return file
    }

    // A draft that did not become the file is of no use to anybody.
    deinit { if file != nil { storage.remove(draft) } }
}
