import LocwatchArguments

/// The forms of the SOURCE word, as the help and the manual page list them.
enum SourceHelp {
    static var rows: [(term: String, meaning: String)] { SourceTable.all.flatMap { $0.help } }

    static let rule =
        "A word that starts with /dev/ is a device; one that names an existing file, contains a slash or is - is a "
        + "recording; anything else is a host. An explicit scheme decides."
}
