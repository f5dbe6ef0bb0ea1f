import Glibc
import LocationPublishing
import LocwatchArguments
import LocwatchPlatform
import LocwatchSession
import LocwatchTerminal

extension StartFailure {
    /// Creates the reason for a publisher that cannot begin.
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
