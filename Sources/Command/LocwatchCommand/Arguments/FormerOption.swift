import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// An option of an earlier release that still works, with what takes its place.
///
/// A row of the table is all that an option needs that goes or gets another name. Neither the help nor the completions show it. The program
/// says once for each that it found what to write instead, and release 0.7 refuses it.
struct FormerOption: Sendable {
    /// The option with its value and its effect, which can be none.
    let entry: OptionEntry
    let commands: [CommandName]
    /// What takes its place.
    let advice: String

    private static let all = [
        FormerOption(
            .value(
                "backlog-rate", .wholeNumber("N", in: 0...Int.max).or("unlimited", Int.max), ""
            ) { $0.publishing.sendsNewestOnly = $1 == 0 },
            of: [PublishCommand.entry.name],
            "a target sets the pace by itself, and what 0 was is ?newest behind a TARGET"),
        FormerOption(
            .flag("from-start", "") { _ in }, of: [PublishCommand.entry.name],
            "it has no effect, because a target that is new to a queue gets what follows its first start"),
        FormerOption(
            .flag("skip-rejected", "") { _ in }, of: [PublishCommand.entry.name],
            "it has no effect, because a record whose content a target refuses five times is set aside by itself"),
    ]

    private init(_ entry: OptionEntry, of commands: [CommandName], _ advice: String) {
        (self.entry, self.commands, self.advice) = (entry, commands, advice)
    }

    /// Returns the option with a name, if an earlier release had it.
    static func named(_ name: String) -> FormerOption? { all.first { $0.entry.name.rawValue == name } }
}

/// The line about something that still works and that release 0.7 refuses.
enum FormerNotice {
    static func text(_ spelling: String, _ advice: String) -> String {
        "\(spelling) is deprecated, and 0.7 refuses it: \(advice)"
    }
}
