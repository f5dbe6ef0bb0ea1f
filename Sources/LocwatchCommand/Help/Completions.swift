import GPSDSimulation

extension Shell {
    /// The completion script for this shell, made from the tables of commands and options.
    var completions: String {
        switch self {
        case .bash: BashCompletions.text
        case .zsh: ZshCompletions.text
        case .fish: FishCompletions.text
        }
    }
}

/// What all completion scripts need of the tables.
enum CompletionWords {
    static let commands = CommandName.allCases.map(\.rawValue)
    static let simulated = ReceiverScenario.all.map { "sim:\($0.name)" }

    static func options(of command: CommandName) -> [OptionEntry] {
        OptionTable.all.filter { $0.isTaken(by: command) }
    }

    /// The options that need a value as their next word.
    static let valued = OptionTable.all.filter { option in
        if case .required = option.argument { true } else { false }
    }

    /// Text in single quotes, for any of the shells.
    static func quoted(_ text: String) -> String {
        "'" + String(text.flatMap { $0 == "'" ? Array("'\\''") : [$0] }) + "'"
    }
}
