/// One kind of value of a session, such as its positions or its changes of state, without its other events.
///
/// ```swift
/// for try await location in provider.locations() { show(location) }
/// ```
///
/// A failure from which the provider recovers is not thrown; use `updates(for:)` or `tracked(for:fences:staleAfter:)` to see it.
struct SessionSequence<Element: Sendable>: AsyncSequence, Sendable {
    /// The error that ends a session early.
    typealias Failure = LocationError

    typealias Next = (isolated (any Actor)?) async throws(LocationError) -> Element?

    private let makeNext: @Sendable () -> Next

    /// Creates a sequence of what a closure returns, of which there is one for each iterator.
    init(_ makeNext: @escaping @Sendable () -> Next) { self.makeNext = makeNext }

    /// Creates a sequence of what `select` finds in the events of a session, or in what they cause.
    init<Base: AsyncSequence & Sendable>(
        _ base: Base, _ select: @escaping @Sendable (Base.Element) -> Element?
    ) where Base.Failure == LocationError {
        makeNext = {
            var iterator = base.makeAsyncIterator()
            return { (actor: isolated (any Actor)?) async throws(LocationError) -> Element? in
                while let next = try await iterator.next(isolation: actor) {
                    if let element = select(next) { return element }
                }
                return nil
            }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(next: makeNext()) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let next: Next

        mutating func next() async throws(LocationError) -> Element? { try await next(isolation: #isolation) }

        /// Returns the next value, or `nil` at the end of the session, without leaving the caller's actor.
        mutating func next(isolation actor: isolated (any Actor)?) async throws(LocationError) -> Element? {
            try await next(actor)
        }
    }
}

extension LocationProvider {
    /// Returns all events of one session.
    public func updates() -> LocationUpdates { updates(for: .everything) }

    /// Returns the positions of one session, of all receivers.
    ///
    /// Late positions are among them: those that arrive after a newer one of their receiver, such as what a receiver or a device of a
    /// fleet has stored. ``Location/isLate`` tells them. See <doc:ShowingTheCurrentPosition> for the positions that show where the machine is.
    public func locations(
        for request: LocationRequest = .everything
    ) -> some AsyncSequence<Location, LocationError> & Sendable {
        SessionSequence(updates(for: request)) { $0.location }
    }
}
