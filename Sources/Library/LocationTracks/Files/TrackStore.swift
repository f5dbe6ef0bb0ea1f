/// A file that ends with the trailer of its format after each write, and so is complete while it grows.
///
/// A body and the trailer after it are one write, over the trailer of the write before. If that write is cut off in the
/// middle, by a power cut or by SIGKILL where the write crosses a page, the file ends in a torn body until it is opened
/// again; everything in front of it is unchanged.
struct TrackStore {
    /// The number of bytes at the beginning and at the end of a file that are examined when it is opened.
    static let piece = 65_536

    let file: any StoredFile
    /// Whether each write must be on the disk before the next one.
    private let isDurable: Bool
    /// The place at which the next body begins, and the bytes of the file from there on.
    private var end: Int
    private var rest: [UInt8]

    /// Opens a file whose content counts up to a place, where the next body begins.
    ///
    /// - Parameter rest: The bytes of the file from there on, which a trailer replaces unless they are that trailer.
    init(_ file: any StoredFile, upTo end: Int, rest: [UInt8], trailer: [UInt8], isDurable: Bool) throws(TrackFileError)
    {
        self.file = file
        self.isDurable = isDurable
        self.end = end
        self.rest = rest
        if rest != trailer { try append([], trailer: trailer) }
    }

    var size: Int { end + rest.count }

    mutating func append(_ body: [UInt8], trailer: [UInt8]) throws(TrackFileError) {
        let text = body + trailer
        do throws(TrackFileError) {
            if end + text.count < size {
                // A part of a body in front of the rest of another one could look whole.
                try file.truncate(to: end)
                if isDurable { try file.sync() }
            }
            try file.write(text, at: end)
            if isDurable { try file.sync() }
        } catch {
            try? file.write(rest, at: end)
            try? file.truncate(to: size)
            throw error
        }
        end += body.count
        rest = trailer
    }
}
