import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// A consumer whose JSON, if it was requested, has a first line, the failures of the session, and a last line.
protocol FramedConsumer: SessionHolder, PrintingConsumer {
    var json: JSONPrinter { get set }
    var loop: SessionLoop? { get set }
}

extension CommandSession {
    var json: JSONPrinter { JSONPrinter(precision: settings.output.precision, source: source) }
    /// The channel to standard output, in which JSON has the notices of dropped lines.
    var framedOutput: OutputChannel { output(settings.output.carries(.objects) ? json : nil) }
}

extension FramedConsumer {
    var isJSON: Bool { settings.output.carries(.objects) }

    func print(_ body: (inout JSONPrinter, inout TextBuffer) -> Void) throws(OutputFailure) {
        if isJSON { try output.put { body(&json, &$0) } }
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        self.loop = loop
        try print { JSONPrinter.putStart(source.description, into: &$1) }
    }

    /// Prints the failure that an event reports, if it is one.
    func printFailure(_ update: LocationUpdate) throws(OutputFailure) {
        guard case .failure(let error, let retry) = update.event else { return }
        try print { $0.print(error, retry: retry, at: update.moment, into: &$1) }
    }

    /// Prints the error with which the session ended, if any, and the last line, and completes the output.
    func printEnd(_ ending: Ending, locations: Int = 0) throws(OutputFailure) {
        // A long result that waits for the reader would be dropped for the last line.
        try output.finish()
        if let error = ending.error { try print { $0.print(error, at: ending.moment, into: &$1) } }
        let end = SessionEnd(time: ending.moment.wall, reason: ending.reason, locations: locations)
        try print { $0.end(end, into: &$1) }
        try output.finish()
    }
}
