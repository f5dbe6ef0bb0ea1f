import Glibc
import LocationPublishing
import LocationTransports
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// A reason for which `publish` cannot begin, with its exit code.
struct PublishFailure: Error {
    /// The lines for standard error.
    let text: String
    let code: ExitCode

    init(_ message: String, _ code: ExitCode) {
        text = "locwatch: \(message.printable)\n"
        self.code = code
    }

    init(_ error: UsageError) {
        text = error.text
        code = error.code
    }

    init(_ error: PublisherError) {
        let code: ExitCode =
            switch error.detail {
            case .queue(let error):
                switch error.fault {
                case .noSpace, .system("write", _, _): .writingFailed
                case .libraryMissing: .unavailable
                case .inUse, .system, .damaged: .cannotCreate
                }
            case .path(_, let failure) where [ENOSPC, EDQUOT].contains(failure.code): .writingFailed
            case .path: .cannotCreate
            case .port(_, let failure): ExitCode(listening: failure)
            case .http, .mqtt: .unavailable
            case .system: .internalError
            }
        self.init("\(error)", code)
    }
}
