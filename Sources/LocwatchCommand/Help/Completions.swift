import GPSDSimulation
import LocwatchArguments

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

/// The words that all completion scripts derive from the tables.
enum CompletionWords {
    static let commands = CommandName.allCases.map(\.rawValue)
    /// The beginnings of the value of `--on`: an event before its command, and one at a fence also before the fence's name.
    static let events = HookTrigger.Kind.allCases.flatMap { kind in
        ["\(kind.rawValue)="] + (kind.concernsFence ? ["\(kind.rawValue):"] : [])
    }
    /// The names of the events at a fence.
    static let fenceEvents = HookTrigger.Kind.allCases.filter(\.concernsFence).map(\.rawValue)
    static let simulated = ReceiverScenario.all.map { "sim:\($0.name)" }

    static func options(of command: CommandName) -> [OptionEntry] {
        OptionTable.all.filter { $0.isTaken(by: command) }
    }

    /// The options that need a value as their next word.
    static let valued = OptionTable.all.filter { option in
        if case .required = option.argument { true } else { false }
    }

    /// The paths of receivers, as patterns that every shell supports.
    static let devicePatterns = [
        "/dev/serial/by-id/*", "/dev/gps*", "/dev/ttyACM*", "/dev/ttyUSB*", "/dev/ttyAMA*", "/dev/ttyTHS*",
        "/dev/ttymxc*", "/dev/rfcomm*",
    ].joined(separator: " ")

    /// The options whose value can be the next word, with the possible endings of that word.
    static let optional = OptionTable.all.compactMap { option in
        if case .optional(_, let endings, _) = option.argument { (option: option, endings: endings) } else { nil }
    }

    /// Returns a text in single quotes, valid in every shell.
    static func quoted(_ text: String) -> String {
        "'" + String(text.flatMap { $0 == "'" ? Array("'\\''") : [$0] }) + "'"
    }
}
