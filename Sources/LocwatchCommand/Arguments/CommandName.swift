/// The commands, by the word that one types.
enum CommandName: String, CaseIterable, Sendable, Hashable {
    case watch, once, record, export, stats, devices, doctor, serve, completions, help, version

    /// The commands that take a session in.
    static let sessions: Set<CommandName> = [.watch, .once, .record, .export, .stats]

    /// The commands that show something of a session or a machine.
    static let reports: Set<CommandName> = sessions.union([.devices, .doctor])
}

/// A command as the help, the completions and the manual page tell of it.
struct CommandEntry: Sendable {
    let name: CommandName
    /// The words after the command, besides options.
    let operands: [Operand]
    /// A line for lists, without a full stop.
    let summary: String
    /// What it does, in paragraphs.
    let description: [String]
    let examples: [Example]

    struct Operand: Sendable {
        let placeholder: String
        let isRequired: Bool
        let completion: ValueCompletion

        /// As a synopsis shows it.
        var usage: String { isRequired ? placeholder : "[\(placeholder)]" }
    }

    struct Example: Sendable {
        let line: String
        let explanation: String
    }

    /// How it is called.
    var usage: String {
        let takesOptions = OptionTable.all.contains { $0.commands.contains(name) && !$0.isForEveryCommand }
        let words = ["locwatch", name.rawValue] + (takesOptions ? ["[OPTIONS]"] : []) + operands.map(\.usage)
        return words.joined(separator: " ")
    }
}

extension CommandName {
    var entry: CommandEntry { CommandTable.entry(of: self) }
}
