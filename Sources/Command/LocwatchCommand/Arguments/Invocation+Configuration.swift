import LocationCore
import LocationTracks
import LocwatchArguments
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
    /// Passes over the options of the configuration that do not fit this invocation, as they fit others.
    ///
    /// On the command line they are mistakes, which the checks name.
    mutating func passOverConfiguration() {
        func isOfFile(_ option: OptionName) -> Bool { !given.contains(option) }
        let exported = command == ExportCommand.entry.name ? ExportCommand.format(of: self) : nil
        if isOfFile("follow"), source.recording?.isCompressed ?? true { settings.plan.follows = false }
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
        }
        // A fence of the command line replaces the one of the file, which comes first.
        for (index, fence) in settings.fences.enumerated().reversed()
        where settings.fences[(index + 1)...].contains(where: { $0.name == fence.name }) && !isOfFile("fence") {
            settings.fences.remove(at: index)
        }
    }
}
