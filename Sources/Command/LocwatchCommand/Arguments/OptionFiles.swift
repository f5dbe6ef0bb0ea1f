import Glibc
import LocwatchArguments
import LocwatchPlatform

/// The files that options name and that a command reads.
enum OptionFiles {
    /// Throws the reason if one of the files may not be read, or is to be written in a folder of the system, before anything else is done.
    static func check(_ settings: Settings, _ environment: [String: String]) throws(UsageError) {
        let credentials = environment["CREDENTIALS_DIRECTORY"]
        let secrets = [settings.publishing.passwordFile, settings.serving.tokenFile].compactMap(\.self)
            .map { SecretFile.path($0, credentials: credentials) }
        for path in secrets + settings.certificates {
            // To open a pipe would release its writer, whose text would be lost.
            guard faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0 else {
                throw UsageError(unreadable: path, SystemFailure("read", code: errno))
            }
        }
        for path in settings.reactions.keptFiles + [settings.output.plot?.path].compactMap(\.self) {
            try UsageError.checkFolder(of: path)
        }
    }
}
