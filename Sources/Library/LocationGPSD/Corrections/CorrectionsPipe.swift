import Glibc
import LocwatchPlatform

/// A named pipe through which a private gpsd reads corrections as from a second device.
///
/// gpsd 3.22 could open a caster itself, but connects to it in the thread that reads the receiver: positions would stop for
/// minutes whenever the caster does not accept a connection.
final class CorrectionsPipe: Sendable {
    let path: String
    private let folder: TemporaryFolder

    init() throws(SystemFailure) {
        folder = try TemporaryFolder("locwatch-corrections")
        path = folder.path + "/rtcm"
        guard mkfifo(path, 0o600) == 0 else {
            let code = errno
            folder.remove()
            throw SystemFailure("make a pipe in \(folder.path)", code: code)
        }
    }

    deinit { folder.remove() }

    /// Opens the pipe for writing; fails until gpsd has opened it.
    func openToWrite() -> Int32 { open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC) }
}
