/// A file that ends with the trailer of its format after each write, and so is complete while it grows.
///
/// A body and the trailer after it are one write, over the trailer of the write before. If that write is cut off in the
/// middle, by a power cut or by SIGKILL where the write crosses a page, the file ends in a torn body until it is opened
/// again; everything in front of it is unchanged.
struct TrackStore {
    /// The number of bytes at the beginning and at the end of a file that are examined when it is opened.
    static let piece = 65_536

    /// The open file.
    let file: any StoredFile
    /// Whether each write must be on the disk before the next one.
    private let isDurable: Bool
    /// The place of the last body, which the next one can replace.
    private var last: Range<Int>
    /// The bytes of the file from the last body on.
    private var ending: [UInt8]

    /// Opens a file whose content counts up to a place, where the next body begins.
    ///
    /// - Parameter rest: The bytes of the file from there on, which a trailer replaces unless they are that trailer.
    init(_ file: any StoredFile, upTo end: Int, rest: [UInt8], trailer: [UInt8], isDurable: Bool) throws(TrackFileError)
    {
        self.file = file
        self.isDurable = isDurable
        last = end..<end
        ending = rest
        if rest != trailer { try append([], trailer: trailer) }
    }

    /// The size of the file in bytes.
    var size: Int { last.lowerBound + ending.count }

    /// Writes a body and the trailer after it.
    ///
    /// - Parameter replacesLast: Whether the body takes the place of the last one.
    mutating func append(
        _ body: [UInt8], trailer: [UInt8], replacesLast: Bool = false
    ) throws(TrackFileError) {
        let start = replacesLast ? last.lowerBound : last.upperBound
        let text = body + trailer
        do throws(TrackFileError) {
            if replacesLast || start + text.count < size {
                // A part of a body in front of the rest of another one could look whole.
                try file.truncate(to: start)
                if isDurable { try file.sync() }
            }
            try file.write(text, at: start)
            if isDurable { try file.sync() }
        } catch {
            try? file.write(ending, at: last.lowerBound)
            try? file.truncate(to: size)
            throw error
        }
        last = start..<start + body.count
        ending = text
    }
}
