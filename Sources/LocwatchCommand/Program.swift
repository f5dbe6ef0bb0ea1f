import Glibc
import Platform

/// The program: reads its arguments, does what they ask, and answers with an exit code.
public enum Program {
    /// Runs the program with the arguments and the environment of the process.
    public static func run() -> Int32 {
        StandardStream.occupyAll()
        let environment = ProcessEnvironment.variables
        let invocation: Invocation
        do {
            invocation = try Invocation.parse(Array(CommandLine.arguments.dropFirst()), environment: environment) {
                access($0, F_OK) == 0
            }
        } catch {
            StandardStream.error.write(error.text)
            return ExitCode.usage.rawValue
        }
        return run(invocation, environment).rawValue
    }

    private static func run(_ invocation: Invocation, _ environment: [String: String]) -> ExitCode {
        switch invocation {
        case .help(let topic): show(topic.text)
        case .version: show(Version.line)
        case .completions(let shell): show(shell.completions)
        case .run(let command, let settings): SessionCommands.run(command, settings, environment)
        }
    }

    private static func show(_ text: String) -> ExitCode {
        guard let failure = StandardStream.output.write(text) else { return .done }
        // As any program in a pipe does, also where whoever started it has the signal ignored.
        if failure == .readerGone { CaughtSignals.die(of: SIGPIPE) }
        StandardStream.error.write("locwatch: \(failure.message)\n")
        return .writingFailed
    }
}
