/// Keeps a file whole while it grows.
protocol TrackKeeper {
    /// How many bytes the file has, without room for more.
    var size: Int { get }
    /// The file as it stands in its folder.
    var file: any StoredFile { get }
    /// How many bytes the file has on the disk.
    var extent: Int { get }
    /// Adds what was written for an element; `closing` is what ends the file after it.
    mutating func add(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError)
    /// Puts other bytes in the place of those of the last `add`.
    mutating func replaceLast(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError)
    /// Ends the file.
    mutating func finish(closing: [UInt8]) throws(TrackFileError)
}

/// How a file is written and what happens to it in bad times.
struct Keeping: Sendable {
    var storage: any TrackStorage
    /// Where the file stands.
    var path: String
    /// The file as the user named it.
    var name: String
    /// Whether the disk must have each point, in an order that a power cut does not spoil.
    var isDurable: Bool
    /// How much room a file has at least for what comes next, in bytes.
    var reserve: Int

    /// Begins a new version of the file, or a first one.
    func replacement(overwrites: Bool = true) throws(TrackFileError) -> FileReplacement {
        try FileReplacement(of: path, overwrites: overwrites, in: storage)
    }

    func sync(_ file: any StoredFile) throws(TrackFileError) {
        if isDurable { try file.sync() }
    }

    /// How much is copied at a time.
    static let piece = 65_536
}
