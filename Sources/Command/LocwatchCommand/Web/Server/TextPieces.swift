/// A text that is made in pieces while it is sent, so that no response holds the whole of it.
struct TextPieces {
    /// The size of the first piece in bytes, for which the system's buffer has room even if the client reads nothing.
    ///
    /// A shorter text, such as the metrics of a receiver, is of one moment.
    private static let firstSize = 16 * 1024
    private static let size = 4 * 1024

    private var isFirst = true
    private let make: (Int) -> [UInt8]

    /// Creates a text from a closure that returns the next piece of about a size in bytes, or an empty one at the end.
    init(_ make: @escaping (Int) -> [UInt8]) { self.make = make }

    /// Creates a text from bytes, which all its readers share.
    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        self.init { size in
            defer { rest = rest.dropFirst(size) }
            return Array(rest.prefix(size))
        }
    }

    /// Returns the next piece, which is empty at the end.
    mutating func next() -> [UInt8] {
        defer { isFirst = false }
        return make(isFirst ? Self.firstSize : Self.size)
    }
}
