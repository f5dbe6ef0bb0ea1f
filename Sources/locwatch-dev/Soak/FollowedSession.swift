import LocationCore
import LocwatchSupport

/// A session of a provider, followed in its own task, of which only the current state is kept.
final class FollowedSession: Sendable {
    /// The current state of a session.
    struct View: Sendable {
        var state = LocationState.searching(.starting)
        var positions = 0
        var failures = 0
        var hasEnded = false
        /// The first moment that went back, if any.
        var wentBack: Moment?
        fileprivate var last = Duration.zero

        fileprivate mutating func process(_ next: TrackedUpdate) {
            switch next {
            case .transition(let transition): state = transition.to
            case .deviceTransition, .handover, .settled, .fence, .integrity, .failureEnded: break
            case .update(let update, _):
                if update.moment.elapsed < last, wentBack == nil { wentBack = update.moment }
                last = update.moment.elapsed
                if case .location = update.event { positions += 1 }
                if case .failure = update.event { failures += 1 }
            }
        }
    }

    private final class Board: Sendable {
        let view = Lock(View())
    }

    private let board = Board()
    private let task: Task<Void, Never>

    init(_ provider: some LocationProvider) {
        let updates = provider.tracked(for: .everything)
        task = Task { [board] in
            do throws(LocationError) {
                for try await next in updates { board.view.withLock { $0.process(next) } }
            } catch {}
            board.view.withLock { $0.hasEnded = true }
        }
    }

    deinit { task.cancel() }

    var view: View { board.view.withLock { $0 } }
}
