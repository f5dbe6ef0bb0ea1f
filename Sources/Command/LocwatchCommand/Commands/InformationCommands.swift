import LocationGPSD
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

/// The command `completions`, which prints a completion script for a shell.
enum CompletionsCommand: Command {
    static let entry = CommandEntry(
        "completions", operands: [.required("SHELL", .words(Shell.allCases.map(\.rawValue)))],
        summary: "print a completion script for bash, zsh or fish",
        examples: [
            "locwatch completions bash >~/.local/share/bash-completion/completions/locwatch": "bash",
            "locwatch completions zsh >~/.zfunc/_locwatch": "zsh, with ~/.zfunc in fpath",
            "locwatch completions fish >~/.config/fish/completions/locwatch.fish": "fish",
        ])

    static func run(_ session: CommandSession) -> ExitCode {
        session.show(Shell(rawValue: session.invocation.word ?? "")?.completions ?? "")
    }
}

/// The command `help`, which describes a command, the template names, hooks, the simulated receivers or the JSON schema.
enum HelpCommand: Command {
    static let entry = CommandEntry(
        "help", operands: [.optional("TOPIC", .topic)],
        summary: "describe a command, sources, targets, template, hooks",
        description: [
            "TOPIC is a command, sources, targets, template (for --format), hooks (for --on), sim (simulated receivers), faults (of "
                + "serve), receiver (its settings), safety, schema (of --json), or manual (for man -l -)."
        ],
        examples: [
            "locwatch help once": "describe a command",
            "locwatch help schema": "the JSON Schema of --json",
            "locwatch help manual | man -l -": "the manual page",
        ])

    static func check(_ invocation: Invocation) throws(UsageError) {
        if let word = invocation.word { _ = try HelpTopic(word: word) }
    }

    static func run(_ session: CommandSession) -> ExitCode {
        let topic = session.invocation.word.flatMap { try? HelpTopic(word: $0) }
        return session.show(
            (topic ?? .overview).text(
                width: session.context.console.pageColumns, isBrief: session.settings.output.wantsBriefHelp))
    }
}

/// The command `version`, which prints the version, and the release of libgps inside the program or beside it.
enum VersionCommand: Command {
    static let entry = CommandEntry(
        "version", options: ["verbose"],
        summary: "print the version of locwatch and of its libgps",
        description: [
            "With --verbose also the gpsd that private daemons run, and what decoders and private daemons cannot do, because "
                + "the kernel of this machine keeps them from it. SAFETY in the manual describes it."
        ],
        examples: [
            "locwatch version": "print the versions",
            "locwatch version -v": "and which gpsd is here, and what decoders cannot do",
        ])

    static func run(_ session: CommandSession) -> ExitCode {
        var text = "locwatch \(Version.number)" + (LibgpsVersion.library.map { " (libgps \($0))" } ?? "") + "\n"
        if session.settings.output.verbosity == .verbose {
            let machine = session.context.machine
            text += "gpsd: \(machine.gpsd?.description ?? "none")\n"
            let parts = machine.confinement
            text += "decoders and private daemons are confined: \(parts.isEmpty ? "no" : parts.description)\n"
            if let missing = parts.missing { text += "not confined on this machine: \(missing)\n" }
            text += "configuration: \(session.settings.configuration?.printable ?? "none")\n"
        }
        return session.show(Paragraph.wrapped(text, indent: 2, width: session.context.console.outputColumns))
    }
}

extension CommandSession {
    /// Prints a text and returns the exit code.
    func show(_ text: String) -> ExitCode {
        do throws(OutputFailure) { try context.console.print(text) } catch { return fail(error) }
        return .done
    }
}
