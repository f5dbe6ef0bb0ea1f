import Glibc
import LocationCore
import LocationGPSD
import LocationPublishing
import LocationRecordings
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

extension Invocation {
    /// Parses the arguments after the program's name; options override the configuration.
    ///
    /// - Parameters:
    ///   - exists: Returns whether a path exists, in which case a SOURCE word can be a recording.
    ///   - read: Returns the text of a configuration file, or throws the reason why it cannot be read.
    ///   - isTrusted: Returns whether only the user and root can write a file.
    static func parse(
        _ arguments: [String], environment: [String: String] = [:], exists: (String) -> Bool,
        read: (String) throws(SystemFailure) -> String = { _ throws(SystemFailure) in
            throw SystemFailure("read", code: ENOENT)
        },
        isTrusted: (String) -> Bool = { _ in true }
    ) throws(UsageError) -> Invocation {
        let reader = ArgumentReader(arguments[...])
        if let mistake = reader.mistake { throw mistake }
        let command = reader.command ?? CommandTable.standard
        for given in reader.given {
            if given.option.name == "version" { return Invocation(command: VersionCommand.entry.name) }
            if given.option.name == "help" {
                var help = Invocation(command: HelpCommand.entry.name, word: reader.command?.rawValue)
                help.settings.output.wantsBriefHelp = given.spelling.hasPrefix("-h")
                return help
            }
        }
        var invocation = Invocation(command: command)
        do throws(UsageError) {
            try invocation.process(reader, environment, exists, read, isTrusted)
            try CommandTable.command(command).check(invocation)
        } catch {
            throw error.of(command)
        }
        return invocation
    }

    /// Takes in the arguments and the configuration, and checks what holds for every command.
    private mutating func process(
        _ reader: ArgumentReader, _ environment: [String: String], _ exists: (String) -> Bool,
        _ read: (String) throws(SystemFailure) -> String, _ isTrusted: (String) -> Bool
    ) throws(UsageError) {
        let place = command.readsConfiguration(reader.given) ? ConfigurationPlace(reader.given, environment) : nil
        var obstacle: String?
        let file = try place.flatMap { (place) throws(UsageError) in
            try Self.configuration(for: command, place, read, isTrusted, exists, &obstacle)
        }
        settings = try Self.settings(for: command, file?.lines ?? [], reader.given)
        if file != nil { settings.configuration = place?.path }
        settings.configurationObstacle = obstacle
        var operands = Operands(command: command, words: reader.operands, isNamed: reader.command != nil)
        for operand in command.entry.operands {
            switch operand.kind {
            case .word: word = try operands.word()
            case .rest: rest = try operands.rest()
            case .optionalWord: word = operands.next()
            case .target:
                let target = try operands.target(isNeeded: settings.publishing.targets.isEmpty)
                if let target { settings.publishing.targets.insert(target, at: 0) }
            case .sourceOrTarget(let known):
                if operands.take(known) {
                    word = known
                } else if let target = try operands.targetIfAny(exists) {
                    settings.publishing.targets = [target]
                } else {
                    source = try operands.source(environment, file?.source, exists)
                }
            case .source: source = try operands.source(environment, file?.source, exists)
            case .requiredSource: source = try SourceWord(try operands.required(), exists: exists)
            }
        }
        try operands.end()
        given = Set(reader.given.map(\.option.name))
        if file != nil { passOverConfiguration() }
        try checkPassword(reader.given)
        try checkFile()
        try checkFences()
        try checkForm()
        settings.adapt(to: command, environment)
        try checkHooks()
        settings.plan.runsHooksOnReplay = given.contains("pace")
        if settings.serving.testing.hasManualClock, command != ServeCommand.entry.name {
            throw UsageError("--pace manual is for serve")
        }
    }

    /// Returns the configuration, or `nil` if the user's own cannot be found.
    ///
    /// - Parameter obstacle: Becomes the reason why it cannot be found, if that is another one than that there is none.
    private static func configuration(
        for command: CommandName, _ place: ConfigurationPlace, _ read: (String) throws(SystemFailure) -> String,
        _ isTrusted: (String) -> Bool, _ exists: (String) -> Bool, _ obstacle: inout String?
    ) throws(UsageError) -> ConfigurationFile? {
        let text: String
        do throws(SystemFailure) { text = try read(place.path) } catch {
            // HOME can be that of another user, as under sudo, whose folders this one may not search.
            guard !place.isNamed, !exists(place.path) else { throw UsageError(unreadable: place.path, error) }
            if ![ENOENT, ENOTDIR].contains(error.code) { obstacle = UsageError(unreadable: place.path, error).message }
            return nil
        }
        return try ConfigurationFile(
            text, name: place.path, command: command, isTrusted: isTrusted(place.path))
    }

    /// Returns the settings: an option overrides the configuration.
    private static func settings(
        for command: CommandName, _ file: [ArgumentReader.Given], _ given: [ArgumentReader.Given]
    ) throws(UsageError) -> Settings {
        var settings = Settings()
        for given in file + given {
            guard given.option.isTaken(by: command) else {
                if command == ExportCommand.entry.name, given.option.name == "units" {
                    throw UsageError("export has \(unitsOfTables)")
                }
                throw UsageError(
                    "\(command.rawValue) does not take \(given.spelling); it is an option of "
                        + EnglishList.and(given.option.commands.map(\.rawValue)))
            }
            do throws(UsageError) { try given.option.apply(given.value ?? "", &settings) } catch {
                throw error.named(given.spelling, given.value ?? "")
            }
        }
        return settings
    }
}

/// The units of tables and tracks, and how to get others.
private let unitsOfTables =
    "metres, m/s and degrees; for --units use a template, as in -f %{time},%{lat},%{lon},%{speed:.1}"

extension Settings {
    /// Sets what a source needs: every machine with a name is shown, a recording is read at once unless the command plays it, and the
    /// password comes from the environment.
    fileprivate mutating func adapt(to command: CommandName, _ environment: [String: String]) {
        if source.namesSubjects { output.events.everyReceiver = true }
        if !source.isLive, command.entry.readsAtOnce { plan.pace = plan.pace ?? .max }
        guard source.takesPassword else { return }
        plan.password = environment[SecretFile.passwordVariable].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Invocation {
    /// Checks that a password is given for a source or a target that takes one, and for one server only.
    fileprivate func checkPassword(_ given: [ArgumentReader.Given]) throws(UsageError) {
        if settings.publishing.targets.isEmpty, !source.takesPassword,
            let option = given.first(where: { $0.option.name == "password-file" })
        {
            throw UsageError(
                "\(option.spelling) is for a broker or a TARGET, and \(source.description.printable) is neither")
        }
        guard source.corrections?.user != nil, settings.publishing.targets.contains(where: \.takesPassword)
        else { return }
        throw UsageError(
            "one password cannot be for the caster of the corrections and for a TARGET: give the receiver its corrections "
                + "in 'locwatch serve', and publish from that")
    }

    /// Checks that no two fences have the same name, by which events, hooks and templates tell them apart.
    fileprivate func checkFences() throws(UsageError) {
        var names: Set<String> = []
        for fence in settings.fences where !names.insert(fence.name).inserted {
            throw UsageError("--fence gives the name \(fence.name.printable) to more than one fence")
        }
        for name in settings.output.format.fences where !names.contains(name) {
            let meant = Spelling.nearest(to: name, among: Array(names)).map { " (did you mean \($0.printable)?)" } ?? ""
            throw UsageError("--format names the fence \(name.printable), which no --fence declares\(meant)")
        }
    }

    /// Checks that one option chooses the form of the output, and that it has the units that are asked for.
    fileprivate func checkForm() throws(UsageError) {
        let forms = (["json", "csv", "format"] as [OptionName]).filter(given.contains).map { "--\($0.rawValue)" }
        guard forms.count < 2 else {
            throw UsageError("\(EnglishList.and(forms)) exclude each other")
        }
        guard given.contains("units"), settings.output.carries(.columns) else { return }
        throw UsageError("--csv has \(unitsOfTables)")
    }

    /// Whether the command can follow the source: `devices` any, and the others a file that can grow.
    var canFollow: Bool { command == DevicesCommand.entry.name || source.recording?.isCompressed == false }

    /// Checks that a file is followed, and not another source.
    fileprivate func checkFile() throws(UsageError) {
        guard settings.plan.follows, !canFollow else { return }
        if source.recording != nil {
            throw UsageError(
                "--follow cannot wait for more of a compressed file, and \(source.place.printable) is one; "
                    + "follow the file before it is compressed")
        }
        throw UsageError("--follow is for a file that is being written, not for \(source.description.printable)")
    }
}
