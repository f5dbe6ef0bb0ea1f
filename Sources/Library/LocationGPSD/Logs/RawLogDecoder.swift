import Glibc
package import LocationCore
package import GPSDProtocol
import LocwatchPlatform
import LocwatchSupport

/// A decoder of raw logs that passes their bytes through a private gpsd.
///
/// gpsd gets them from a pipe as its standard input: a pseudo-terminal would make it try the speeds of a line, which takes a second and
/// discards bytes, and a file gives it nothing. The pipe holds one piece, so that it shows when gpsd has read it.
package struct RawLogDecoder: LogDecoder {
    /// The sockets that were made in advance.
    private static let ready = Lock<[UnlinkedSocket]>([])
    /// The connections to one daemon: that of its start, and that of the reader.
    private static let connections = 2

    private let settings: PrivateGPSD.Settings

    package init(settings: PrivateGPSD.Settings = PrivateGPSD.Settings()) { self.settings = settings }

    /// The path of gpsd, if it is installed.
    package static var programs: [String] { GPSDProgram.path.map { [$0] } ?? [] }

    /// Makes the sockets of the next log, for a process that may make none any more when it has found out that it has a log.
    package static func prepare() {
        guard let socket = try? newSocket() else { return }
        ready.withLock { $0.append(socket) }
    }

    private static func newSocket() throws(SystemFailure) -> UnlinkedSocket {
        let socket = try UnlinkedSocket()
        try socket.connectEarly(connections)
        return socket
    }

    /// Starts a gpsd and a thread that passes the bytes through it.
    package func start(_ log: RawLog) throws(LocationError) -> any DecodingStage {
        // gpsd opens its standard input by the name /dev/stdin, which leads there.
        if access("/proc/self/fd", F_OK) != 0, errno == ENOENT {
            throw .daemonUnavailable(cause: "a raw log needs /proc; mount it")
        }
        var link = stat()
        // The link itself: where it leads depends on the process.
        if lstat(GPSDInput.standardInput, &link) != 0, errno == ENOENT {
            throw .daemonUnavailable(
                cause: "a raw log needs /dev/stdin; make it with: ln -s /proc/self/fd/0 /dev/stdin")
        }
        guard settings.programPath != nil else { throw .programMissing(name: "gpsd", package: "gpsd") }
        do throws(SystemFailure) {
            let prepared = Self.ready.withLock { $0.popLast() }
            let socket = if let prepared { prepared } else { try Self.newSocket() }
            return try LogStage(log, at: socket, settings: settings)
        } catch {
            throw .daemonUnavailable(cause: "\(error)")
        }
    }
}
