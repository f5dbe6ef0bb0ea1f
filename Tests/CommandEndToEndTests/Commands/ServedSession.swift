import Glibc
import Testing

/// A recording that the program serves again and again on a port of this machine, with the dates of the present.
final class ServedSession {
    private let server: Locwatch
    let source: String

    init(_ recording: String, pace: String) async throws {
        let port: String
        (server, port) = try await Locwatch.serving("--pace \(pace) --loop --redate \(recording)")
        source = "127.0.0.1:\(port)"
    }

    /// Waits until another client has received some new positions, as those before it have then.
    func wait(positions count: Int) async throws {
        let run = try await Locwatch.run("$LW -j -n \(count) \(source)")
        #expect(run.code == 0, "\(run.errors)")
    }

    deinit { server.signal(SIGTERM) }
}
