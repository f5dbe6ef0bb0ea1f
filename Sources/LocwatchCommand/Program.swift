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
            if let name = unreadableArgument {
                context.console.say(UsageError("an argument is not text in UTF-8: \(name)").text)
                return ExitCode.usage.rawValue
            }
            return run(Array(CommandLine.arguments.dropFirst()), context).rawValue
        } catch {
            Console(environment: environment).say("locwatch: \(error)\n", .error)
            return ExitCode.internalError.rawValue
        }
    }

    /// The first argument that is not UTF-8, with its other bytes in hexadecimal; as a name it would mean another file.
    private static var unreadableArgument: String? {
        for index in 0..<Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[index], String(validatingCString: word) == nil else { continue }
            return UnsafeBufferPointer(start: word, count: strlen(word)).map { byte in
                let value = UInt8(bitPattern: byte)
                let isPlain = (0x20..<0x7F).contains(value)
                return isPlain ? String(UnicodeScalar(value)) : "\\x" + String(value, radix: 16)
            }.joined()
        }
        return nil
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
