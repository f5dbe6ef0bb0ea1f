import LocationCore
import LocationGPSD
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check that corrections arrive and that the receiver uses them.
enum CorrectionsCheck {
    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        guard let source = observation.corrections else { return .moot }
        guard let status = observation.correctionsStatus else {
            guard observation.isOver else { return .wait }
            return .fault(
                .unavailable, "no answer from \("\(source)".printable) in \(observation.watched.spoken)",
                why: "the host is slow, or the receiver could not be opened",
                remedy: "wait longer: \(observation.command("-t 1m"))")
        }
        if let fault = status.fault { return missing(source, status, fault) }
        if let location = observation.positions.last(where: { $0.location.quality.isCorrected })?.location {
            return .ok(
                "corrections arrive from \(status.source.printable); the receiver uses them: \(location.qualityWords)"
            )
        }
        guard observation.isOver else { return .wait }
        return .remark(
            "corrections arrive from \(status.source.printable), but the receiver does not use them in "
                + observation.watched.spoken,
            why: "it needs some minutes, a better sky, or a closer base, or takes no RTCM 3 at this port",
            remedy: "wait longer under an open sky: \(observation.command("-t 5m"))",
            "look into its manual for RTCM 3 as input at this port; only receivers with RTK take it")
    }

    private static func missing(
        _ source: CorrectionsSource, _ status: CorrectionsStatus, _ fault: CorrectionsStatus.Fault
    ) -> Finding {
        func missing(_ code: ExitCode, _ remedy: String...) -> Finding {
            .fault(
                code, "no corrections from \(status.source.printable)",
                why: (status.cause ?? fault.rawValue).printable, remedy: remedy)
        }
        let host = (source.address?.host ?? "HOST").printable
        let port = source.address?.port ?? 2101
        return switch fault {
        case .unresolvable: missing(.unavailable, "check the name and the network: getent hosts \(host)")
        case .password:
            missing(
                .denied,
                "name the user in the URL, as in ntrip://USER@\(host):\(port)/MOUNT, and give the password with "
                    + "LOCWATCH_PASSWORD or --password-file")
        case .mountpoint:
            missing(.noInput, "choose a mountpoint of its table: curl -s --http0.9 http://\(host):\(port)/ | grep ^STR")
        case .answer, .content:
            missing(.notGPSD, "check the URL: a caster has a mountpoint of RTCM 3, and tcp:// sends nothing but RTCM 3")
        case .silent:
            missing(
                .unavailable,
                "a caster that computes corrections for a place needs a position first: wait for a fix",
                "ask the operator of the caster whether the base is on")
        case .pipe:
            missing(
                .noInput, "make the pipe, and start the program that writes into it: mkfifo \("\(source)".printable)")
        default: missing(.unavailable, "check the address, the port and the network: nc -vz \(host) \(port)")
        }
    }
}

extension FixQuality {
    /// Whether the fix has corrections.
    fileprivate var isCorrected: Bool { [.differential, .rtkFloat, .rtkFixed].contains(self) }
}
