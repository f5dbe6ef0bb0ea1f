import LocationCore

/// The lines of a recording that could not be read, which a message at the end counts.
struct SkippedLines {
    private var count = 0
    private var cause = ""

    mutating func process(_ notice: Notice) {
        switch notice.content {
        case .linesSkipped(let count, let cause): note(count, cause)
        case .tornEnd: note(1, notice.message)
        default: break
        }
    }

    private mutating func note(_ count: Int, _ cause: String) {
        if self.count == 0 { self.cause = cause }
        self.count += count
    }

    /// The first cause and the number of lines, or `nil` if every line was read.
    var words: String? {
        guard count > 0 else { return nil }
        return "\(cause), and \(count == 1 ? "1 line was" : "\(count) lines were") skipped in all"
    }
}
