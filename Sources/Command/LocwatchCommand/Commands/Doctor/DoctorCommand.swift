import LocwatchArguments
import LocwatchSession
import LocwatchTerminal

/// The command `doctor`, which finds out why there is no fix and explains what to do.
enum DoctorCommand: Command {
    static let entry = CommandEntry(
        "doctor", operands: [.sourceOrTarget(or: GeoClueWay.word)],
        options: [
            "color", "device", "device-name", "header", "json", "quiet", "report", "stale", "timeout", "verbose",
        ],
        summary: "find out why there is no fix, and what to do",
        description: [
            "Checks the daemon, the receivers, the signals and the clock in turn, without changing anything, and says "
                + "what to do about the first fault. The exit code reports the fault too.",
            "A SOURCE must be live: a gpsd, a receiver, a stream or a fleet. About a file 'locwatch stats' tells more.",
            "For a TARGET of publish it checks each step to it, and for MQTT whether a message to the topic comes back, because "
                + "a broker forbids silently. No position is sent. For a fleet it checks whether devices report.",
            "With corrections (/dev/ttyACM0?corrections=URL) it checks for up to 40 seconds whether the caster sends them and the "
                + "receiver uses them. For geoclue it checks the way to the programs of a desktop.",
        ],
        examples: [
            "locwatch doctor": "why is there no fix?",
            "locwatch doctor pi.local": "on another machine",
            "locwatch doctor mqtt://broker.example/owntracks/anna/boat": "do positions arrive at a target?",
            "locwatch doctor --report": "a text for a bug report, without a position and without names",
            "locwatch doctor geoclue": "do the programs of the desktop get the position?",
        ], overview: [0])

    static func check(_ invocation: Invocation) throws(UsageError) {
        guard invocation.settings.output.wantsReport else { return }
        if invocation.word == GeoClueWay.word || !invocation.settings.publishing.targets.isEmpty
            || invocation.source.fleet != nil
        {
            throw UsageError("report", "is about a gpsd or a receiver")
        }
        guard !invocation.settings.output.carries(.objects) else {
            throw UsageError("--report is a text, so --json cannot apply")
        }
    }

    static func run(_ session: CommandSession) -> ExitCode {
        if session.invocation.word == GeoClueWay.word { return GeoClueWay(session).run() }
        if !session.settings.publishing.targets.isEmpty { return TargetDoctor.run(session) }
        guard session.source.isLive else {
            session.narrator.sayFailure(refusal(of: session.source))
            return .usage
        }
        var session = session
        // The first failure is a finding, so the session must not retry.
        session.settings.reading.reconnects = false
        return session.source.fleet.map { FleetDoctor($0, session).run() } ?? SessionDoctor(session).run()
    }

    /// Returns why a source that is not live is not checked.
    private static func refusal(of source: SourceWord) -> String {
        if let path = source.recording?.path, ThisMachine().file(path)?.isDevice == true {
            return "\(path.printable) is read as a log, because it is not in /dev; to check the receiver use "
                + ShellWords.quoted("serial:\(path)").printable
        }
        return "doctor checks a gpsd or a receiver; for a recording use 'locwatch stats'"
    }
}
