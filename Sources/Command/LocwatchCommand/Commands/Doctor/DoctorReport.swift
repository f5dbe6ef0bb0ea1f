import LocationCore
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The report of an examination by `doctor`: each finding as it is known, and the verdict.
final class DoctorReport: SessionHolder {
    let output: OutputChannel
    let session: CommandSession
    private let printer: DoctorPrinter
    private var findings: [(name: CheckName, finding: Finding)] = []
    /// The names that a report for others leaves out; `nil` if this report is for the user.
    private let redaction: Redaction?
    /// The end of a report for others.
    var appendix: (inout TextBuffer) -> Void = { _ in }

    /// - Parameter isLive: Whether the examination is a session, which waits for no reader.
    init(_ session: CommandSession, isLive: Bool = false) {
        self.session = session
        output = session.output(isLive: isLive)
        printer = DoctorPrinter(
            isJSON: session.settings.output.carries(.objects), usesColor: session.usesColor,
            width: session.context.console.outputColumns)
        redaction =
            session.settings.output.wantsReport
            ? Redaction(session.source, session.context.machine, environment: session.context.environment) : nil
    }

    /// Writes a part of the report.
    private func put(_ print: (inout TextBuffer) -> Void) throws(OutputFailure) {
        guard let redaction else { return try output.put { print(&$0) } }
        let text = redaction.text(TextBuffer.text(print))
        try output.put { $0.put(text) }
    }

    /// Prints the first line, the findings of an examination and the verdict, and returns the exit code.
    ///
    /// - Parameters:
    ///   - failed: The meaning of a fault in words.
    ///   - examine: Performs the checks; returns an exit code only if they were interrupted.
    func run(
        _ word: String, place: String, failed: String, _ examine: () throws(OutputFailure) -> ExitCode?
    ) -> ExitCode {
        do throws(OutputFailure) {
            if redaction != nil { try put { MachineReport(context.machine).put(into: &$0) } }
            try put { printer.start(word, place: place, into: &$0) }
            if let code = try examine() { return code }
            let diagnosis = Diagnosis(findings, failed: failed)
            try put { printer.end(diagnosis, at: context.clock.now.wall, into: &$0) }
            if redaction != nil { try put(appendix) }
            try output.finish()
            return diagnosis.code
        } catch {
            return session.fail(error)
        }
    }

    /// Reports checks that can block, as long as a server does not answer.
    func run<Evidence>(
        _ word: String, failed: String, on evidence: Evidence, _ checks: () -> [Check<Evidence>]
    ) -> ExitCode {
        run(word, place: word, failed: failed) { () throws(OutputFailure) in
            try output.flush()
            // No event can end a check that blocks.
            CaughtSignals.release()
            var checks = checks()
            try perform(&checks, on: evidence)
            return nil
        }
    }

    /// Performs checks up to one that waits, removes them, and prints their findings.
    func perform<Evidence>(_ checks: inout [Check<Evidence>], on evidence: Evidence) throws(OutputFailure) {
        while let check = checks.first {
            let finding = check.examine(evidence, context.machine)
            if finding.result == .wait { break }
            checks.removeFirst()
            if finding.result == .moot { continue }
            findings.append((check.name, finding))
            try put { printer.print(check.name.rawValue, finding, into: &$0) }
            // The remaining checks depend on this one and would only repeat the fault, except those of other topics.
            if finding.result == .fault { checks.removeAll { $0.name != check.name } }
        }
        try output.flush()
    }
}
