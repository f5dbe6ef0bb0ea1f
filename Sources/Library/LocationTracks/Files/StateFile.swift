import LocwatchSupport

/// A small file in which one program at a time keeps something over its restarts.
///
/// Each content replaces the file as a whole: it is written under a temporary name, waited for until it is on the disk, and renamed. A
/// program that is killed, and a power cut, leave one of the last two contents, and never a part of one. The rename itself may
/// wait in the system's memory when the power is cut, which leaves the content before it.
///
/// The file and each one that replaces it are locked before they have the name, so that a second program never finds an unlocked one,
/// and fails with `TrackFileError.inUse`.
final class StateFile: Sendable {
    private let path: String
    /// The path of the file, with links resolved.
    private let place: String
    private let storage: any TrackStorage
    /// The file that has the name, whose lock ends when it is released.
    private let file: Lock<(any StoredFile)?>

    /// Opens the file at a path, or creates it.
    ///
    /// - Parameters:
    ///   - limit: The number of bytes beyond which a file is none of these; of a larger one, one byte more is read.
    ///   - content: Returns what the file has from now on, given what it had; that is empty if the file is, or if there is none. Throws if
    ///     it is a file of something else, which then stays as it is.
    init(
        _ path: String, in storage: any TrackStorage, limit: Int,
        content: ([UInt8]) throws(TrackFileError) -> [UInt8]
    ) throws(TrackFileError) {
        self.path = path
        self.storage = storage
        place = storage.resolved(path)
        let old = try storage.open(place)
        // Its lock must last until its successor, which is locked too, has the name.
        defer { withExtendedLifetime(old) {} }
        var bytes: [UInt8] = []
        if let old { bytes = try old.read(at: 0, count: min(old.size(), limit + 1)) }
        let first = try content(bytes)
        storage.removeStaleDrafts(of: place)
        // A folder in which nothing can be written is found before the session begins.
        file = Lock(try Self.replacement(of: place, with: first, overwrites: old != nil, in: storage))
    }

    /// Replaces the file by one with another content.
    func write(_ content: [UInt8]) throws(TrackFileError) {
        try file.withLock { (file) throws(TrackFileError) in
            let isInPlace = file?.size(at: place) != nil
            if !isInPlace, try storage.open(place) != nil {
                throw .foreign(path: path, cause: "another program has replaced it")
            }
            file = try Self.replacement(of: place, with: content, overwrites: isInPlace, in: storage)
        }
    }

    /// Writes a file with a content in the place of another one, or as a new one; returns it with its lock.
    private static func replacement(
        of place: String, with content: [UInt8], overwrites: Bool, in storage: any TrackStorage
    ) throws(TrackFileError) -> sending (any StoredFile)? {
        var draft = try FileReplacement(of: place, overwrites: overwrites, in: storage)
        try draft.write(content)
        do throws(TrackFileError) { return try draft.place() } catch {
            // Another program has created the file since it was found missing.
            if case .exists(let path) = error { throw .inUse(path: path) }
            throw error
        }
    }
}
