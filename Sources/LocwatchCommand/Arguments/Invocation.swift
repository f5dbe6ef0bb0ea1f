/// What the arguments and the environment ask for.
struct Invocation: Hashable, Sendable {
    /// The command.
    var command: CommandName
    /// The word after the command, if it takes one: a file, a format, a topic.
    var word: String?
    /// Where the session comes from, if the command has one.
    var source = SourceWord.standard
    /// What the options say.
    var settings = Settings()

    /// Reads the arguments after the program's name; a flag beats a `LOCWATCH_*` variable, which beats the default.
    ///
    /// - Parameter exists: whether a path names something, by which a SOURCE word may be a recording.
    static func parse(
        _ arguments: [String], environment: [String: String] = [:], exists: (String) -> Bool
    ) throws(UsageError) -> Invocation {
        let reader = try ArgumentReader(arguments)
        let command = reader.command ?? CommandTable.standard
        for given in reader.given {
            if given.option.name == .version { return Invocation(command: VersionCommand.entry.name) }
            if given.option.name == .help {
                return Invocation(command: HelpCommand.entry.name, word: reader.command?.rawValue)
            }
        }
        var invocation = Invocation(command: command)
        invocation.settings = try settings(for: command, reader.given, environment)
        var operands = Operands(command: command, words: reader.operands, isNamed: reader.command != nil)
        for operand in command.entry.operands {
            switch operand.kind {
            case .word(let known): invocation.word = try operands.word(known)
            case .optionalWord: invocation.word = operands.next()
            case .source: invocation.source = try operands.source(environment, exists)
            case .playable: invocation.source = try operands.playable(try operands.required(), exists)
            }
        }
        try operands.end()
        try CommandTable.command(command).check(invocation)
        return invocation
    }

    private static func settings(
        for command: CommandName, _ given: [ArgumentReader.Given], _ environment: [String: String]
    ) throws(UsageError) -> Settings {
        var settings = Settings()
        for option in OptionTable.all where option.isTaken(by: command) {
            guard let variable = option.variable, let value = environment[variable], !value.isEmpty else { continue }
            try option.apply(variable: variable, value: value, to: &settings, command)
        }
        for given in given {
            guard given.option.isTaken(by: command) else {
                throw UsageError(
                    "\(command.rawValue) takes no \(given.spelling); it is an option of "
                        + EnglishList.and(given.option.commands.map(\.rawValue)),
                    command: command)
            }
            try given.option.apply(given.value, spelling: given.spelling, to: &settings, command)
        }
        return settings
    }
}

extension Invocation {
    /// Checks that the file to write, if any, is not the recording that is read.
    func checkFileToWrite(_ path: String?) throws(UsageError) {
        guard let path, path != "-", let recording = source.recording, recording.isSameFile(as: path) else { return }
        throw UsageError(
            "\(path.printable) is both the recording that is read and the file to write", command: command)
    }

    /// Checks that `--columns` is given for positions in CSV only.
    func checkColumns() throws(UsageError) {
        guard settings.columns != nil else { return }
        if settings.output != .csv { throw UsageError("--columns needs --csv", command: command) }
        if settings.showsStatesOnly || settings.showsSky {
            throw UsageError(
                "--columns chooses columns of positions, and goes with neither --states nor --sky", command: command)
        }
    }
}

extension OptionEntry {
    fileprivate func apply(
        _ value: String?, spelling: String, to settings: inout Settings, _ command: CommandName
    ) throws(UsageError) {
        switch (argument, value) {
        case (.none(let set), _), (.optional(_, _, let set), nil): set(&settings)
        case (.required(let form), let value), (.optional(let form, _, _), let value):
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
