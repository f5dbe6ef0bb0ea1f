/// The declaration of an option, from which parser, help, completions and manual page are derived.
package struct OptionEntry: Sendable {
    package let name: OptionName
    package let short: Character?
    package let argument: Argument
    /// The placeholder of the value in help, if it is not that of its syntax.
    private let placeholder: String?
    /// A line without an initial capital or a full stop.
    package let summary: String
    /// Sentences that the manual page adds, or an empty text.
    package let more: String
    package let group: OptionGroup

    package enum Argument: Sendable {
        case none(@Sendable (inout Settings) -> Void)
        case required(ValueForm)
    }

    /// A value whose type is erased; only the closure knows it.
    package struct ValueForm: Sendable {
        package let placeholder: String
        package let completion: ValueCompletion
        package let apply: @Sendable (String, inout Settings) -> UsageError?
    }

    /// Returns an option without a value.
    package static func flag(
        _ name: OptionName, _ short: Character? = nil, _ summary: String, more: String = "", in group: OptionGroup,
        set: @escaping @Sendable (inout Settings) -> Void
    ) -> OptionEntry {
        OptionEntry(
            name: name, short: short, argument: .none(set), placeholder: nil, summary: summary, more: more, group: group
        )
    }

    /// Returns an option with a required value.
    package static func value<Value>(
        _ name: OptionName, _ short: Character? = nil, as placeholder: String? = nil, _ syntax: ValueSyntax<Value>,
        _ summary: String, more: String = "", in group: OptionGroup,
        set: @escaping @Sendable (inout Settings, Value) -> Void
    ) -> OptionEntry {
        OptionEntry(
            name: name, short: short, argument: .required(ValueForm(syntax, set)), placeholder: placeholder,
            summary: summary, more: more, group: group)
    }

    package var isForEveryCommand: Bool { CommandEntry.commonOptions.contains(name) }

    /// The form of the value, if the option has one.
    package var valueForm: ValueForm? {
        switch argument {
        case .none: nil
        case .required(let form): form
        }
    }

    /// The long spelling, such as `--count`.
    package var long: String { "--\(name.rawValue)" }

    /// The placeholder of the value in help, if the option has one.
    package var valueName: String? { placeholder ?? valueForm?.placeholder }

    /// The spelling in the help, such as `-n, --count N`.
    package var usage: String {
        (short.map { "-\($0), " } ?? "    ") + long + (valueName.map { " \($0)" } ?? "")
    }
}

extension OptionEntry.ValueForm {
    package init<Value>(_ syntax: ValueSyntax<Value>, _ set: @escaping @Sendable (inout Settings, Value) -> Void) {
        self.init(placeholder: syntax.placeholder, completion: syntax.completion) { text, settings in
            switch syntax.read(text) {
            case .success(let value):
                set(&settings, value)
                return nil
            case .failure(let error):
                return error
            }
        }
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
}
