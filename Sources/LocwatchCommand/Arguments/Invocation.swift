/// What the arguments and the environment ask for.
enum Invocation: Hashable, Sendable {
    case run(SessionCommand, Settings)
    case completions(Shell)
    case help(HelpTopic)
    case version

    /// The commands that do something with a source.
    enum SessionCommand: Hashable, Sendable {
        case watch(SourceWord)
        case once(SourceWord)
        /// The path `-` is standard output.
        case record(to: String, SourceWord)
        case export(ExportFormat, SourceWord)
        case stats(SourceWord)
        case devices(SourceWord)
        case doctor(SourceWord)
        /// A recording or a simulated receiver.
        case serve(SourceWord)
    }

    /// Reads the arguments after the program's name; a flag beats a `LOCWATCH_*` variable, which beats the default.
    ///
    /// - Parameter exists: whether a path names something, by which a SOURCE word may be a recording.
    static func parse(
        _ arguments: [String], environment: [String: String] = [:], exists: (String) -> Bool
    ) throws(UsageError) -> Invocation {
        let reader = try ArgumentReader(arguments)
        let command = reader.command ?? .watch
        for given in reader.given where given.option.name == .help || given.option.name == .version {
            if given.option.name == .version { return .version }
            return .help(reader.command.map { .command($0) } ?? .overview)
        }
        let settings = try settings(for: command, reader.given, environment)
        var operands = Operands(command: command, words: reader.operands, isNamed: reader.command != nil)
        let invocation: Invocation
        switch command {
        case .version: invocation = .version
        case .help: invocation = .help(try operands.next().map(HelpTopic.init(word:)) ?? .overview)
        case .completions: invocation = .completions(try operands.word())
        case .record:
            let path = try operands.required()
            invocation = .run(.record(to: path, try operands.source(environment, exists)), settings)
        case .export:
            let format: ExportFormat = try operands.word()
            invocation = .run(.export(format, try operands.source(environment, exists)), settings)
        case .serve:
            let word = try operands.required()
            invocation = .run(.serve(try operands.playable(word, exists)), settings)
        case .watch: invocation = .run(.watch(try operands.source(environment, exists)), settings)
        case .once: invocation = .run(.once(try operands.source(environment, exists)), settings)
        case .stats: invocation = .run(.stats(try operands.source(environment, exists)), settings)
        case .devices: invocation = .run(.devices(try operands.source(environment, exists)), settings)
        case .doctor: invocation = .run(.doctor(try operands.source(environment, exists)), settings)
        }
        try operands.end()
        return invocation
    }

    private static func settings(
        for command: CommandName, _ given: [ArgumentReader.Given], _ environment: [String: String]
    ) throws(UsageError) -> Settings {
        var settings = Settings()
        for option in OptionTable.all where option.commands.contains(command) {
            guard let variable = option.variable, let value = environment[variable], !value.isEmpty else { continue }
            try option.apply(variable: variable, value: value, to: &settings, command)
        }
        for given in given {
            guard given.option.commands.contains(command) else {
                let takers = CommandName.allCases.filter { given.option.commands.contains($0) }.map(\.rawValue)
                throw UsageError(
                    "\(command.rawValue) takes no \(given.spelling); it is an option of \(EnglishList.and(takers))",
                    command: command)
            }
            try given.option.apply(given.value, spelling: given.spelling, to: &settings, command)
        }
        return settings
    }
}

extension OptionEntry {
    fileprivate func apply(
        _ value: String?, spelling: String, to settings: inout Settings, _ command: CommandName
    ) throws(UsageError) {
        switch (argument, value) {
        case (.none(let set), _), (.optional(_, let set), nil): set(&settings)
        case (.required(let form), let value), (.optional(let form, _), let value):
            if let error = form.apply(value ?? "", &settings) {
                throw UsageError(spelling, value ?? "", error, command)
            }
        }
    }

    /// A flag in a variable is on or off; off leaves the default.
    fileprivate func apply(
        variable: String, value: String, to settings: inout Settings, _ command: CommandName
    ) throws(UsageError) {
        guard case .none(let set) = argument else {
            return try apply(value, spelling: variable, to: &settings, command)
        }
        switch value.lowercased() {
        case "1", "true", "yes", "on": set(&settings)
        case "0", "false", "no", "off": break
        default: throw UsageError(variable, value, ValueError(allowed: "1 or 0"), command)
        }
    }
}

extension UsageError {
    /// A value that will not do: names the option, the value, and what is allowed.
    init(_ spelling: String, _ value: String, _ error: ValueError, _ command: CommandName?) {
        let meant = error.suggestion.map { " (did you mean \($0)?)" } ?? ""
        self.init("\(spelling): \"\(value.printable)\" will not do\(meant); give \(error.allowed)", command: command)
    }
}
