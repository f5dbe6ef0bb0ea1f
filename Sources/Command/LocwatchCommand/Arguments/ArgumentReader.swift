import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// A parser of GNU-style arguments: bundled short options, `=`, `--`, and unique prefixes of long options.
///
/// It reads on after a mistake, because a line that is to be completed is unfinished.
struct ArgumentReader {
    /// An option among the arguments, or in the configuration.
    struct Given {
        let option: OptionEntry
        /// The spelling for messages.
        let spelling: String
        let value: String?
        /// Whether it is from the configuration.
        var isOfFile = false
        /// The option of an earlier release that was written, if it was one.
        var former: FormerOption?

        var commands: [CommandName] { former?.commands ?? option.commands }

        func isTaken(by command: CommandName) -> Bool {
            former?.isTaken(by: command) ?? option.isTaken(by: command)
        }
    }

    private(set) var given: [Given] = []
    private(set) var operands: [String] = []
    /// The command, if the first word names one.
    private(set) var command: CommandName?
    private var hasCommand = false
    /// The first mistake, if there is one.
    private(set) var mistake: UsageError?
    /// The option at the end whose value is missing, if there is one.
    private(set) var awaiting: OptionEntry?
    /// Whether a further word can be an option.
    private(set) var takesOptions = true

    init(_ arguments: ArraySlice<String>) {
        // The first word determines which options a prefix can mean, even for options that precede it.
        if let first = arguments.first(where: { !$0.hasPrefix("-") }) { command = CommandName(rawValue: first) }
        var rest = arguments
        while let argument = rest.popFirst() {
            if !takesOptions || !argument.hasPrefix("-") || argument == "-" {
                readOperand(argument)
            } else if argument == "--" {
                takesOptions = false
            } else if argument.hasPrefix("--") {
                readLong(argument, &rest)
            } else {
                readBundle(argument, &rest)
            }
        }
        if !hasCommand { command = nil }
    }

    private mutating func readOperand(_ argument: String) {
        if takesOptions, !hasCommand, operands.isEmpty, let name = CommandName(rawValue: argument) {
            (command, hasCommand) = (name, true)
            return
        }
        if !hasCommand { command = nil }
        operands.append(argument)
        // A place such as -33.9,151.2 is not an option.
        if command?.entry.operands.firstIndex(where: { $0.kind == .rest }) == operands.count { takesOptions = false }
    }

    private mutating func readLong(_ argument: String, _ rest: inout ArraySlice<String>) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let former = FormerOption.named(String(parts[0]))
        guard let option = former?.entry ?? option(long: String(parts[0])) else { return }
        let spelling = former.map { "--\($0.name)" } ?? option.long
        var value = parts.count == 2 ? String(parts[1]) : nil
        if option.form == nil, value != nil { note("\(spelling) takes no value") }
        if let form = option.form, value == nil { value = next(&rest, for: option, spelling, form) }
        given.append(Given(option: option, spelling: spelling, value: value, former: former))
    }

    private mutating func readBundle(_ argument: String, _ rest: inout ArraySlice<String>) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = OptionTable.all.first(where: { $0.short == letter }) else {
                let place = argument.count > 2 ? " in \(argument.printable)" : ""
                note("unknown option -\(String(letter).printable)\(place)")
                continue
            }
            let spelling = "-\(letter) (\(option.long))"
            var value: String?
            if let form = option.form {
                value = letters.isEmpty ? next(&rest, for: option, spelling, form) : String(letters)
                letters = ""
            }
            given.append(Given(option: option, spelling: spelling, value: value))
        }
    }

    /// Returns the next word as the value of an option, or `nil` at the end.
    private mutating func next(
        _ rest: inout ArraySlice<String>, for option: OptionEntry, _ spelling: String, _ form: OptionEntry.ValueForm
    ) -> String? {
        guard let value = rest.popFirst() else {
            note("\(spelling) needs a value: \(form.placeholder)")
            awaiting = option
            return nil
        }
        // A value that is an option was forgotten; after an equals sign it can be any text.
        if OptionTable.all.contains(where: { value == $0.long || value == $0.short.map { "-\($0)" } }) {
            note("\(spelling) needs a value: \(form.placeholder); \(value) is an option")
        }
        return value
    }

    /// Returns the options that a name without its hyphens can mean: the one with it, or those that it begins, if possible those of
    /// the command.
    func options(named name: String) -> [OptionEntry] {
        if let exact = OptionTable.all.first(where: { $0.name.rawValue == name }) { return [exact] }
        let candidates = name.isEmpty ? [] : OptionTable.all.filter { $0.name.rawValue.hasPrefix(name) }
        let own = candidates.filter { $0.isTaken(by: command ?? CommandTable.standard) }
        return own.isEmpty ? candidates : own
    }

    private mutating func option(long name: String) -> OptionEntry? {
        let meant = options(named: name)
        if meant.count == 1 { return meant[0] }
        guard mistake == nil else { return nil }
        if meant.isEmpty {
            let command = command ?? CommandTable.standard
            let known = OptionTable.all.sorted { $0.isTaken(by: command) && !$1.isTaken(by: command) }
            let similar = Spelling.nearest(to: name, among: known.map(\.name.rawValue))
            note("unknown option --\(name.printable)" + (similar.map { "; did you mean --\($0)?" } ?? ""))
        } else {
            note("--\(name.printable) is ambiguous: \(EnglishList.or(meant.map(\.long)))")
        }
        return nil
    }

    private mutating func note(_ message: String) {
        if mistake == nil { mistake = UsageError(message).of(command) }
    }
}
