import LocwatchTerminal

/// The likely meaning of a word that was taken as a host name because it is neither a command nor an existing file.
package enum MistakenHost: Hashable {
    /// A mistyped command, with the command that was meant.
    case command(String)
    /// A file that does not exist.
    case file

    private static let endings = [".json", ".jsonl", ".gpx", ".nmea"]

    /// Creates the likely meaning of a word; `nil` if it does not resemble a command or a file.
    package init?(_ word: String) {
        if Self.endings.contains(where: word.lowercased().hasSuffix) {
            self = .file
        } else if let meant = Spelling.nearest(to: word, among: CommandName.allCases.map(\.rawValue)),
            // A host can be called "server" without being resolvable yet.
            !word.hasPrefix(meant)
        {
            self = .command(meant)
        } else {
            return nil
        }
    }
}
