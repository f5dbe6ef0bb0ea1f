import LocationCore
import GPSDProtocol
package import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The parsed arguments, combined with the configuration.
package struct Invocation: Hashable, Sendable {
    package var command: CommandName
    /// The word after the command, if it takes one: a file, a format, a topic.
    package var word: String?
    /// The words that follow, of a command that takes any number.
    package var rest: [String] = []
    /// The settings from the options and the configuration, with the source.
    package var settings = Settings()
    /// The options of the command line, and those of the configuration that fit.
    package var given: Set<OptionName> = []
    /// The lines about options and words of an earlier release, which the program prints at its start.
    package var notices: [String] = []

    package init(command: CommandName, word: String? = nil) { (self.command, self.word) = (command, word) }

    package var source: SourceWord {
        get { settings.source }
        set { settings.source = newValue }
    }
}

extension Invocation {
    /// Checks that the file to write, if any, is not the recording to read, and that it is not to be compressed.
    package func checkFileToWrite(_ path: String?) throws(UsageError) {
        guard let path, path != "-" else { return }
        if let program = DecodingProgram.decompressors.first(where: { path.lowercased().hasSuffix($0.ending) }) {
            throw UsageError(
                "locwatch writes no compressed files such as \(path.printable); compress the output, as in "
                    + "'locwatch \(command.rawValue) … | \(program.name) > FILE\(program.ending)'")
        }
        try UsageError.checkFolder(of: path)
        guard source.recording?.isSameFile(as: path) == true else { return }
        throw UsageError("\(path.printable) cannot be both the recording to read and the file to write")
    }

    /// Checks that the session is about one machine, as far as is known before; otherwise throws `error`.
    package func requireOneMachine(or error: @autoclosure () -> UsageError) throws(UsageError) {
        if source.isFleet { throw error() }
    }

    /// Checks that a template has positions to print and no satellites, that CSV has one kind of lines, that `--columns` is used only
    /// with positions in CSV, and `--no-header` only with CSV.
    package func checkOutput() throws(UsageError) {
        if !settings.output.events.locations, settings.output.carries(.positionsOnly) {
            throw UsageError(
                of: "states", "format",
                message:
                    "a template and influx have positions and --states none; --csv, --json and bars have changes of state"
            )
        }
        if settings.output.events.sky, settings.output.carries(.positionsOnly) {
            throw UsageError(
                of: "sky", "format",
                message: "a template and influx print no satellites; text, --csv and --json have those of --sky")
        }
        if settings.output.events.sky, !settings.output.events.locations, settings.output.carries(.columns) {
            throw UsageError(
                of: "sky", "states", "csv",
                message: "--csv has either changes of state or satellites: give --states or --sky")
        }
        if settings.output.omitsHeader, !settings.output.carries(.columns) {
            throw UsageError("no-header", "needs --csv")
        }
        if settings.output.sentences != nil { throw UsageError("columns", "with sentences is for 'export nmea'") }
        guard settings.output.columns != nil else { return }
        if !settings.output.carries(.columns) { throw UsageError("columns", "needs --csv") }
        if !settings.output.events.locations || settings.output.events.sky {
            throw UsageError(
                of: "states", "sky", "columns",
                message: "--columns selects columns of positions and cannot be combined with --states or --sky")
        }
    }
}

extension Invocation {
    package func checkHooks() throws(UsageError) {
        for hook in settings.reactions.hooks {
            let trigger = hook.trigger.spelling.printable
            guard hook.trigger.kind.concernsFence, !source.isFleet else { continue }
            let names = settings.fences.map(\.name)
            if names.isEmpty { throw UsageError("on", "\(trigger) needs a --fence") }
            guard let name = hook.trigger.fence, !names.contains(name) else { continue }
            let meant = Spelling.nearest(to: name, among: names).map { " (did you mean \($0.printable)?)" } ?? ""
            let remedy = Self.hasLimit(name, names) ? "--hook-limit limits a command" : "--fence declares one"
            throw UsageError("on", "\(trigger): there is no fence of this name\(meant); \(remedy)")
        }
    }

    /// Returns whether the name in a hook is one of `names` with a time after a slash, which was the limit of a command once.
    private static func hasLimit(_ name: String, _ names: [String]) -> Bool {
        guard let slash = name.lastIndex(of: "/"), names.contains(String(name[..<slash])) else { return false }
        return DurationText.read(String(name[slash...].dropFirst())) != nil
    }

    /// Checks that fences are given only together with hooks, for a command that does not report them.
    package func checkFencesAreForHooks() throws(UsageError) {
        guard !settings.fences.isEmpty, settings.reactions.hooks.isEmpty else { return }
        throw UsageError(
            of: "fence", message: "\(command.rawValue) takes --fence only for hooks, as in '--on enter:NAME=COMMAND'")
    }
}
