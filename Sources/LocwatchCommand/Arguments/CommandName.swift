import LocationPublishing

/// The name of a command, as typed on the command line.
struct CommandName: Hashable, Sendable, CustomStringConvertible {
    let rawValue: String

    /// Creates the name of a command.
    init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates a name from a word, or returns `nil` if no command has that name.
    init?(rawValue: String) {
        guard let name = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = name
    }

    var description: String { rawValue }

    /// The names of all commands, in the order of `CommandTable`, which a test compares.
    ///
    /// They are listed here too because advice on a source that is not found asks whether a command was meant.
    static let allCases = [
        "watch", "monitor", "once", "record", "export", "stats", "time", "publish", "web", "devices", "doctor", "serve",
        "completions", "help", "version",
    ].map { CommandName($0) }
}

/// The declaration of a command, from which parser, help, completions and manual page are derived.
struct CommandEntry: Sendable {
    let name: CommandName
    /// The operands that follow the command.
    let operands: [Operand]
    /// The options that the command takes, including those of every command.
    let options: [OptionName]
    /// A one-line summary without a full stop.
    let summary: String
    /// The paragraphs of the description.
    let description: [String]
    let examples: [Example]

    init(
        _ name: String, operands: [Operand] = [], options: [OptionName] = [], summary: String,
        description: [String] = [], examples: [Example]
    ) {
        self.name = CommandName(name)
        self.operands = operands
        // Each command that takes a SOURCE can read a fleet from a broker.
        let reachesBrokers = operands.contains { [.source, .sourceOrTarget].contains($0.kind) }
        self.options = options + Self.commonOptions + (reachesBrokers ? Self.brokerOptions : [])
        self.summary = summary
        self.description = description
        self.examples = examples
    }

    /// The options of every command.
    static let commonOptions: [OptionName] = ["help", "version"]

    /// The options of connections to a broker.
    static let brokerOptions: [OptionName] = ["password-file", "ca-file", "cert", "key"]

    struct Operand: Sendable {
        let placeholder: String
        let kind: Kind
        let completion: ValueCompletion
        /// The accepted words and their meanings, as the help lists them.
        var meanings: [(term: String, meaning: String)] = []

        enum Kind: Hashable, Sendable {
            /// A required word, which must be in the list unless the list is empty.
            case word([String])
            /// An optional word.
            case optionalWord
            /// The SOURCE word, which defaults to `LOCWATCH_SOURCE` and then to the gpsd on this machine.
            case source
            /// A required SOURCE word that can be played to clients.
            case playable
            /// A TARGET word, which an option can name instead.
            case target
            /// A TARGET word, or the SOURCE word with its defaults.
            case sourceOrTarget
        }

        /// The SOURCE word, or a TARGET word.
        static let sourceOrTarget = Operand(placeholder: "SOURCE|TARGET", kind: .sourceOrTarget, completion: .source)

        /// The TARGET word.
        static let target = Operand(
            placeholder: "TARGET", kind: .target, completion: .words(TargetScheme.all.map(\.prefix)))

        /// The SOURCE word.
        static let source = Operand(placeholder: "SOURCE", kind: .source, completion: .source)

        /// Returns a required word.
        static func required(_ placeholder: String, _ completion: ValueCompletion) -> Operand {
            if case .words(let words) = completion {
                return Operand(placeholder: placeholder, kind: .word(words), completion: completion)
            }
            return Operand(placeholder: placeholder, kind: .word([]), completion: completion)
        }

        /// Returns a required word from a list whose words the help explains.
        static func one(of placeholder: String, _ meanings: [(term: String, meaning: String)]) -> Operand {
            let words = meanings.map(\.term)
            return Operand(
                placeholder: placeholder, kind: .word(words), completion: .words(words), meanings: meanings)
        }

        var isRequired: Bool {
            switch kind {
            case .word, .playable, .target: true
            case .optionalWord, .source, .sourceOrTarget: false
            }
        }

        /// The operand as a synopsis shows it.
        var usage: String { isRequired ? placeholder : "[\(placeholder)]" }
    }

    struct Example: Sendable {
        let line: String
        let explanation: String
        /// Whether `locwatch help` shows the example too.
        var isForOverview = false
    }

    /// The synopsis of the command.
    var usage: String {
        let takesOptions = options.contains { !Self.commonOptions.contains($0) }
        let words = ["locwatch", name.rawValue] + (takesOptions ? ["[OPTIONS]"] : []) + operands.map(\.usage)
        return words.joined(separator: " ")
    }
}

extension CommandEntry.Operand {
    /// Returns an optional word that the shell can complete.
    static func optional(_ placeholder: String, _ completion: ValueCompletion) -> CommandEntry.Operand {
        CommandEntry.Operand(placeholder: placeholder, kind: .optionalWord, completion: completion)
    }
}
