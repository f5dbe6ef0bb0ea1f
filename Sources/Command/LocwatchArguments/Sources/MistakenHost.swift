import LocwatchTerminal

/// A mistyped command, which was taken as a host name because it is neither a command nor a file.
package struct MistakenHost: Hashable {
    package let command: String

    /// Creates the likely meaning of a word; `nil` if it does not resemble a command.
    package init?(_ word: String) {
        guard let meant = Spelling.nearest(to: word, among: CommandName.allCases.map(\.rawValue)),
            // A host can be called "server" without being resolvable yet.
            !word.hasPrefix(meant)
        else { return nil }
        command = meant
    }
}
