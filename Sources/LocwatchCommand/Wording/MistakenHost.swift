/// What may have been meant by a word that nobody knew as a command or a file, so that it became the name of a host.
enum MistakenHost: Hashable {
    /// A command that was mistyped, and the one that was meant.
    case command(String)
    /// A file that is not there.
    case file

    private static let endings = [".json", ".jsonl", ".gpx", ".nmea"]

    /// What was meant, where the word resembles anything but a host.
    init?(_ word: String) {
        if Self.endings.contains(where: word.lowercased().hasSuffix) {
            self = .file
        } else if let meant = Spelling.nearest(to: word, among: CommandName.allCases.map(\.rawValue)),
            // A machine may well be called server, and its name not be known yet.
            !word.hasPrefix(meant)
        {
            self = .command(meant)
        } else {
            return nil
        }
    }
}
