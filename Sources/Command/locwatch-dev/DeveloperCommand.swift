import Glibc

/// A subcommand of `locwatch-dev`, the program for the developers of locwatch.
protocol DeveloperCommand {
    static var name: String { get }
    /// The operands as the usage shows them.
    static var operands: String { get }
    /// One line for the usage.
    static var summary: String { get }

    /// Reads the operands, or throws `UsageError`.
    init(_ operands: [String]) throws
    /// Performs the command.
    func run() throws
}

/// Operands that a command does not take.
struct UsageError: Error {}

/// Writes text to a descriptor; a reader that has gone is ignored.
func writeText(_ text: String, to descriptor: Int32) {
    _ = write(descriptor, text, text.utf8.count)
}
