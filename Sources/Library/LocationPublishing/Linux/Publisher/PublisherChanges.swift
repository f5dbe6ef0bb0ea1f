import LocwatchSupport

/// The changes of a publisher's deliveries; see ``LocationPublisher/changes``.
package struct PublisherChanges: AsyncSequence, Sendable {
    /// The state of each delivery, in the order of the targets.
    package typealias Element = [TargetStatus]
    /// Nothing is thrown.
    package typealias Failure = Never

    let state: PublisherState

    /// Creates an iterator, which begins with the states at its first call of `next()`.
    package func makeAsyncIterator() -> Iterator { Iterator(state: state) }

    /// The iterator over the changes.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let state: PublisherState
        private var seen = -1

        fileprivate init(state: PublisherState) { self.state = state }

        /// Returns the states after the next change, or `nil` after every delivery has ended or if the task is cancelled.
        package mutating func next() async -> [TargetStatus]? { await next(isolation: #isolation) }

        /// Returns the states after the next change without leaving the caller's actor.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> [TargetStatus]? {
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
