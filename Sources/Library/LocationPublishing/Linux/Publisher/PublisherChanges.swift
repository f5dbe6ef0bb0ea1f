import LocwatchSupport

/// The changes of a publisher's deliveries; see ``LocationPublisher/changes``.
struct PublisherChanges: AsyncSequence, Sendable {
    typealias Failure = Never

    let state: PublisherState

    /// Creates an iterator, which begins with the states at its first call of `next()`.
    func makeAsyncIterator() -> Iterator { Iterator(state: state) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let state: PublisherState
        fileprivate var seen = -1

        /// Returns the states after the next change, or `nil` after every delivery has ended or if the task is cancelled.
        mutating func next(isolation actor: isolated (any Actor)?) async -> [TargetStatus]? {
            let seen = seen
            let outcome = await state.shared.wait(within: nil, clock: ContinuousClock()) {
                $0.changes != seen || $0.hasEnded
            }
            let changes = state.shared.value.changes
            guard outcome == .met, changes != seen else { return nil }
            self.seen = changes
            return state.statuses
        }
    }
}
