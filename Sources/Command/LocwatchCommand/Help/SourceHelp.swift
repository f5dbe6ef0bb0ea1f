import LocwatchArguments

/// The forms of the SOURCE word, as the help and the manual page list them.
enum SourceHelp {
    static var rows: [(term: String, meaning: String)] { SourceTable.all.flatMap { $0.help } }

    static var rule: String { ManualText.paragraphs(of: "SOURCE")[0] }
}
