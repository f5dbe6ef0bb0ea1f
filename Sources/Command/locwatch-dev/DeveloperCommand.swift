import Glibc

/// A subcommand of `locwatch-dev`, the program for the developers of locwatch.
protocol DeveloperCommand {
    static var name: String { get }
    static var operands: String { get }
    static var summary: String { get }

    /// Reads the operands, or returns `nil` if the command does not take them.
    init?(_ operands: [String])
    func run() async throws
}

/// Writes text to a descriptor; a reader that has gone is ignored.
func writeText(_ text: String, to descriptor: Int32) {
    _ = write(descriptor, text, text.utf8.count)
}
