import Glibc
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The entry point that parses the arguments, runs the command and returns the exit code.
public enum Program {
    /// Runs the program with the arguments and the environment of the process.
    public static func run() -> Int32 {
        defer { Endings.waitAtExit() }
        StandardDescriptors.occupyAll()
        ProgramArguments.closeOtherDescriptors()
        if let shortage = UlimitWarnings.stack {
            Narrator(Console(environment: [:]), glyphs: .ascii).sayFailure("\(shortage)")
            return ExitCode.unavailable.rawValue
        }
        let environment = ProcessEnvironment.variables
        do {
            var context = try CommandContext(environment: environment, machine: ThisMachine())
            context.confine = { $0.apply() }
            CaughtSignals.announce(by: context.signals)
            do throws(UsageError) { return run(try arguments, context).rawValue } catch {
                context.narrator.sayFailure(lines: error.text)
                return error.code.rawValue
            }
        } catch {
            Narrator(Console(environment: environment), glyphs: .ascii).sayFailure("\(error)")
            return ExitCode.internalError.rawValue
        }
    }

    /// The arguments after the name of the program; one that is not UTF-8 would mean another file as a name.
    private static var arguments: [String] {
        get throws(UsageError) {
            var arguments: [String] = []
            for case let word? in ProgramArguments.all.dropFirst() {
                guard let text = String(validatingCString: word) else {
                    throw UsageError("an argument is not text in UTF-8: \(readable(word))")
                }
                arguments.append(text)
            }
            return arguments
        }
    }

    /// Returns an argument with the bytes that are not ASCII in hexadecimal.
    private static func readable(_ word: UnsafePointer<CChar>) -> String {
        UnsafeBufferPointer(start: word, count: strlen(word)).map { byte in
            let value = UInt8(bitPattern: byte)
            let isPlain = (0x20..<0x7F).contains(value)
            return isPlain ? String(UnicodeScalar(value)) : "\\x" + String(value, radix: 16)
        }.joined()
    }

    static func run(_ arguments: [String], _ context: CommandContext) -> ExitCode {
        if arguments.first == CompleteCommand.name { return CompleteCommand.run(arguments.dropFirst(), context) }
        do throws(UsageError) {
            let invocation = try Invocation.parse(
                arguments, environment: context.environment, exists: { access($0, F_OK) == 0 },
                read: { (path) throws(SystemFailure) in try ConfigurationText(readingFrom: path) })
            let session = CommandSession(invocation, context)
            if let obstacle = invocation.settings.configurationObstacle,
                invocation.settings.output.verbosity == .verbose
            {
                context.narrator.say("\(obstacle); it counts as absent")
            }
            for notice in invocation.notices { context.narrator.say(notice) }
            try OptionFiles.check(invocation.settings, context.environment)
            return CommandTable.command(invocation.command).run(session)
        } catch {
            context.narrator.sayFailure(lines: error.text)
            return error.code
        }
    }
}
