import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession

extension CommandName {
    /// Returns whether the command reads the configuration, whose mistakes must not keep anybody from the help.
    func readsConfiguration(_ given: [ArgumentReader.Given]) -> Bool {
        switch self {
        case HelpCommand.entry.name, CompletionsCommand.entry.name: false
        case VersionCommand.entry.name: given.contains { $0.option.name == "verbose" }
        default: true
        }
    }
}

extension Invocation {
    /// Returns whether an option that is in force can only be that of the configuration.
    private func isOfFile(_ option: OptionName) -> Bool { !given.contains(option) }

    /// Passes over the options of the configuration that do not fit this invocation, as they fit others.
    ///
    /// On the command line they are mistakes, which the checks name.
    mutating func passOverConfiguration() {
        let exported = command == ExportCommand.entry.name ? ExportCommand.format(of: self) : nil
        passOverLines()
        passOverPictures()
        if isOfFile("follow"), !canFollow { settings.plan.follows = false }
        if isOfFile("pace"), command != ServeCommand.entry.name { settings.serving.testing.hasManualClock = false }
        if isOfFile("columns") {
            let fits = settings.output.columns != nil && settings.output.events.locations && !settings.output.events.sky
            let isExported = settings.output.columns == nil ? exported?.choosesSentences : exported?.choosesColumns
            if isExported != true, !fits || !settings.output.carries(.columns) { settings.output.chosenColumns = nil }
        }
        if isOfFile("no-header") {
            let isExported = exported?.choosesColumns == true && settings.file.path == nil
            if !isExported, !settings.output.carries(.columns) { settings.output.omitsHeader = false }
        }
        if isOfFile("all-devices"), exported?.receivers == .nowhere { settings.output.events.everyReceiver = false }
        // For once a fence decides about the exit code, and record and export have them for hooks only.
        let isForHooks = [RecordCommand.entry.name, ExportCommand.entry.name].contains(command)
        if isOfFile("fence"), command == OnceCommand.entry.name || isForHooks && settings.plan.hooks.isEmpty {
            settings.fences = []
            if isOfFile("format"), !settings.output.format.fences.isEmpty { settings.output.format = .text }
        }
        // A fence of the command line replaces the one of the file, which comes first.
        for (index, fence) in settings.fences.enumerated().reversed()
        where settings.fences[(index + 1)...].contains(where: { $0.name == fence.name }) && !isOfFile("fence") {
            settings.fences.remove(at: index)
        }
    }

    /// Passes over a template, `states` or `sky` of the configuration where the command line asks for lines of another kind.
    private mutating func passOverLines() {
        let asksForOthers = given.contains("states") || given.contains("sky")
        if asksForOthers, isOfFile("format"), settings.output.carries(.positionsOnly) { settings.output.format = .text }
        if given.contains("units"), isOfFile("csv"), settings.output.carries(.columns) {
            settings.output.format = .text
        }
        let isTemplate = settings.output.carries(.positionsOnly)
        let isCSV = settings.output.carries(.columns)
        let hasColumns = given.contains("columns")
        let hasOthers = isTemplate && given.contains("format") || isCSV && (given.contains("sky") || hasColumns)
        if isOfFile("states"), hasOthers {
            settings.output.events.locations = true
        }
        if isOfFile("sky"), isTemplate || isCSV && (!settings.output.events.locations || hasColumns) {
            settings.output.events.sky = false
        }
    }

    /// Passes over a plot or a point of the configuration that the format or the source of the command line does not have.
    private mutating func passOverPictures() {
        if given.contains("plot") {
            if isOfFile("plot-file") { settings.output.plot = .terminal }
            if isOfFile("json"), settings.output.plot == .terminal, settings.output.carries(.objects) {
                settings.output.format = .text
            }
        } else if settings.output.plot != nil, isOfFile("plot-file") {
            let isText = settings.output.plot == .terminal
            if isText && settings.output.carries(.objects) || source.namesSubjects { settings.output.plot = nil }
        }
        let reference = settings.output.events.reference
        if reference != nil, isOfFile("reference"), command == StatsCommand.entry.name, source.namesSubjects {
            settings.output.events.reference = nil
        }
    }
}
