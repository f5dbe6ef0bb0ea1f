import GPSDProtocol

/// A change of the lines at which gpsd closes a log, `GPSDQuirks.endOfLog`.
///
/// A log that was made of two has such a line in its middle. Changing one letter makes the line a comment.
struct LogEndMarks {
    private static let mark = Array(GPSDQuirks.endOfLog.utf8)

    /// The number of bytes of a mark at the end of the last piece.
    private var matched = 0

    /// Changes the marks in the next piece of a log.
    mutating func change(in bytes: inout [UInt8]) {
        let mark = Self.mark
        for index in bytes.indices {
            let byte = bytes[index]
            if byte != mark[matched] { matched = 0 }
            if byte == mark[matched] { matched += 1 }
            guard matched == mark.count else { continue }
            bytes[index] = UInt8(ascii: "f")
            matched = 0
        }
    }
}
