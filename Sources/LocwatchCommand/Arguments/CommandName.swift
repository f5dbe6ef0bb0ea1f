/// The name of a command, as one types it.
struct CommandName: Hashable, Sendable, CustomStringConvertible {
    let rawValue: String

    /// The name of a command that has its place in `CommandTable`.
    init(_ rawValue: String) { self.rawValue = rawValue }

    /// Reads a word, which must be the name of a command.
    init?(rawValue: String) {
        guard CommandTable.all.contains(where: { $0.entry.name.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }

    var description: String { rawValue }

    /// The names of all commands, in the order of the table.
    static let allCases = CommandTable.all.map { $0.entry.name }

    /// The declaration of the command.
    var entry: CommandEntry {
        // Every name is made of an entry, or was looked up in the table.
        CommandTable.entries[rawValue]!
    }
}

/// What help, completions, the manual page and the parser know of a command.
struct CommandEntry: Sendable {
    let name: CommandName
    /// The words after the command, besides options.
    let operands: [Operand]
    /// The options that it takes, besides those of every command.
    let options: Set<OptionName>
    /// A line for lists, without a full stop.
    let summary: String
    /// What it does, in paragraphs.
    let description: [String]
    let examples: [Example]

    init(
        _ name: String, operands: [Operand] = [], options: Set<OptionName> = [], summary: String,
        description: [String] = [], examples: [Example]
    ) {
        self.name = CommandName(name)
        self.operands = operands
        self.options = options.union([.help, .version])
        self.summary = summary
        self.description = description
        self.examples = examples
    }

    struct Operand: Sendable {
        let placeholder: String
        let kind: Kind
        let completion: ValueCompletion
        /// The words that can be given and their meaning, as help lists them.
        var meanings: [(term: String, meaning: String)] = []

        enum Kind: Hashable, Sendable {
            /// A word that has to be there; if there is a list, it is one of it.
            case word([String])
            /// A word that may be left out.
            case optionalWord
            /// The SOURCE word; without it `LOCWATCH_SOURCE`, then the daemon of this machine.
            case source
            /// A SOURCE word that has to be there and can be played to clients.
            case playable
        }

        /// The SOURCE word.
        static let source = Operand(placeholder: "SOURCE", kind: .source, completion: .source)

        /// A word that has to be there.
        static func required(_ placeholder: String, _ completion: ValueCompletion) -> Operand {
            if case .words(let words) = completion {
                return Operand(placeholder: placeholder, kind: .word(words), completion: completion)
            }
            return Operand(placeholder: placeholder, kind: .word([]), completion: completion)
        }

        /// A word of a list, which help explains word by word.
        static func one(of placeholder: String, _ meanings: [(term: String, meaning: String)]) -> Operand {
            let words = meanings.map(\.term)
            return Operand(
                placeholder: placeholder, kind: .word(words), completion: .words(words), meanings: meanings)
        }

        var isRequired: Bool {
            switch kind {
            case .word, .playable: true
            case .optionalWord, .source: false
            }
        }

        /// The operand in a synopsis.
        var usage: String { isRequired ? placeholder : "[\(placeholder)]" }
    }

    struct Example: Sendable {
        let line: String
        let explanation: String
        /// Whether `locwatch help` shows it too.
        var isForOverview = false
    }

    /// How the command is called.
    var usage: String {
        let takesOptions = OptionTable.all.contains { options.contains($0.name) && !$0.isForEveryCommand }
        let words = ["locwatch", name.rawValue] + (takesOptions ? ["[OPTIONS]"] : []) + operands.map(\.usage)
        return words.joined(separator: " ")
    }
}

extension CommandEntry.Operand {
    /// An optional word that the shell can complete.
    static func optional(_ placeholder: String, _ completion: ValueCompletion) -> CommandEntry.Operand {
        CommandEntry.Operand(placeholder: placeholder, kind: .optionalWord, completion: completion)
    }
}
