import Dispatch
import Glibc

/// Runs the work of a service, and cancels it when the process gets SIGTERM, as from systemd, or SIGINT, as from Ctrl-C.
///
/// The work then ends as it does by itself: a sequence of positions ends with its task, and what follows the loop still runs.
func untilTerminated(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let (requests, request) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGTERM, SIGINT].map { number in
        // On Linux a signal that the process ignores does not arrive, unlike on macOS.
        let source = DispatchSource.makeSignalSource(signal: number)
        source.setEventHandler { request.yield() }
        source.activate()
        return source
    }
    defer { for source in sources { source.cancel() } }
    try await withThrowingTaskGroup { group in
        group.addTask { try await work() }
        group.addTask { for await _ in requests { return } }
        // The first to end is the work or the wait for a signal; the other one is cancelled.
        try await group.next()
        group.cancelAll()
        try await group.waitForAll()
    }
}
