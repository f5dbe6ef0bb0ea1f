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

    /// Where receivers are, as patterns that every shell knows.
    static let devicePatterns = [
        "/dev/serial/by-id/*", "/dev/gps*", "/dev/ttyACM*", "/dev/ttyUSB*", "/dev/ttyAMA*", "/dev/ttyTHS*",
        "/dev/ttymxc*", "/dev/rfcomm*",
    ].joined(separator: " ")

    /// The options whose value may be the next word, with the endings that such a word has.
    static let optional = OptionTable.all.compactMap { option in
        if case .optional(_, let endings, _) = option.argument { (option: option, endings: endings) } else { nil }
    }

    /// Text in single quotes, for any of the shells.
    static func quoted(_ text: String) -> String {
        "'" + String(text.flatMap { $0 == "'" ? Array("'\\''") : [$0] }) + "'"
    }
}
