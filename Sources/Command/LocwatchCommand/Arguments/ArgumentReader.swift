import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// A parser of GNU-style arguments: bundled short options, `=`, `--`, and unique prefixes of long options.
struct ArgumentReader {
    /// An option among the arguments, or in the configuration.
    struct Given {
        let option: OptionEntry
        /// The spelling for messages.
        let spelling: String
        let value: String?
    }

    private(set) var given: [Given] = []
    private(set) var operands: [String] = []
    /// The command, if the first word names one.
    private(set) var command: CommandName?

    init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        // The first word determines which options a prefix can mean, even for options that precede it.
        if let first = arguments.first(where: { !$0.hasPrefix("-") }) { command = CommandName(rawValue: first) }
        var hasCommand = false
        while let argument = rest.popFirst() {
            if argument == "--" {
                operands += rest
                break
            } else if argument.hasPrefix("--") {
                try readLong(argument, &rest)
            } else if argument.hasPrefix("-"), argument != "-" {
                try readBundle(argument, &rest)
            } else if !hasCommand, operands.isEmpty, let name = CommandName(rawValue: argument) {
                command = name
                hasCommand = true
            } else {
                if operands.isEmpty, !hasCommand { command = nil }
                operands.append(argument)
                // A place such as -33.9,151.2 is not an option.
                let given = hasCommand ? command?.entry.operands.firstIndex { $0.kind == .rest } : nil
                if operands.count == given {
                    operands += rest
                    break
                }
            }
        }
        if !hasCommand { command = nil }
    }

    private mutating func readLong(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let option = try option(long: String(parts[0]))
        let value = parts.count == 2 ? String(parts[1]) : nil
        guard let form = option.form else {
            guard value == nil else { throw UsageError("\(option.long) takes no value", command: command) }
            return given.append(Given(option: option, spelling: option.long, value: nil))
        }
        let text = if let value { value } else { try next(&rest, for: option.long, form) }
        given.append(Given(option: option, spelling: option.long, value: text))
    }

    private mutating func readBundle(_ argument: String, _ rest: inout ArraySlice<String>) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = OptionTable.all.first(where: { $0.short == letter }) else {
                let place = argument.count > 2 ? " in \(argument.printable)" : ""
                throw UsageError("unknown option -\(String(letter).printable)\(place)", command: command)
            }
            let spelling = "-\(letter) (\(option.long))"
            if let form = option.form {
                let value = letters.isEmpty ? try next(&rest, for: spelling, form) : String(letters)
                return given.append(Given(option: option, spelling: spelling, value: value))
            }
            given.append(Given(option: option, spelling: spelling, value: nil))
        }
    }

    private func next(
        _ rest: inout ArraySlice<String>, for spelling: String, _ form: OptionEntry.ValueForm
    ) throws(UsageError) -> String {
        guard let value = rest.popFirst() else {
            throw UsageError("\(spelling) needs a value: \(form.placeholder)", command: command)
        }
        // A value that is an option was forgotten; after an equals sign it can be any text.
        if OptionTable.all.contains(where: { value == $0.long || value == $0.short.map { "-\($0)" } }) {
            throw UsageError(
                "\(spelling) needs a value: \(form.placeholder); \(value) is an option", command: command)
        }
        return value
    }

    private func option(long name: String) throws(UsageError) -> OptionEntry {
        if let exact = OptionTable.all.first(where: { $0.name.rawValue == name }) { return exact }
        let command = command ?? CommandTable.standard
        let candidates = name.isEmpty ? [] : OptionTable.all.filter { $0.name.rawValue.hasPrefix(name) }
        let own = candidates.filter { $0.isTaken(by: command) }
        for matches in [own, candidates] where matches.count == 1 { return matches[0] }
        guard candidates.isEmpty else {
            let names = (own.isEmpty ? candidates : own).map(\.long)
            throw UsageError(
                "--\(name.printable) is ambiguous: \(EnglishList.or(names))", command: self.command)
        }
        let known = OptionTable.all.sorted { $0.isTaken(by: command) && !$1.isTaken(by: command) }
        let meant = Spelling.nearest(to: name, among: known.map(\.name.rawValue))
        throw UsageError(
            "unknown option --\(name.printable)" + (meant.map { "; did you mean --\($0)?" } ?? ""),
            command: self.command)
    }
}
