/// Files as a track needs them; a seam at which tests let a disk fail at any byte.
package protocol TrackStorage: Sendable {
    /// Opens a file for reading and writing, or gives `nil` where there is none.
    func open(_ path: String) throws(TrackFileError) -> (any StoredFile)?
    /// Makes an empty file, in place of one that is there.
    func create(_ path: String) throws(TrackFileError) -> any StoredFile
    /// Puts the file at `new` in the place of the one at `path`, in one step that a power cut does not halve.
    func replace(_ path: String, by new: String) throws(TrackFileError)
    /// Removes a file, if there is one.
    func remove(_ path: String)
}

/// An open file; it is closed when nobody has it any more.
package protocol StoredFile: AnyObject {
    /// How many bytes it has.
    func size() throws(TrackFileError) -> Int
    /// Some of its bytes, fewer at its end.
    func read(at offset: Int, count: Int) throws(TrackFileError) -> [UInt8]
    /// Writes all of the bytes, or fails; some may have been written then.
    func write(_ bytes: [UInt8], at offset: Int) throws(TrackFileError)
    /// Cuts it off.
    func truncate(to size: Int) throws(TrackFileError)
    /// Waits until the disk has what was written.
    func sync() throws(TrackFileError)
}
