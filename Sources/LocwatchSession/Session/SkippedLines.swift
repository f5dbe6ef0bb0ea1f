import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// The lines of a recording that could not be read, which a message at the end counts.
final class SkippedLines: SessionConsumer {
    private var count = 0
    private var cause = ""

    func process(_ update: TrackedUpdate, _ view: SessionView) -> SessionEnd.Reason? {
        guard case .update(let update, _) = update, case .notice(let notice) = update.event else { return nil }
        switch notice {
        case .linesSkipped(let count, let cause): note(count, cause)
        case .tornEnd: note(1, notice.message)
        default: break
        }
        return nil
    }

    private func note(_ count: Int, _ cause: String) {
        if self.count == 0 { self.cause = cause }
        self.count += count
    }

    /// The first cause and the number of lines, or `nil` if every line was read.
    var words: String? {
        guard count > 0 else { return nil }
        return "\(cause.printable), and \(count == 1 ? "1 line was" : "\(count) lines were") skipped in all"
    }
}
