import Platform

/// Runs the commands that have a source, each in a file of its own.
enum SessionCommands {
    static func run(
        _ command: Invocation.SessionCommand, _ settings: Settings, _ environment: [String: String]
    ) -> ExitCode {
        let session: CommandSession
        do throws(SystemFailure) { session = try CommandSession(settings, environment: environment) } catch {
            StandardStream.error.write("locwatch: \(error)\n")
            return .internalError
        }
        switch command {
        case .watch(let source): return WatchCommand(source, settings, environment).run(session)
        case .once(let source): return OnceCommand(source, settings, environment).run(session)
        case .record(let path, let source): return RecordCommand(source, to: path, settings).run(session)
        case .export(let format, let source):
            return ExportCommand(format, source, settings).run(session, environment)
        case .stats(let source): return StatsCommand(source, settings, environment).run(session)
        case .serve(let source): return ServeCommand(source, settings).run(session)
        case .doctor(let source): return DoctorCommand(source, settings, environment).run(session)
        case .devices(let source): return DevicesCommand(source, settings, environment).run(session)
        }
    }
}
