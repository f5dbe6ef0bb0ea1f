import LocationCore
import LocwatchSupport

/// A replay for a task, which reads and plays the recording as far as the task asks.
final class ReplaySession: LocationSession {
    private struct Content {
        var player: RecordingPlayer
        var source: Result<ChunkSource, LocationError>
        var sleep: Task<Void, any Error>?
        /// The playing time, which begins with the first line, however late a pipe delivers it.
        var timer: ReplayTimer?
    }

    private let startTimer: @Sendable () -> ReplayTimer
    private let content: Lock<Content>

    init(
        _ source: RecordingSource, pace: ReplayPace, recognizer: RecordingRecognizer? = nil,
        includesLines: Bool = false,
        startTimer: @escaping @Sendable () -> ReplayTimer
    ) {
        self.startTimer = startTimer
        let opened: Result<ChunkSource, LocationError>
        do throws(LocationError) { opened = .success(try ChunkSource(source, recognizer: recognizer)) } catch {
            opened = .failure(error)
        }
        let player = RecordingPlayer(name: source.name, pace: pace, includesLines: includesLines)
        content = Lock(Content(player: player, source: opened))
    }

    var now: Moment {
        content.withLock { $0.player.now } ?? Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
    }

    func next(until deadline: Moment?) async throws(LocationError) -> SessionStep {
        while true {
            if Task.isCancelled { stop() }
            let (next, isOver) = content.withLock { ($0.player.next, $0.player.isOver) }
            if isOver { return .end }
            guard let next else {
                try await readOn()
                continue
            }
            let isQuiet = deadline.map { next.moment >= $0 } ?? false
            let goal = isQuiet ? deadline ?? next.moment : next.moment
            guard await sleep(until: goal) else { continue }
            if isQuiet {
                content.withLock { $0.player.rest(until: goal) }
                return .quiet
            }
            if let update = content.withLock({ $0.player.pop() }) { return .update(update) }
        }
    }

    func stop() {
        let (source, sleep) = content.withLock { content in
            content.player.stop()
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
        let chunk = try result.get() ?? []
        try content.withLock { (content) throws(LocationError) in
            guard !content.player.isAtEnd else { return }
            let read = chunk.withUnsafeBytes { chunk in
                Result { () throws(LocationError) in try content.player.read(chunk) }
            }
            do throws(LocationError) { try read.get() } catch {
                content.player.stop()
                throw error
            }
        }
    }

    /// Waits until a moment of the recording is due; returns `false` if the session was stopped meanwhile.
    private func sleep(until moment: Moment) async -> Bool {
        guard let goal = content.withLock({ $0.player.playingTime(of: moment) }) else { return true }
        let timer = content.withLock { content in
            let timer = content.timer ?? startTimer()
            content.timer = timer
            return timer
        }
        guard goal > timer.elapsed() else { return true }
        let sleep = Task { try await timer.wait(goal) }
        let isOver = content.withLock { content in
            content.sleep = sleep
            return content.player.isOver
        }
        if isOver { sleep.cancel() }
        await withTaskCancellationHandler {
            _ = await sleep.result
        } onCancel: {
            stop()
        }
        return content.withLock { !$0.player.isOver }
    }
}
