import Glibc

/// A file that is written under a temporary name in the same folder and renamed into place when it is complete.
///
/// The temporary name is unpredictable, so that no existing file can be overwritten and no planted link followed. A
/// draft that a killed program left is removed the next time the same file is written. A symbolic link is followed: the
/// file behind it is replaced, and the link stays.
package struct FileReplacement: ~Copyable {
    private let overwrites: Bool
    private var file: (any StoredDraft)?
    package private(set) var size = 0

    /// A kind of file, by what its files begin with.
    package struct ReplacedKind: Hashable, Sendable {
        let name: String
        let beginning: [UInt8]

        /// - Parameter name: The kind in words, as in `a picture of locwatch`.
        package init(_ name: String, beginningWith text: String) {
            (self.name, beginning) = (name, Array(text.utf8))
        }
    }

    /// Creates a draft of the file at `path`; the existing file is unchanged until the draft is placed.
    ///
    /// - Parameter kind: The only kind of file that is replaced, unless it is empty; `nil` if any file is.
    package init(of path: String, only kind: ReplacedKind? = nil) throws(TrackFileError) {
        let storage = SystemStorage(for: path)
        let place = storage.resolved(path)
        try storage.checkIsFree(place)
        if let kind { try storage.check(place, is: kind) }
        storage.removeStaleDrafts(of: place)
        try self.init(of: place, overwrites: true, in: storage)
    }

    /// Checks that the file at a path may be replaced by one of a kind, before it can be written.
    package static func check(_ path: String, is kind: ReplacedKind) throws(TrackFileError) {
        let storage = SystemStorage(for: path)
        let place = storage.resolved(path)
        try storage.checkIsRegular(place)
        try storage.check(place, is: kind)
    }

    /// Returns the path of the file that a path leads to, or `nil` if a link on the way can be another user's trap.
    package static func target(of path: String) -> String? {
        let target = SystemStorage(for: path).resolved(path)
        var status = stat()
        return lstat(target, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK ? nil : target
    }

    /// Creates a draft for a writer of its own, which renames it; the descriptor is negative, with errno, if that fails.
    package static func draft(of path: String) -> (descriptor: Int32, name: String) {
        SystemStorage.createDraft(of: path)
    }

    /// - Parameter overwrites: Whether placing the draft replaces an existing file; otherwise an existing file is an
    ///   error.
    init(of path: String, overwrites: Bool, in storage: any TrackStorage) throws(TrackFileError) {
        self.overwrites = overwrites
        file = try storage.draft(of: path)
    }

    package mutating func write(_ bytes: [UInt8]) throws(TrackFileError) {
        try file?.write(bytes, at: size)
        size += bytes.count
    }

    /// Puts the file in its place.
    package consuming func finish() throws(TrackFileError) { _ = try place() }

    /// Puts the file in its place and returns it, so that more can be written.
    consuming func place() throws(TrackFileError) -> any StoredFile {
        guard let file else { preconditionFailure("a draft has its file until it is placed, which consumes it") }
        try file.sync()
        try file.place(overwrites: overwrites)
        self.file = nil
        return file
    }

    deinit { file?.discard() }
}
