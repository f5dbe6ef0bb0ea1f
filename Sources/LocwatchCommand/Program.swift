import Glibc
import LocwatchArguments
import LocwatchDoctor
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The entry point that parses the arguments, runs the command and returns the exit code.
public enum Program {
    /// Runs the program with the arguments and the environment of the process.
    public static func run() -> Int32 {
        StandardDescriptors.occupyAll()
        let environment = ProcessEnvironment.variables
        do {
            var context = try CommandContext(environment: environment, machine: ThisMachine())
            context.confine = { $0.apply() }
            CaughtSignals.announce(by: context.signals)
            return run(Array(CommandLine.arguments.dropFirst()), context).rawValue
        } catch {
            Console(environment: environment).say("locwatch: \(error)\n", .error)
            return ExitCode.internalError.rawValue
        }
    }

    /// Runs the command that `arguments` name.
    static func run(_ arguments: [String], _ context: CommandContext) -> ExitCode {
        do throws(UsageError) {
            let invocation = try Invocation.parse(
                arguments, environment: context.environment, exists: { access($0, F_OK) == 0 },
                read: FileText.contents(of:))
            try OptionFiles.check(invocation.settings, context.environment)
            return CommandTable.command(invocation.command).run(invocation, context)
        } catch {
            context.console.say(error.text, .error)
            return error.code
        }
    }
}
