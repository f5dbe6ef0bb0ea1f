/// Files as a track needs them; tests put a disk in its place that fails at any byte.
package protocol TrackStorage: Sendable {
    /// The path to which symbolic links lead, so that a link stays a link when the file behind it is replaced.
    func resolved(_ path: String) -> String
    /// Opens and locks a file for reading and writing; returns `nil` if there is none.
    ///
    /// - Parameter isCompanion: whether it stands beside the track, where anyone may have put it: a file of another user is
    ///   refused.
    func open(_ path: String, isCompanion: Bool) throws(TrackFileError) -> (any StoredFile)?
    /// Creates an empty, locked file with an unpredictable name in the folder of `path`.
    func draft(of path: String) throws(TrackFileError) -> any StoredDraft
    /// Removes the drafts of `path` that ended writers left.
    func removeStaleDrafts(of path: String)
    /// Removes a file, if there is one.
    func remove(_ path: String)
}

/// An open file; releasing it closes it and ends its lock.
package protocol StoredFile: AnyObject {
    /// Returns how many bytes it has.
    func size() throws(TrackFileError) -> Int
    /// Returns how many bytes it has, or `nil` if it is not the file at `path`, because it was moved, deleted or replaced.
    func size(at path: String) -> Int?
    /// Reads some of its bytes, fewer at its end.
    func read(at offset: Int, count: Int) throws(TrackFileError) -> [UInt8]
    /// Writes all of the bytes, or fails; some may have been written then.
    func write(_ bytes: [UInt8], at offset: Int) throws(TrackFileError)
    /// Cuts it off.
    func truncate(to size: Int) throws(TrackFileError)
    /// Waits until the disk has what was written.
    func sync() throws(TrackFileError)
}

/// A file under a temporary name.
package protocol StoredDraft: StoredFile {
    /// Gives the file its final name, in one step that a power cut does not halve.
    ///
    /// - Parameter overwrites: whether it takes the place of a file of that name; otherwise such a file is an error.
    func place(overwrites: Bool) throws(TrackFileError)
    /// Removes a draft that has not been placed.
    func discard()
}

extension StoredFile {
    /// Returns the offset behind the last occurrence of `marker`, if any.
    func endOfLast(_ marker: [UInt8]) throws(TrackFileError) -> Int? {
        var end = try size()
        while end >= marker.count {
            let start = max(0, end - Keeping.piece)
            let piece = try read(at: start, count: end - start)
            var index = piece.count - marker.count
            while index >= 0 {
                if piece[index] == marker[0], piece[index..<(index + marker.count)].elementsEqual(marker) {
                    return start + index + marker.count
                }
                index -= 1
            }
            guard start > 0 else { break }
            // A marker can lie across two pieces.
            end = start + marker.count - 1
        }
        return nil
    }
}
