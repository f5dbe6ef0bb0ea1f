import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The printer of the steps to a target or a fleet, with the verdict.
struct StepPrinter {
    private let settings: Settings
    private let context: CommandContext

    init(_ settings: Settings, _ context: CommandContext) {
        self.settings = settings
        self.context = context
    }

    /// Prints the findings and returns the exit code.
    ///
    /// - Parameters:
    ///   - word: The word of the target or the fleet.
    ///   - failed: The meaning of a fault in words.
    ///   - results: Performs the steps.
    func print(_ word: String, _ failed: String, _ results: () -> [TargetDoctor.Result]) -> ExitCode {
        let printer = DoctorPrinter(
            isJSON: settings.output.carries(.objects), usesColor: context.usesColor(settings),
            width: context.console.outputColumns)
        let output = OutputChannel(context.console, .complete)
        do throws(OutputFailure) {
            try output.put { printer.start(word, place: word, into: &$0) }
            try output.flush()
            // A step blocks until the server answers, and no event can end it.
            CaughtSignals.release()
            let results = results().map { (name: $0.step.rawValue, finding: $0.finding) }
            for (name, finding) in results { try output.put { printer.print(name, finding, into: &$0) } }
            let diagnosis = Diagnosis(ofSteps: results, failed: failed)
            try output.put { printer.end(diagnosis, at: context.clock.now.wall, into: &$0) }
            try output.finish()
            return diagnosis.code
        } catch {
            return CommandSession(context, settings).fail(error)
        }
    }
}
