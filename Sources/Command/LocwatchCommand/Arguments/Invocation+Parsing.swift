import Glibc
import LocationCore
import LocationGPSD
import LocationPublishing
import GPSDProtocol
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

extension Invocation {
    /// Parses the arguments after the program's name; the options of the configuration are defaults, which those of the line override.
    ///
    /// An option of the configuration that does not fit the command, its source or another option is left out, because it fits other
    /// invocations: of options that exclude each other the last one holds. On the command line it is a mistake.
    ///
    /// - Parameters:
    ///   - exists: Returns whether a path exists, in which case a SOURCE word can be a recording.
    ///   - read: Returns the content of a configuration file, or throws the reason why it cannot be read.
    static func parse(
        _ arguments: [String], environment: [String: String] = [:], exists: (String) -> Bool,
        read: (String) throws(SystemFailure) -> ConfigurationText = { _ throws(SystemFailure) in
            throw SystemFailure("read", code: ENOENT)
        }
    ) throws(UsageError) -> Invocation {
        let reader = ArgumentReader(arguments[...])
        if let mistake = reader.mistake { throw mistake }
        let named = reader.command ?? CommandTable.standard
        let former = reader.given.lazy.compactMap(\.former).first { $0.newCommand != nil && $0.isTaken(by: named) }
        let command = former?.newCommand ?? named
        for given in reader.given {
            if given.option.name == "version" { return Invocation(command: VersionCommand.entry.name) }
            if given.option.name == "help" {
                var help = Invocation(command: HelpCommand.entry.name, word: reader.command?.rawValue)
                help.settings.output.wantsBriefHelp = given.spelling.hasPrefix("-h")
                return help
            }
        }
        let place = command.readsConfiguration(reader.given) ? ConfigurationPlace(reader.given, environment) : nil
        var obstacle: String?
        do throws(UsageError) {
            let file = try place.flatMap { (place) throws(UsageError) in
                try configuration(for: command, place, read, exists, &obstacle)
            }
            var invocation = try fitted(file, reader, command, environment, exists)
            if file != nil { invocation.settings.configuration = place?.path }
            invocation.settings.configurationObstacle = obstacle
            return invocation
        } catch {
            throw error.of(command)
        }
    }

    /// Returns the invocation with those options of a configuration that fit it.
    ///
    /// An error names the options that it is about. The first line with one of them goes, because of options that exclude each other the
    /// last one holds; of several lines with one option, the first one without which there is no such error.
    private static func fitted(
        _ file: ConfigurationFile?, _ reader: ArgumentReader, _ command: CommandName, _ environment: [String: String],
        _ exists: (String) -> Bool
    ) throws(UsageError) -> Invocation {
        var defaults = file?.lines ?? []
        func invocation(_ defaults: [ArgumentReader.Given]) throws(UsageError) -> Invocation {
            var invocation = Invocation(command: command)
            try invocation.process(defaults, reader, file?.source, environment, exists)
            try CommandTable.command(command).check(invocation)
            return invocation
        }
        while true {
            do throws(UsageError) { return try invocation(defaults) } catch {
                guard let first = defaults.firstIndex(where: { error.options.contains($0.option.name) }) else {
                    throw error
                }
                let name = defaults[first].option.name
                let index = defaults.indices.first { index in
                    guard defaults[index].option.name == name else { return false }
                    var others = defaults
                    others.remove(at: index)
                    do throws(UsageError) { _ = try invocation(others) } catch let other { return other != error }
                    return true
                }
                defaults.remove(at: index ?? first)
            }
        }
    }

    /// Takes in the options of the configuration and then the arguments, and checks what holds for every command.
    private mutating func process(
        _ defaults: [ArgumentReader.Given], _ reader: ArgumentReader,
        _ configured: (word: String, spelling: String)?, _ environment: [String: String], _ exists: (String) -> Bool
    ) throws(UsageError) {
        let options = defaults + reader.given
        given = Set(options.map(\.option.name))
        settings = try Self.settings(for: command, options)
        var operands = Operands(command: command, words: reader.operands, isNamed: reader.command != nil)
        for operand in command.entry.operands {
            switch operand.kind {
            case .word: word = try operands.word()
            case .rest: rest = try operands.rest()
            case .words: if settings.reading.formerTimes.isEmpty || operands.hasWords { rest = try operands.rest() }
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
                    source = try operands.source(environment, configured, exists)
                }
            case .source: source = try operands.source(environment, configured, exists)
            case .requiredSource: source = try SourceWord(try operands.required(), exists: exists)
            }
        }
        try operands.end()
        if settings.publishing.sendsNewestOnly {
            settings.publishing.targets = settings.publishing.targets.map(\.sendingNewestOnly)
        }
        notices = operands.notices
        if settings.output.hasSentencesInColumns {
            notices.append(FormerNotice.text("--columns with sentences", "write --sentences"))
        }
        try noteFormer(options)
        try checkPassword(options)
        try checkFile()
        try checkFences()
        try checkUnits()
        try checkState()
        settings.adapt(to: command, environment)
        try checkHooks()
        // A pace of the configuration is that of every recording which is looked at, so it does not run hooks.
        settings.reactions.runsHooksOnReplay = reader.given.contains { $0.option.name == "pace" }
        if settings.serving.testing.hasManualClock, command != ServeCommand.entry.name {
            throw UsageError("pace", "manual is for serve")
        }
    }

    /// Notes what the options and the targets have that an earlier release had, each once; two options that are one now must agree.
    private mutating func noteFormer(_ options: [ArgumentReader.Given]) throws(UsageError) {
        var last: [String: ArgumentReader.Given] = [:]
        for given in options {
            guard let former = given.former else { continue }
            if last.updateValue(given, forKey: former.name) == nil {
                notices.append(FormerNotice.text(given.spelling, former.advice))
            }
            let other = last.values.first {
                $0.option.name == given.option.name && $0.former?.name != former.name && $0.value != given.value
            }
            guard let other else { continue }
            let error = UsageError(
                "\(other.spelling) and \(given.spelling) are one \(given.option.long) now: give both the same value")
            throw other.isOfFile && given.isOfFile ? error.ofConfiguration : error
        }
        for parameter in settings.publishing.targets.compactMap(\.former) {
            let notice = FormerNotice.text(parameter.spelling, parameter.advice)
            if !notices.contains(notice) { notices.append(notice) }
        }
    }

    /// Returns the configuration, or `nil` if the user's own cannot be found.
    ///
    /// - Parameter obstacle: Becomes the reason why it cannot be found, if that is another one than that there is none.
    private static func configuration(
        for command: CommandName, _ place: ConfigurationPlace,
        _ read: (String) throws(SystemFailure) -> ConfigurationText,
        _ exists: (String) -> Bool, _ obstacle: inout String?
    ) throws(UsageError) -> ConfigurationFile? {
        let content: ConfigurationText
        do throws(SystemFailure) { content = try read(place.path) } catch {
            // HOME can be that of another user, as under sudo, whose folders this one may not search.
            guard !place.isNamed, !exists(place.path) else { throw UsageError(unreadable: place.path, error) }
            if ![ENOENT, ENOTDIR].contains(error.code) { obstacle = UsageError(unreadable: place.path, error).message }
            return nil
        }
        if let refusal = content.refusal { throw UsageError(configuration: refusal.printable) }
        return try ConfigurationFile(content.text, name: place.path, command: command)
    }

    /// Returns the settings: each option overrides those before it.
    private static func settings(
        for command: CommandName, _ options: [ArgumentReader.Given]
    ) throws(UsageError) -> Settings {
        var settings = Settings()
        for given in options {
            guard given.isTaken(by: command) else {
                if command == ExportCommand.entry.name, given.option.name == "units" {
                    throw UsageError("export has \(unitsOfTables)")
                }
                throw UsageError(
                    "\(command.rawValue) does not take \(given.spelling); it is an option of "
                        + EnglishList.and(given.commands.map(\.rawValue)))
            }
            do throws(UsageError) { try given.option.apply(given.value ?? "", &settings) } catch {
                let error = error.named(given.spelling, given.value ?? "")
                throw given.isOfFile ? error.ofConfiguration : error
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
        if source.isFleet { output.events.everyReceiver = true }
        if !source.isLive, command.entry.readsAtOnce { reading.pace = reading.pace ?? .max }
        guard source.takesPassword else { return }
        reading.password = environment[SecretFile.passwordVariable].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Invocation {
    /// Checks that a password is given for a source or a target that takes one, and for one server only.
    fileprivate func checkPassword(_ options: [ArgumentReader.Given]) throws(UsageError) {
        if settings.publishing.targets.isEmpty, !source.takesPassword,
            options.contains(where: { $0.option.name == "password-file" })
        {
            throw UsageError(
                "password-file", "is for a broker or a TARGET, and \(source.description.printable) is neither")
        }
        guard source.corrections?.user != nil, settings.publishing.targets.contains(where: \.takesPassword)
        else { return }
        throw UsageError(
            "one password cannot be for the caster of the corrections and for a TARGET: give the receiver its corrections "
                + "in 'locwatch serve', and publish from that")
    }

    /// Checks that a template names only fences that there are.
    fileprivate func checkFences() throws(UsageError) {
        let names = settings.fences.map(\.name)
        for name in settings.output.format.fences where !names.contains(name) {
            let meant = Spelling.nearest(to: name, among: names).map { " (did you mean \($0.printable)?)" } ?? ""
            throw UsageError("format", "names the fence \(name.printable), which no --fence declares\(meant)")
        }
    }

    /// Checks that the form of the output has the units that are asked for.
    fileprivate func checkUnits() throws(UsageError) {
        guard given.contains("units"), settings.output.carries(.columns) else { return }
        throw UsageError(of: "units", "csv", message: "--csv has \(unitsOfTables)")
    }

    /// Checks that there is something to keep, and that it happens once: the monitor plays a recording again from its beginning to get back.
    fileprivate func checkState() throws(UsageError) {
        guard settings.reactions.state != nil else { return }
        if source.isFleet, settings.fences.isEmpty {
            throw UsageError(
                "state",
                "keeps the fences of a fleet, and there is no --fence; \(source.description.printable) has no distance")
        }
        guard command == MonitorCommand.entry.name, !source.isLive else { return }
        throw UsageError(of: "state", message: "monitor takes --state only for a running session")
    }

    /// Whether the command can follow the source: `devices` any, and the others a file that can grow.
    private var canFollow: Bool { command == DevicesCommand.entry.name || source.recording?.isCompressed == false }

    /// Checks that a file is followed, and not another source.
    fileprivate func checkFile() throws(UsageError) {
        guard settings.reading.follows, !canFollow else { return }
        if source.recording != nil {
            throw UsageError(
                "follow",
                "cannot wait for more of a compressed file, and \(source.place.printable) is one; follow the file before it is compressed"
            )
        }
        throw UsageError("follow", "is for a file that is being written, not for \(source.description.printable)")
    }
}
