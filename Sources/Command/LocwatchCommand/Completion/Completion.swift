import LocwatchArguments

/// The ways to finish a command line.
struct Completion {
    /// The beginning of the unfinished word that all of `words`, and all that the shell adds, follow.
    private(set) var prefix = ""
    private(set) var words: [(word: String, meaning: String)] = []
    /// The kinds of words that the shell itself adds, which `CompleteCommand` describes.
    private(set) var requests: [String] = []

    private let line: CompletionLine
    private let devices: () -> [String]

    init(of line: CompletionLine, devices: @escaping () -> [String]) {
        self.line = line
        self.devices = devices
        if let option = line.before.awaiting {
            addValue(of: option, line.word[...])
        } else if !line.before.takesOptions || !line.word.hasPrefix("-") {
            addOperand()
        } else if line.word == "-" || line.word.hasPrefix("--") {
            addLong()
        } else {
            addBundle()
        }
    }

    /// The options that can be given again.
    private static let repeatable: Set<OptionName> = ["fence", "on", "to", "header", "fault"]

    private var options: [OptionEntry] {
        OptionTable.all.filter { option in
            option.isTaken(by: line.before.command ?? CommandTable.standard)
                && (Self.repeatable.contains(option.name) || !line.options.contains(option.name))
        }
    }

    private mutating func addOptions() {
        for option in options {
            words.append((option.long, option.summary))
            if let short = option.short { words.append(("-\(short)", option.summary)) }
        }
    }

    private mutating func addLong() {
        let name = line.word.prefix { $0 != "=" }
        guard name.endIndex < line.word.endIndex else { return addOptions() }
        let meant = line.before.options(named: String(name.dropFirst(2)))
        guard let option = meant.first, meant.count == 1 else { return }
        prefix = "\(name)="
        addValue(of: option, line.word.dropFirst(prefix.count))
    }

    /// Adds the short options that can follow others in the same word, or the value of the last of these.
    private mutating func addBundle() {
        var letters = line.word.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = OptionTable.all.first(where: { $0.short == letter }) else { return }
            guard option.form != nil else { continue }
            if letters.isEmpty { return words.append((line.word, option.summary)) }
            prefix = String(line.word[..<letters.startIndex])
            return addValue(of: option, letters)
        }
        words.append((line.word, ""))
        for option in options {
            guard let short = option.short, !line.word.dropFirst().contains(short) else { continue }
            words.append(("\(line.word)\(short)", option.summary))
        }
    }

    private mutating func addOperand() {
        let operands = line.before.command?.entry.operands
        switch line.before.operands.count {
        case 0 where operands == nil:
            if line.before.takesOptions { words = CommandName.allCases.map { ($0.rawValue, $0.entry.summary) } }
            addSource()
        case let index where index < operands?.count ?? 0:
            guard let operand = operands?[index] else { return }
            add(operand.completion, operand.placeholder, line.word[...])
            for (place, row) in operand.meanings.enumerated() where place < words.count {
                words[place].meaning = row.meaning
            }
            // An option can name the TARGET, so that the first word is the SOURCE.
            if operand.kind == .target, line.options.contains("to") || line.options.contains("config") { addSource() }
        default:
            if line.before.takesOptions, line.word.isEmpty { addOptions() }
        }
    }

    private mutating func addSource() {
        words += HelpText.receivers.map { ($0.term, $0.meaning) }
        requests += ["file", "hostname"]
    }

    private mutating func addValue(of option: OptionEntry, _ text: Substring) {
        if let form = option.form { add(form.completion, form.placeholder, text) }
    }

    private mutating func add(_ completion: ValueCompletion, _ placeholder: String, _ text: Substring) {
        switch completion {
        case .none: requests = ["message \(placeholder)"]
        case .words(let known):
            if placeholder.hasSuffix(",..."), let comma = text.lastIndex(of: ",") { prefix += text[...comma] }
            words = known.map { ($0, "") }
        case .topic: words = HelpTopic.words.map { ($0, CommandName(rawValue: $0)?.entry.summary ?? "") }
        case .file: requests = [placeholder.hasPrefix("DIR") ? "directory" : "file"]
        case .fileEnding(let endings): requests = ["directory", "file \(endings.joined(separator: "|"))"]
        case .device: words = devices().map { ($0, "") }
        case .source: addSource()
        case .hook: addHook(text)
        }
    }

    private mutating func addHook(_ text: Substring) {
        let kinds = HookTrigger.TriggerKind.allCases
        if let equals = text.firstIndex(of: "=") {
            prefix += text[...equals]
            // The shell knows the commands, but not what can follow one.
            if !text.utf8.contains(UInt8(ascii: " ")) { requests = ["command"] }
        } else if let colon = text.firstIndex(of: ":") {
            guard kinds.contains(where: { $0.concernsFence && $0.rawValue == text[..<colon] }) else { return }
            prefix += text[...colon]
            words = line.fences.map { ("\($0)=", "") }
        } else {
            words = kinds.flatMap { kind in
                [("\(kind.rawValue)=", "")] + (kind.concernsFence ? [("\(kind.rawValue):", "")] : [])
            }
        }
    }
}
