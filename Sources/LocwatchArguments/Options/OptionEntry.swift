/// The declaration of an option, from which parser, help, completions and manual page are derived.
package struct OptionEntry: Sendable {
    package let name: OptionName
    package let short: Character?
    package let argument: Argument
    /// A sentence without an initial capital or a full stop.
    package let summary: String
    /// Whether a `LOCWATCH_*` variable can set the option.
    package let hasVariable: Bool
    package let group: OptionGroup

    package init(
        name: OptionName, short: Character?, argument: Argument, summary: String, hasVariable: Bool, group: OptionGroup
    ) {
        self.name = name
        self.short = short
        self.argument = argument
        self.summary = summary
        self.hasVariable = hasVariable
        self.group = group
    }

    package enum Argument: Sendable {
        case none(@Sendable (inout Settings) -> Void)
        case required(ValueForm)
        /// The value follows `=`, or is the next word if that has one of the endings; otherwise there is no value.
        case optional(ValueForm, endings: [String], without: @Sendable (inout Settings) -> Void)
    }

    /// A value whose type is erased; only the closure knows it.
    package struct ValueForm: Sendable {
        package let placeholder: String
        package let completion: ValueCompletion
        package let apply: @Sendable (String, inout Settings) -> ValueError?
    }

    /// Returns an option without a value.
    package static func flag(
        _ name: OptionName, _ short: Character? = nil, _ summary: String, in group: OptionGroup,
        hasVariable: Bool = false, set: @escaping @Sendable (inout Settings) -> Void
    ) -> OptionEntry {
        OptionEntry(
            name: name, short: short, argument: .none(set), summary: summary, hasVariable: hasVariable, group: group)
    }

    /// Returns an option with a required value.
    package static func value<Value>(
        _ name: OptionName, _ short: Character? = nil, _ syntax: ValueSyntax<Value>, _ summary: String,
        in group: OptionGroup, hasVariable: Bool = false,
        set: @escaping @Sendable (inout Settings, Value) -> Void
    ) -> OptionEntry {
        OptionEntry(
            name: name, short: short, argument: .required(ValueForm(syntax, set)), summary: summary,
            hasVariable: hasVariable, group: group)
    }

    package var isForEveryCommand: Bool { CommandEntry.commonOptions.contains(name) }

    /// The form of the value, if the option can have one.
    package var valueForm: ValueForm? {
        switch argument {
        case .none: nil
        case .required(let form), .optional(let form, _, _): form
        }
    }

    /// The long spelling, such as `--count`.
    package var long: String { "--\(name.rawValue)" }

    /// The prefix of the variables of all options.
    package static let variablePrefix = "LOCWATCH_"

    /// The environment variable that sets the option, if any.
    package var variable: String? {
        hasVariable ? Self.variablePrefix + String(name.rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) : nil
    }

    /// The spelling in the help, such as `-n, --count N`.
    package var usage: String {
        let front = short.map { "-\($0), " } ?? "    "
        return switch argument {
        case .none: front + long
        case .required(let form): "\(front)\(long) \(form.placeholder)"
        case .optional(let form, _, _): "\(front)\(long)[=\(form.placeholder)]"
        }
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
    case hooks = "Hooks"
    case serving = "Serving"
    case publishing = "Publishing"
    case targets = "Targets"
    case connection = "Brokers and servers"
    case general = "General"
}

/// The long name of an option, which its entry declares and which the commands that take the option list.
package struct OptionName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let rawValue: String

    package init(stringLiteral name: String) { rawValue = name }
}
