/// An option as parsing, help, completions and the manual page know it.
struct OptionEntry: Sendable {
    let name: OptionName
    let short: Character?
    let argument: Argument
    /// A sentence without a capital or a full stop.
    let summary: String
    /// Whether a `LOCWATCH_*` variable can set it.
    let hasVariable: Bool
    let group: OptionGroup

    enum Argument: Sendable {
        case none(@Sendable (inout Settings) -> Void)
        case required(ValueForm)
        /// The value follows `=`, or is the next word if that has one of the endings; else the option stands alone.
        case optional(ValueForm, endings: [String], without: @Sendable (inout Settings) -> Void)
    }

    /// A value whose type is known to the closure alone.
    struct ValueForm: Sendable {
        let placeholder: String
        let completion: ValueCompletion
        let apply: @Sendable (String, inout Settings) -> ValueError?
    }

    /// An option without a value.
    static func flag(
        _ name: OptionName, _ short: Character? = nil, _ summary: String, in group: OptionGroup,
        hasVariable: Bool = false, set: @escaping @Sendable (inout Settings) -> Void
    ) -> OptionEntry {
        OptionEntry(
            name: name, short: short, argument: .none(set), summary: summary, hasVariable: hasVariable, group: group)
    }

    /// An option with a value.
    static func value<Value>(
        _ name: OptionName, _ short: Character? = nil, _ syntax: ValueSyntax<Value>, _ summary: String,
        in group: OptionGroup, hasVariable: Bool = false,
        set: @escaping @Sendable (inout Settings, Value) -> Void
    ) -> OptionEntry {
        OptionEntry(
            name: name, short: short, argument: .required(ValueForm(syntax, set)), summary: summary,
            hasVariable: hasVariable, group: group)
    }

    /// The commands that take it, in the order of the table.
    var commands: [CommandName] { CommandName.allCases.filter(isTaken) }

    /// Whether a command takes it.
    func isTaken(by command: CommandName) -> Bool { command.entry.options.contains(name) }

    var isForEveryCommand: Bool { name == .help || name == .version }

    /// The value's form, where there may be one.
    var valueForm: ValueForm? {
        switch argument {
        case .none: nil
        case .required(let form), .optional(let form, _, _): form
        }
    }

    /// As the person spells it, as in `--count`.
    var long: String { "--\(name.rawValue)" }

    /// The environment variable that sets it.
    var variable: String? {
        hasVariable ? "LOCWATCH_" + String(name.rawValue.uppercased().map { $0 == "-" ? "_" : $0 }) : nil
    }

    /// As help shows it, as in `-n, --count N`.
    var usage: String {
        let front = short.map { "-\($0), " } ?? "    "
        return switch argument {
        case .none: front + long
        case .required(let form): "\(front)\(long) \(form.placeholder)"
        case .optional(let form, _, _): "\(front)\(long)[=\(form.placeholder)]"
        }
    }
}

extension OptionEntry.ValueForm {
    init<Value>(_ syntax: ValueSyntax<Value>, _ set: @escaping @Sendable (inout Settings, Value) -> Void) {
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

/// The heading under which an option stands in the help.
enum OptionGroup: String, CaseIterable, Sendable {
    case output = "What comes out"
    case ending = "When it ends"
    case choosing = "Which positions"
    case session = "The session"
    case file = "The file"
    case serving = "Serving"
    case general = "General"
}

/// The options, by the long name that one types.
enum OptionName: String, CaseIterable, Sendable {
    case json, format, csv, columns, text, states, sky, revisions, degrees, units, utc, precision, color, plot, watch
    case count, timeout, duration
    case accuracy, fix, fence, dwell, distance, interval, device, stale
    case allDevices = "all-devices"
    case maximumAge = "max-age"
    case pace
    case noReconnect = "no-reconnect"
    case output, force, rotate, every, simplify
    case minimumMove = "min-move"
    case listen, port, loop, redate
    case quiet, verbose, help, version
}
