/// The file operations that a track needs; tests provide a disk that fails at any byte.
package protocol TrackStorage: Sendable {
    /// Returns the path to which symbolic links lead, so that a link stays a link when the file behind it is replaced.
    func resolved(_ path: String) -> String
    /// Opens and locks a file for reading and writing; returns `nil` if it does not exist.
    func open(_ path: String) throws(TrackFileError) -> (any StoredFile)?
    /// Creates an empty, locked file with an unpredictable name in the folder of `path`.
    func draft(of path: String) throws(TrackFileError) -> any StoredDraft
    /// Removes the drafts of `path` that killed writers left.
    func removeStaleDrafts(of path: String)
}

/// An open file; releasing it closes it and ends its lock.
package protocol StoredFile: AnyObject {
    /// Returns the size of the file in bytes.
    func size() throws(TrackFileError) -> Int
    /// Returns the size of the file in bytes, or `nil` if `path` is another file, after it was moved, deleted or
    /// replaced.
    func size(at path: String) -> Int?
    /// Reads at most `count` bytes, fewer at the end of the file.
    func read(at offset: Int, count: Int) throws(TrackFileError) -> [UInt8]
    /// Writes all of the bytes or throws; some may have been written then.
    func write(_ bytes: [UInt8], at offset: Int) throws(TrackFileError)
    /// Cuts the file off.
    func truncate(to size: Int) throws(TrackFileError)
    /// Waits until the written bytes are on the disk.
    func sync() throws(TrackFileError)
}

/// A file under a temporary name.
package protocol StoredDraft: StoredFile {
    /// Gives the file its final name in one step, which a power cut cannot interrupt halfway.
    ///
    /// - Parameter overwrites: Whether it replaces a file of that name; otherwise such a file is an error.
    func place(overwrites: Bool) throws(TrackFileError)
    /// Removes a draft that was not placed.
    func discard()
}
