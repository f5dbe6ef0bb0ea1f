import LocationPublishing
import LocwatchTerminal

/// The name of a command, as typed on the command line.
package struct CommandName: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    init(_ rawValue: String) { self.rawValue = rawValue }

    /// Creates a name from a word, or returns `nil` if no command has that name.
    package init?(rawValue: String) {
        guard let name = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = name
    }

    package var description: String { rawValue }

    /// The names of all commands, in the order of `CommandTable`, which a test compares.
    ///
    /// They are listed here too because advice on a source that is not found asks whether a command was meant.
    package static let allCases = [
        "watch", "monitor", "once", "where", "record", "export", "stats", "time", "publish", "web", "devices", "doctor",
        "serve", "control", "completions", "help", "version",
    ].map { CommandName($0) }

    /// Returns the command that was mistyped and taken as a host name, because it is neither a command nor a file;
    /// `nil` for a name that does not resemble one.
    package static func meant(by host: String) -> String? {
        let meant = Spelling.nearest(to: host, among: allCases.map(\.rawValue))
        // A host can be called "server" without being resolvable yet.
        return meant.flatMap { host.hasPrefix($0) ? nil : $0 }
    }
}

/// The declaration of a command, from which parser, help, completions and manual page are derived.
package struct CommandEntry: Sendable {
    package let name: CommandName
    package let operands: [Operand]
    /// The options that the command takes, including those of every command.
    package let options: [OptionName]
    /// The options that mean something else for this command than for others, so that it passes over them above the sections of a
    /// configuration.
    package let optionsOfSection: [OptionName]
    /// Whether a recording is read as fast as possible, unless a pace is given; otherwise it is played as recorded.
    package let readsAtOnce: Bool
    /// Whether it is for tests of programs that read gpsd, and not for users of positions.
    package let isForTests: Bool
    /// A one-line summary without a full stop.
    package let summary: String
    package let description: [String]
    /// Command lines and what they do.
    package let examples: [(term: String, meaning: String)]
    /// The examples that `locwatch help` shows too.
    package let overview: [(term: String, meaning: String)]

    package init(
        _ name: String, operands: [Operand] = [], options: [OptionName] = [], optionsOfSection: [OptionName] = [],
        readsAtOnce: Bool = false, isForTests: Bool = false, summary: String, description: [String] = [],
        examples: KeyValuePairs<String, String>, overview: [Int] = []
    ) {
        self.name = CommandName(name)
        self.operands = operands
        // Each command that takes a SOURCE can read a fleet from a broker.
        let takesSource = operands.contains { $0.kind.takesSource }
        self.options = options + Self.commonOptions + (takesSource ? ["password-file"] : [])
        self.optionsOfSection = optionsOfSection
        self.readsAtOnce = readsAtOnce
        self.isForTests = isForTests
        self.summary = summary
        self.description = description
        self.examples = examples.map { ($0.key, $0.value) }
        self.overview = overview.map { examples[$0] }.map { ($0.key, $0.value) }
    }

    static let commonOptions: [OptionName] = ["config", "no-config", "help", "version"]

    package struct Operand: Sendable {
        package let placeholder: String
        package let kind: OperandKind
        package let completion: ValueCompletion
        /// The accepted words and their meanings, as the help lists them.
        package var meanings: [(term: String, meaning: String)] = []
        /// The words of an earlier release that still work, with those that take their place.
        package var formerWords: [String: String] = [:]

        package enum OperandKind: Hashable, Sendable {
            /// A required word, which must be one of the words of the completion, if it has any.
            case word
            /// The rest of the words, of which there is at least one; even those that begin with a hyphen.
            case rest
            /// The rest of the words, of which there is at least one, among options.
            case words
            case optionalWord
            /// The SOURCE word, which defaults to `LOCWATCH_SOURCE` and then to the gpsd on this machine.
            case source
            /// The SOURCE word, without a default.
            case requiredSource
            /// A TARGET word, which an option can name instead.
            case target
            /// A TARGET word, another word, or the SOURCE word with its defaults.
            case sourceOrTarget(or: String)

            package var takesSource: Bool {
                switch self {
                case .source, .requiredSource, .sourceOrTarget: true
                case .word, .rest, .words, .optionalWord, .target: false
                }
            }

            package var takesTarget: Bool {
                switch self {
                case .target, .sourceOrTarget: true
                case .word, .rest, .words, .optionalWord, .requiredSource, .source: false
                }
            }
        }

        /// The SOURCE word, a TARGET word, or another word that the command knows.
        package static func sourceOrTarget(or word: String) -> Operand {
            Operand(placeholder: "SOURCE|TARGET|\(word)", kind: .sourceOrTarget(or: word), completion: .source)
        }

        package static let target = Operand(
            placeholder: "TARGET", kind: .target, completion: .words(TargetScheme.all.map(\.prefix)))

        package static let source = Operand(placeholder: "SOURCE", kind: .source, completion: .source)
        package static let requiredSource = requiredSource("SOURCE")

        /// Returns a SOURCE word without a default.
        package static func requiredSource(_ placeholder: String) -> Operand {
            Operand(placeholder: placeholder, kind: .requiredSource, completion: .source)
        }

        /// Returns the rest of the words, among which options can stand.
        package static func words(_ placeholder: String) -> Operand {
            Operand(placeholder: placeholder, kind: .words, completion: .none)
        }

        package static func required(_ placeholder: String, _ completion: ValueCompletion) -> Operand {
            Operand(placeholder: placeholder, kind: .word, completion: completion)
        }

        /// Returns a required word from a list whose words the help explains.
        package static func one(
            of placeholder: String, _ meanings: [(term: String, meaning: String)], former: [String: String] = [:]
        ) -> Operand {
            Operand(
                placeholder: placeholder, kind: .word, completion: .words(meanings.map(\.term)), meanings: meanings,
                formerWords: former)
        }

        package static func optional(_ placeholder: String, _ completion: ValueCompletion) -> Operand {
            Operand(placeholder: placeholder, kind: .optionalWord, completion: completion)
        }

        /// Returns the rest of the words, the first of which the help explains.
        package static func rest(_ placeholder: String, _ meanings: [(term: String, meaning: String)]) -> Operand {
            let words = meanings.map { String($0.term.prefix { $0 != " " }) }
            return Operand(placeholder: placeholder, kind: .rest, completion: .words(words), meanings: meanings)
        }

        package var isRequired: Bool {
            switch kind {
            case .word, .rest, .words, .requiredSource, .target: true
            case .optionalWord, .source, .sourceOrTarget: false
            }
        }

        /// The operand as a synopsis shows it.
        var usage: String { isRequired ? placeholder : "[\(placeholder)]" }
    }

    /// The synopsis of the command.
    package var usage: String {
        let takesOptions = options.contains { !Self.commonOptions.contains($0) }
        let words = ["locwatch", name.rawValue] + (takesOptions ? ["[OPTIONS]"] : []) + operands.map(\.usage)
        return words.joined(separator: " ")
    }
}
