/// Runs the commands that have a source, each in a file of its own.
enum SessionCommands {
    static func run(_ command: Invocation.SessionCommand, _ settings: Settings) async -> ExitCode {
        // The seam: `case .watch(let source): await WatchCommand(source, settings).run()`, and so on.
        _ = StandardStream.error.write("locwatch: this build has no live commands\n")
        return .internalError
    }
}
