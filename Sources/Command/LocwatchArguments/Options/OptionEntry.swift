/// The declaration of an option, from which parser, help, completions and manual page are derived.
package struct OptionEntry: Sendable {
    package let name: OptionName
    package let short: Character?
    /// The form of the value, or `nil` for an option without one.
    package let form: ValueForm?
    /// The placeholder of the value in help, if it is not that of its syntax.
    private let placeholder: String?
    /// A line without an initial capital or a full stop.
    package let summary: String
    /// The sentences of ``more``, which only the manual page composes.
    private let composeMore: @Sendable () -> String
    package private(set) var group = OptionGroup.general
    /// Applies the option with the text of its value, or throws the reason why that is invalid.
    package let apply: @Sendable (String, inout Settings) throws(UsageError) -> Void

    package struct ValueForm: Sendable {
        package let placeholder: String
        package let completion: ValueCompletion
    }

    /// Returns an option without a value.
    package static func flag(
        _ name: OptionName, short: Character? = nil, _ summary: String,
        more: @autoclosure @escaping @Sendable () -> String = "",
        set: @escaping @Sendable (inout Settings) -> Void
    ) -> OptionEntry {
        OptionEntry(name: name, short: short, form: nil, placeholder: nil, summary: summary, composeMore: more) {
            set(&$1)
        }
    }

    /// Returns an option with a required value.
    package static func value<Value>(
        _ name: OptionName, short: Character? = nil, as placeholder: String? = nil, _ syntax: ValueSyntax<Value>,
        _ summary: String, more: @autoclosure @escaping @Sendable () -> String = "",
        set: @escaping @Sendable (inout Settings, Value) -> Void
    ) -> OptionEntry {
        OptionEntry(
            name: name, short: short,
            form: ValueForm(placeholder: syntax.placeholder, completion: syntax.completion), placeholder: placeholder,
            summary: summary, composeMore: more
        ) { text, settings throws(UsageError) in set(&settings, try syntax.read(text)) }
    }

    /// Returns the option in a group.
    package func placed(in group: OptionGroup) -> OptionEntry {
        var entry = self
        entry.group = group
        return entry
    }

    /// Sentences that the manual page adds, or an empty text.
    package var more: String { composeMore() }

    package var isForEveryCommand: Bool { CommandEntry.commonOptions.contains(name) }

    package var long: String { name.long }

    package var valueName: String? { placeholder ?? form?.placeholder }

    /// The spelling in the help, such as `-n, --count N`.
    package var usage: String {
        (short.map { "-\($0), " } ?? "    ") + long + (valueName.map { " \($0)" } ?? "")
    }
}

/// A group of options, with its heading in the help.
package enum OptionGroup: String, CaseIterable, Sendable {
    case output = "Output"
    case ending = "Limits"
    case choosing = "Positions"
    case session = "Session"
    case file = "File"
    case serving = "Serving"
    case publishing = "Publishing"
    case targets = "Targets, brokers and servers"
    case general = "General"
    case testing = "Tests of programs that read gpsd"
}

/// The long name of an option, which its entry declares and which the commands that take the option list.
package struct OptionName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(stringLiteral name: String) { rawValue = name }

    package var long: String { "--\(rawValue)" }
}
