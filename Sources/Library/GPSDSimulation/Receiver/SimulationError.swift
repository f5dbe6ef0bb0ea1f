/// The reason why a receiver or a daemon of a simulation cannot be started, or why a script, a fault or a command of a stand-in is
/// wrong; its description is a message for people.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line of a script, counted from 1, or `nil` for any other text.
    package private(set) var line: Int?
    /// The column of the faulty word in characters, counted from 1, or `nil` if no text is wrong.
    package private(set) var column: Int?
    /// The reason, with what is expected.
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    /// Creates the error of a word in a script, a fault or a command.
    init(line: Int?, column: Int, reason: String) {
        self.line = line
        self.column = column
        self.reason = reason
    }

    /// The line and the column, if it is one of a script, and the reason.
    public var description: String {
        guard let line, let column else { return reason }
        return "line \(line), column \(column): \(reason)"
    }
}
