/// A file that stays complete while it grows.
protocol TrackStore {
    /// The size of the file in bytes, without space reserved for more points.
    var size: Int { get }
    /// The open file.
    var file: any StoredFile { get }
    /// The size of the file on the disk in bytes.
    var extent: Int { get }
    /// Appends the bytes of an element; `closing` is the end of the file after it.
    mutating func add(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError)
    /// Replaces the bytes of the last `add`.
    mutating func replaceLast(_ bytes: [UInt8], closing: [UInt8]) throws(TrackFileError)
    /// Returns whether the points in `closing` should be ended before more are added; see `absorb`.
    func isTailLong(_ closing: [UInt8]) -> Bool
    /// Makes the points at the end of the file final; `bytes` are the text that ends them.
    mutating func absorb(_ bytes: [UInt8]) throws(TrackFileError)
    /// Finishes the file.
    mutating func finish(closing: [UInt8]) throws(TrackFileError)
}

/// The options with which a track's file is written.
struct TrackFileOptions: Sendable {
    var storage: any TrackStorage
    /// The path of the file, with links resolved.
    var path: String
    /// The path that the user gave.
    var name: String
    /// Whether each point must be on the disk before the next step, in an order that survives a power cut.
    var isDurable: Bool
    /// The smallest reserve for further points, in bytes.
    var reserve: Int

    /// Creates a draft of the file.
    func replacement(overwrites: Bool = true) throws(TrackFileError) -> FileReplacement {
        try FileReplacement(of: path, overwrites: overwrites, in: storage)
    }

    func sync(_ file: any StoredFile) throws(TrackFileError) {
        if isDurable { try file.sync() }
    }

    /// The number of bytes copied at a time.
    static let piece = 65_536
}
