import LocationCore
import LocwatchSupport

/// The clock of a recording's playback, which can be paused, change its rate, and jump ahead.
final class PlaybackClock: Sendable {
    private struct State {
        var rate: Double
        var isPaused = false
        var hasEnded = false
        /// Whether lines are due that the session has not emitted yet, as after a jump.
        var isCatchingUp = false
        /// A real time, and the time of playback at it.
        var real: Duration
        var elapsed = Duration.zero

        func position(at now: Duration) -> Duration {
            isPaused ? elapsed : elapsed + Duration(clampingSeconds: (now - real).inSeconds * rate)
        }
    }

    /// The rate that stands for a pace without waiting.
    static let fastest = 1e6

    private let host: SessionClock
    private let state: Lock<State>

    init(_ host: SessionClock, rate: Double) {
        self.host = host
        state = Lock(State(rate: rate, real: host.now.elapsed))
    }

    var rate: Double { state.withLock { $0.rate } }
    var isPaused: Bool { state.withLock { $0.isPaused } }
    /// Whether the session is behind the time of playback, as after a jump.
    var isCatchingUp: Bool { state.withLock { $0.isCatchingUp } }
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    var elapsed: Duration { state.withLock { $0.position(at: host.now.elapsed) } }

    func setRate(_ rate: Double) { change { $0.rate = min(max(0.125, rate), Self.fastest) } }
    func setPaused(_ isPaused: Bool) { change { $0.isPaused = isPaused } }
    func end() {
        change {
            $0.isPaused = true
            $0.hasEnded = true
        }
    }
    func skip(_ duration: Duration) {
        change {
            $0.elapsed += duration
            $0.isCatchingUp = true
        }
    }
    /// Notes whether the session is behind the time of playback.
    func setCatchingUp(_ isCatchingUp: Bool) { state.withLock { $0.isCatchingUp = isCatchingUp } }

    private func change(_ body: (inout State) -> Void) {
        let now = host.now.elapsed
        state.withLock { state in
            state.elapsed = state.position(at: now)
            state.real = now
            body(&state)
        }
    }

    /// The same clock for a session.
    var sessionClock: SessionClock {
        SessionClock(
            elapsed: { self.elapsed }, wall: { [host] _ in host.now.wall },
            sleepUntil: { [host] elapsed in try await host.sleep(until: Moment(elapsed: elapsed, wall: host.now.wall)) }
        )
    }

    /// Returns the real time until playback has advanced by a duration, or `nil` if it is paused.
    func realTime(for left: Duration) -> Duration? {
        state.withLock { state in
            guard left > .zero else { return .zero }
            return state.isPaused ? nil : Duration(clampingSeconds: left.inSeconds / state.rate)
        }
    }
}
