import LocationCore
import LocationGPSD

/// An error for people: what happened, and what to do next.
struct ErrorText: Hashable {
    /// What happened, without a full stop; control characters that came from outside are made visible.
    let message: String
    /// What to do next, where there is something.
    let advice: String?

    init(_ error: LocationError) {
        let (message, advice) = ErrorText.words(for: error)
        self.message = message.printable
        self.advice = advice?.printable
    }

    /// The lines for standard error.
    var lines: String {
        "locwatch: \(message)\n" + (advice.map { "locwatch: \($0)\n" } ?? "")
    }

    private static func words(for error: LocationError) -> (String, String?) {
        switch error {
        case .unreachable(let host, let port, let cause):
            ("no gpsd at \(place(host, port)): \(cause)", unreachableAdvice(host))
        case .unresolvable(let host, let port, let cause):
            ("cannot find \(place(host, port)): \(cause)", unresolvableAdvice(host))
        case .notGPSD(let host, let port, let answer):
            (
                answer.isEmpty
                    ? "what answers at \(place(host, port)) is no gpsd: it says nothing"
                    : "what answers at \(place(host, port)) is no gpsd: it says \"\(answer)\"",
                "check the port: gpsd's is 2947"
            )
        case .connectionLost(let host, let port, let cause):
            ("lost the connection to \(place(host, port)): \(cause)", "was gpsd stopped? 'locwatch doctor' finds out")
        case .denied(let what, let cause):

            (
                "not permitted: \(what): \(cause)",
                "'ls -l' shows who may read a file, 'locwatch doctor' what a receiver needs"
            )
        case .daemon(let message): ("gpsd says: \(message)", nil)
        case .deviceUnknown(let path, let known):
            (
                "gpsd has no receiver \(path)"
                    + (known.isEmpty ? "" : "; it has \(EnglishList.and(known.map(\.printable)))"),
                known.isEmpty ? "'locwatch devices' lists those that it has" : nil
            )
        case .deviceUnusable(let path, let fault): words(for: fault, at: path)
        case .daemonUnavailable(let cause):
            (
                "cannot start a gpsd of its own: \(cause)",
                "a serial receiver is read through gpsd: install it, as in 'sudo apt install gpsd'"
            )
        case .unreadable(let path, let cause): ("cannot read \(name(path)): \(cause)", nil)
        case .notASession(let path, let line, let cause):
            (
                "\(name(path)) is no gpsd session: " + (line > 0 ? "line \(line): " : "") + cause,
                "a session is what 'locwatch record' or 'gpspipe -w' writes"
            )
        case .noFix(let shortfall): words(for: shortfall)
        case .cancelled: ("cancelled", nil)
        case .other(_, let message): (message, nil)
        }
    }

    private static func place(_ host: String, _ port: String) -> String { GPSDEndpoint(host: host, port: port).place }

    private static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

    private static func unreachableAdvice(_ host: String) -> String {
        GPSDEndpoint(host: host).isLocal
            ? "is gpsd installed and running? try 'sudo systemctl start gpsd.socket', or 'locwatch doctor'"
            : "gpsd listens to its own machine only, unless it was started with -G there; a firewall may stand between"
    }

    private static func unresolvableAdvice(_ host: String) -> String {
        if case .command(let meant) = MistakenHost(host) {
            return "if a command was meant: did you mean 'locwatch \(meant)'?"
        }
        return "check the name; a file is named with a slash, as in ./\(host)"
    }

    private static func words(for fault: LocationError.DeviceFault, at path: String) -> (String, String?) {
        switch fault {
        case .missing:
            ("there is no \(path)", "is the receiver plugged in? 'ls -l /dev/serial/by-id' lists those that are")
        case .notPermitted:
            (
                "\(path) may not be opened",
                "join the group that owns it, as in 'sudo usermod -aG dialout $USER', and log in again"
            )
        case .busy(let holder):
            (
                "\(path) is in use" + (holder.map { " by \($0)" } ?? ""),
                "stop what holds it; if that is gpsd, leave the path out and ask gpsd"
            )
        case .notASerialDevice: ("\(path) is no serial line", "give a device such as /dev/ttyACM0 or /dev/ttyUSB0")
        case .system(let cause): ("cannot use \(path): \(cause)", nil)
        }
    }
}
