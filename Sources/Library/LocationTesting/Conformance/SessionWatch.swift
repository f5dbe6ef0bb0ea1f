import LocationCore

/// A task that iterates one session and records its updates and its end.
///
/// The watch never waits for the task, because a broken provider may never return.
final class SessionWatch: Sendable {
    enum WatchEntry: Sendable {
        case update(LocationUpdate)
        case end
        case failure(LocationError)

        var isUpdate: Bool { if case .update = self { true } else { false } }
    }

    private let log = EventLog<WatchEntry>()
    private let task: Task<Void, Never>

    /// Calls `next()` some times more after the end or an error.
    init(_ updates: LocationUpdates, callsAfterEnd calls: Int = 0) {
        task = Task { [log] in
            var iterator = updates.makeAsyncIterator()
            var left = calls
            while true {
                do throws(LocationError) {
                    if let update = try await iterator.next() {
                        log.append(.update(update))
                        continue
                    }
                    log.append(.end)
                } catch {
                    log.append(.failure(error))
                }
                if left == 0 { return }
                left -= 1
            }
        }
    }

    deinit { task.cancel() }

    func cancel() { task.cancel() }

    var entries: [WatchEntry] { log.events }

    /// The error that the session has thrown, if any.
    var error: LocationError? {
        entries.lazy.compactMap { if case .failure(let error) = $0 { error } else { nil } }.first
    }

    var updates: [LocationUpdate] { Self.updates(entries) }

    func wait(forUpdates count: Int, within limit: Duration) async throws(ExpectationFailure) {
        try await log.wait(for: "\(count) updates", within: limit) { Self.updates($0).count >= count }
    }

    /// Waits until the session has ended and `next()` has returned or thrown without an update `count` times.
    func wait(forEndings count: Int, within limit: Duration) async throws(ExpectationFailure) {
        try await log.wait(for: "the end of the iteration", within: limit) {
            $0.count { !$0.isUpdate } >= count
        }
    }

    private static func updates(_ entries: [WatchEntry]) -> [LocationUpdate] {
        entries.compactMap { if case .update(let update) = $0 { update } else { nil } }
    }
}

extension SessionWatch.WatchEntry: CustomStringConvertible {
    var description: String {
        switch self {
        case .update(let update): "\(update.moment.elapsed): \(update.event)"
        case .end: "the end"
        case .failure(let error): "threw \(error)"
        }
    }
}
