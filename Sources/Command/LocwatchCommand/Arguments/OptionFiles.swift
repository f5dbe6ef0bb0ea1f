import Glibc
import LocwatchArguments
import LocwatchPlatform

/// The files that options name and that a command reads.
enum OptionFiles {
    /// Throws the reason if one of the files cannot be opened, or is to be written in a folder of the system, before anything else is done.
    static func check(_ settings: Settings, _ environment: [String: String]) throws(UsageError) {
        let credentials = environment["CREDENTIALS_DIRECTORY"]
        let secrets = [settings.publishing.passwordFile, settings.serving.tokenFile].compactMap(\.self)
            .map { SecretFile.path($0, credentials: credentials) }
        for path in secrets + settings.certificates {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0 else { throw UsageError(unreadable: path, SystemFailure("read", code: errno)) }
            close(descriptor)
        }
        for path in settings.reactions.keptFiles + [settings.output.plot?.path].compactMap(\.self) {
            try UsageError.checkFolder(of: path)
        }
    }
}
