import LocationCore
import Synchronization

/// One run through a recording, played as far as it is asked for.
final class ReplaySession: LocationSession {
    /// The longest wait that every clock can count; nobody waits for its end.
    private static let longestWait = 1e9

    fileprivate struct Content {
        var reader: RecordingReader
        var queue: [LocationUpdate] = []
        var head = 0
        var now = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
        var source: Result<ChunkSource, LocationError>
        var hasEnded = false
        var hasStopped = false
        var sleep: Task<Void, any Error>?
        /// Tells how long the recording has been playing; it begins with the first line, however late a pipe brings it.
        var timer: ReplayTimer?
    }

    private let pace: ReplayPace
    private let startTimer: @Sendable () -> ReplayTimer
    private let content: Mutex<Content>

    init(
        _ source: RecordingSource, pace: ReplayPace, startTimer: @escaping @Sendable () -> ReplayTimer
    ) {
        self.pace = pace
        self.startTimer = startTimer
        let opened: Result<ChunkSource, LocationError>
        do throws(LocationError) { opened = .success(try ChunkSource(source)) } catch { opened = .failure(error) }
        content = Mutex(Content(reader: RecordingReader(name: source.name), source: opened))
    }

    var now: Moment { content.withLock { $0.now } }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            if Task.isCancelled { stop() }
            let next = content.withLock { $0.next }
            switch next {
            case .stopped: return .end
            case .more: try await readOn()
            case .update(let update):
                let isQuiet = deadline.map { update.moment >= $0 } ?? false
                guard await sleep(until: isQuiet ? deadline ?? update.moment : update.moment) else { continue }
                if isQuiet, let deadline {
                    content.withLock { $0.now = max($0.now, deadline) }
                    return .quiet
                }
                content.withLock { $0.pass(update) }
                return .update(update)
            }
        }
    }

    func stop() {
        let (source, sleep) = content.withLock { content in
            content.hasStopped = true
            content.queue = []
            return (try? content.source.get(), content.sleep)
        }
        source?.close()
        sleep?.cancel()
    }

    private func readOn() async throws(LocationError) {
        let source = try content.withLock { (content) throws(LocationError) in try content.source.get() }
        let result = await withTaskCancellationHandler {
            await source.next()
        } onCancel: {
            stop()
        }
        let chunk = try result.get()
        try content.withLock { (content) throws(LocationError) in
            content.queue.removeAll(keepingCapacity: true)
            content.head = 0
            content.hasEnded = chunk == nil
            var queue: [LocationUpdate] = []
            swap(&queue, &content.queue)
            let read = (chunk ?? []).withUnsafeBytes { chunk in
                Result { () throws(LocationError) in try content.reader.read(chunk) { queue.append($0) } }
            }
            swap(&queue, &content.queue)
            guard !content.hasStopped else { return }
            do throws(LocationError) { try read.get() } catch {
                content.hasStopped = true
                content.queue = []
                throw error
            }
        }
    }

    /// Waits until a moment of the recording is played; `false` when the session was stopped meanwhile.
    private func sleep(until moment: Moment) async -> Bool {
        guard case .times(let rate) = pace, rate > 0 else { return true }
        let goal = Duration(toldSeconds: min(moment.elapsed / .seconds(1) / rate, Self.longestWait))
        let timer = content.withLock { content in
            let timer = content.timer ?? startTimer()
            content.timer = timer
            return timer
        }
        guard goal > timer.elapsed() else { return true }
        let sleep = Task { try await timer.wait(goal) }
        let hasStopped = content.withLock { content in
            content.sleep = sleep
            return content.hasStopped
        }
        if hasStopped { sleep.cancel() }
        await withTaskCancellationHandler {
            _ = await sleep.result
        } onCancel: {
            stop()
        }
        return content.withLock { !$0.hasStopped }
    }
}

extension ReplaySession.Content {
    enum Next {
        case update(LocationUpdate)
        case more
        case stopped
    }

    var next: Next {
        if hasStopped { return .stopped }
        if head < queue.count { return .update(queue[head]) }
        return hasEnded ? .stopped : .more
    }

    mutating func pass(_ update: LocationUpdate) {
        head += 1
        now = update.moment
    }
}
