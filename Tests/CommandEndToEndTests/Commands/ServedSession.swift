import Glibc

/// A recording that the program serves again and again on a port of this machine, with the dates of the present.
final class ServedSession {
    private let server: Locwatch
    let source: String

    init(_ recording: String, pace: String) async throws {
        let port: String
        (server, port) = try await Locwatch.serving("--pace \(pace) --loop --redate \(recording)")
        source = "127.0.0.1:\(port)"
    }

    deinit { server.signal(SIGTERM) }
}
