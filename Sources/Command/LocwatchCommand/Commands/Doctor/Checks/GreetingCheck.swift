import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check that the server is a gpsd.
enum GreetingCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        guard observation.source.endpoint != nil else { return .moot }
        if observation.hasAnswered { return greeted(observation, machine) }
        guard let failure = observation.failure else {
            return observation.isOver ? notGPSD("", observation, machine) : .wait
        }
        switch failure {
        case .notGPSD(_, _, let answer): return notGPSD(answer, observation, machine)
        case .connectionLost(_, _, let cause):
            return failing("\(observation.place) accepts the connection: \(cause)", .unavailable, observation, machine)
        default:
            let text = ErrorText(failure, of: observation.source)
            return .fault(
                ExitCode(for: failure), text.message, why: text.advice ?? "the session was interrupted",
                remedy: "try again: locwatch doctor\(observation.source.argument)")
        }
    }

    private static func greeted(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let found = "gpsd \(observation.release ?? "of an unknown release") answers"
        guard observation.isHere, observation.isStandardPort, let running = observation.release,
            let installed = machine.gpsd?.release, !running.isSameRelease(as: installed)
        else { return .ok(found) }
        return .remark(
            "\(found), but \(installed) is installed", why: "gpsd was upgraded, but the old one still runs",
            remedy: "sudo systemctl restart gpsd.service")
    }

    private static func notGPSD(_ answer: String, _ observation: Observation, _ machine: any ExaminedMachine) -> Finding
    {
        guard !answer.isEmpty else {
            return failing(
                "\(observation.place) accepts the connection but sends nothing", .notGPSD, observation, machine)
        }
        return .fault(
            .notGPSD, "\(observation.place) sends \"\(answer)\"", why: "that is another program, not gpsd",
            remedy: observation.isStandardPort
                ? "find the program: sudo ss -ltnp 'sport = :\(observation.port)'"
                : "try the usual port of gpsd: locwatch doctor \(observation.hostWord)")
    }

    /// Returns the fault of a server without a greeting; systemd accepts connections even for a gpsd that fails to start.
    private static func failing(
        _ found: String, _ code: ExitCode, _ observation: Observation, _ machine: any ExaminedMachine
    ) -> Finding {
        guard observation.isHere else {
            return .fault(
                code, found,
                why: "a gpsd greets as soon as its receivers are open: this one has failed, or it is another program",
                remedy: "on \(observation.host): locwatch doctor, or journalctl -u gpsd.service -n 20")
        }
        if machine.unit("gpsd.socket")?.isActive == true, machine.unit("gpsd.service")?.isActive != true {
            return .fault(
                .unavailable, found, why: "systemd accepts connections for gpsd, but gpsd does not start",
                remedy: "see why: journalctl -u gpsd.service -n 20 --no-pager",
                "check DEVICES and GPSD_OPTIONS in /etc/default/gpsd, then: sudo systemctl restart gpsd.socket")
        }
        return .fault(
            code, found,
            why: "a gpsd greets as soon as its receivers are open: this one hangs or ends, or it is another program",
            remedy: "find the program: sudo ss -ltnp 'sport = :\(observation.port)'",
            "if it is gpsd: sudo systemctl restart gpsd.service")
    }
}
