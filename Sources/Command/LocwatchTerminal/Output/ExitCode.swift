import Glibc
package import LocationCore
package import LocwatchPlatform

/// The exit codes of the program.
package enum ExitCode: Int32, CaseIterable, Hashable, Sendable {
    case done = 0
    /// The answer to a question is no, although nothing went wrong.
    case negative = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case internalError = 70
    case cannotCreate = 73
    case writingFailed = 74
    case noFix = 75
    case notGPSD = 76
    case denied = 77
    case configuration = 78

    /// The code for an error that ends the program.
    package init(for error: LocationError) {
        self =
            switch error {
            case .script: .usage
            case .deviceUnusable(_, .missing), .deviceUnusable(_, .notASerialDevice): .noInput
            case .deviceUnusable(_, .notPermitted): .denied
            case .unreachable, .streamUnavailable, .unresolvable, .connectionLost, .daemon, .daemonUnavailable,
                .deviceUnknown, .deviceUnusable, .broker, .programMissing, .libraryMissing:
                .unavailable
            case .notGPSD: .notGPSD
            case .denied: .denied
            case .unreadable: .noInput
            case .notASession, .notARawLog, .damaged, .notATrack, .untimedTrack: .badData
            case .noFix: .noFix
            default: .internalError
            }
    }

    /// The code for a file of the user that cannot be read.
    package init(reading failure: SystemFailure) {
        self = [EACCES, EPERM].contains(failure.code) ? .denied : .noInput
    }

    /// The code for a port that cannot be taken, or a socket that cannot be reached.
    package init(connecting failure: SystemFailure) {
        self = [EACCES, EPERM].contains(failure.code) ? .denied : .unavailable
    }

    /// The meaning of the code, for the manual.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .negative:
            "the position is outside every --fence of 'once'; the receiver has not taken the rate of 'devices --rate', and was asked "
                + "for the one before again"
        case .usage: "the arguments are wrong"
        case .badData:
            "the file is damaged, or neither a gpsd recording nor a receiver's log nor a track with times. A file that only ends "
                + "too early is read up to its end, without an error if it is not compressed; of a GeoJSON only whole lines are. "
                + "Or a queue of 'publish' was written by another version. Or the file of --tiles has no "
                + "pictures. Or the server has refused a word of 'control', and its answer says why"
        case .noInput:
            "no such file or serial device; a file with a password or a token is empty, or others can read it"
        case .unavailable:
            "no gpsd or broker can be reached, or it cannot serve; the receiver of --device is not there; a target lacks records at "
                + "the end; a library or a program is missing"
        case .internalError: "an internal error in locwatch"
        case .cannotCreate: "the output cannot be created; the queue of 'publish' cannot be used"
        case .writingFailed:
            "writing failed, as on a full disk. Or the output was too slow, so that lines or positions of a live session were lost; "
                + "what an option leaves out is not lost"
        case .noFix:
            "no position of the requested quality within --timeout. Or no position at all until the end of a recording or of "
                + "--duration, for the commands that are of no use without one, which are watch, once, export and publish. Or no "
                + "comparison of the clocks for time"
        case .notGPSD: "the server that answers is not a gpsd"
        case .denied: "permission denied"
        case .configuration: "the configuration file is wrong, or others can write it"
        }
    }
}
