package import LocationCore
import LocationGPSD
import LocationPublishing
package import LocwatchArguments
import LocwatchTerminal

/// An error as people read it: the message, and advice on what to do next.
package struct ErrorText: Hashable {
    /// The message, without a full stop; hidden characters from outside are shown as visible text.
    package let message: String
    /// Advice on what to do next, if any.
    package var advice: String?

    /// - Parameter source: The source of the session, which advice repeats.
    package init(_ error: LocationError, of source: SourceWord = .standard) {
        message = ErrorText.message(for: error)
        advice = ErrorText.advice(for: error, of: source)?.printable
    }

    /// The lines for standard error.
    package var lines: String {
        "locwatch: \(message)\n" + (advice.map { "locwatch: \($0)\n" } ?? "")
    }

    private static func message(for error: LocationError) -> String {
        switch error {
        case .unreadable("-", let cause):
            LocationError.unreadable(path: "standard input", cause: cause).description
        case .notASession("-", let line, let cause):
            LocationError.notASession(path: "standard input", line: line, cause: cause).description
        case .noFix(let shortfall): message(for: shortfall)
        default: error.description
        }
    }

    private static func advice(for error: LocationError, of source: SourceWord) -> String? {
        switch error {
        case .unreachable(let host, _, _): unreachableAdvice(host, of: source)
        case .streamUnavailable: streamAdvice(source)
        case .unresolvable where source.endpoint == nil: "check the host name"
        case .unresolvable(_, _, LocationError.unknownService):
            "check the port: a number, or the name of a service in /etc/services"
        case .unresolvable(let host, _, _): unresolvableAdvice(host)
        case .notGPSD: "check the port; the default of gpsd is 2947"
        case .connectionLost where source.endpoint == nil: nil
        case .connectionLost: source.doctor.map { "was gpsd stopped? run \($0) to check" }
        case .denied(let what, _) where what.hasPrefix(LocationError.brokerConnection):
            "give the user in the source, as in mqtt://USER@HOST, and the password in LOCWATCH_PASSWORD or --password-file"
        case .denied(let what, _) where what.hasPrefix(LocationError.brokerSubscription):
            "allow the user to read the topic at the broker, or choose another filter"
        case .denied:
            source.doctor.map { "check the rights with \($0)" } ?? "check the rights of the file with 'ls -l'"
        case .deviceUnknown(_, let known):
            known.isEmpty ? "run \(source.line("devices")) to list gpsd's receivers" : nil
        case .deviceUnusable(_, let fault): advice(for: fault)
        case .daemonUnavailable(let cause) where !cause.hasPrefix(LocationError.missingGPSD): nil
        case .daemonUnavailable:
            "a serial receiver is read through gpsd; install it, as in 'sudo apt install gpsd'"
        // A recording was read line by line, and none of the lines was of use.
        case .notASession(let path, let line, _) where line > 0:
            "if it is the log of a receiver, read it as \(ShellWords.quoted("raw:\(path == "standard input" ? "-" : path)"))"
        case .notASession:
            "a recording is what 'locwatch record' or 'gpspipe -w' writes, or the log of a receiver, such as NMEA or UBX"
        case .noFix(let shortfall): advice(for: shortfall, of: source)
        case .programMissing(_, let package): "install it, as in 'sudo apt install \(package)'"
        case .damaged(_, let cause) where isCorruption(cause):
            "values near the damage can be wrong, because it is found only after they have been read"
        case .damaged: "what could be read before the damage has been read"
        case .untimedTrack: "give them times with a speed, as in 'ride.gpx?speed=50km/h'"
        case .daemon, .unreadable, .unwritable, .notATrack, .rawLog, .notARawLog, .libraryMissing, .script, .system,
            .cancelled, .broker, .locationUnknown, .other:
            nil
        }
    }

    /// Returns whether a decompressor says that data are wrong, and not that their end is missing.
    private static func isCorruption(_ cause: String) -> Bool {
        let cause = cause.lowercased()
        return ["invalid", "corrupt", "checksum", "crc"].contains { cause.containsBytes(of: $0) }
    }

    private static func streamAdvice(_ source: SourceWord) -> String? {
        guard let stream = source.stream else { return nil }
        return stream.scheme == .udp
            ? "the address must be one of this machine, and no other program may receive at the port"
            : "check that the server runs and accepts connections there, and that no firewall blocks the port"
    }

    private static func unreachableAdvice(_ host: String, of source: SourceWord) -> String {
        GPSDEndpoint(host: host).isLocal
            ? "is gpsd installed and running?\(source.doctor.map { " \($0) finds out" } ?? "")"
            : "gpsd accepts remote connections only if started with -G; a firewall can also block the port"
    }

    private static func unresolvableAdvice(_ host: String) -> String {
        if let command = CommandName.meant(by: host) { return "did you mean the command 'locwatch \(command)'?" }
        return "check the host name; write a file name with a slash, as in ./\(host)"
    }

    private static func advice(for fault: LocationError.DeviceFault) -> String? {
        switch fault {
        case .missing: "is the receiver plugged in? 'ls -l /dev/serial/by-id' lists the connected ones"
        case .notPermitted:
            "join the group that owns it, and log in again; 'locwatch doctor' with the path names it"
        case .busy: "stop that program; if it is gpsd, omit the path to read from gpsd"
        case .notASerialDevice: "give a device such as /dev/ttyACM0 or /dev/ttyUSB0"
        case .system: nil
        }
    }
}

extension FailureRun {
    /// A message with the number of attempts, or `nil` if the failure was not repeated.
    package var countText: String? { count > 1 ? "\(ErrorText(error).message): failed \(count) times" : nil }
}
