/// A file that is written under a temporary name in the same folder, and takes its place in one step when it is complete.
///
/// The temporary name is unpredictable, so that nothing that is already in the folder can be overwritten or followed. A draft
/// that a killed program left is removed when the same file is written the next time. A symbolic link is followed:
/// the file behind it is replaced, and the link stays.
public struct FileReplacement: ~Copyable {
    private let overwrites: Bool
    private var file: (any StoredDraft)?
    /// How many bytes were written so far.
    public private(set) var size = 0

    /// Begins a file that shall stand at `path`; until it does, the one that stands there is untouched.
    public init(of path: String) throws(TrackFileError) {
        let storage = SystemStorage(for: path)
        let place = storage.resolved(path)
        try storage.checkIsFree(place)
        storage.removeStaleDrafts(of: place)
        try self.init(of: place, overwrites: true, in: storage)
    }

    /// - Parameter overwrites: whether a file that stands there in the end is replaced; otherwise it is an error.
    init(of path: String, overwrites: Bool, in storage: any TrackStorage) throws(TrackFileError) {
        self.overwrites = overwrites
        file = try storage.draft(of: path)
    }

    /// Writes the next bytes.
    public mutating func write(_ bytes: [UInt8]) throws(TrackFileError) {
        try file?.write(bytes, at: size)
        size += bytes.count
    }

    /// Puts the file in its place.
    public consuming func finish() throws(TrackFileError) { _ = try place() }

    /// Puts the file in its place and returns it, to be written further.
    consuming func place() throws(TrackFileError) -> any StoredFile {
        guard let file else { preconditionFailure("a draft has its file until it is placed, which consumes it") }
        try file.sync()
        try file.place(overwrites: overwrites)
        self.file = nil
        return file
    }

    deinit { file?.discard() }
}
