/// The positions of one session, without its other events.
///
/// ```swift
/// for try await location in provider.locations() { show(location) }
/// ```
///
/// A failure from which the provider recovers is not thrown; use `updates(for:)` or `tracked(for:staleAfter:)` to see it.
public struct Locations: AsyncSequence, Sendable {
    /// A position.
    public typealias Element = Location
    /// The error that ends a session early.
    public typealias Failure = LocationError

    fileprivate let updates: LocationUpdates

    /// Creates an iterator; its session starts with the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: updates.makeAsyncIterator()) }

    /// The iterator of one session.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var updates: LocationUpdates.Iterator

        /// Returns the next position, or `nil` at the end of the session.
        public mutating func next() async throws(LocationError) -> Location? {
            try await next(isolation: #isolation)
        }

        /// Returns the next position, or `nil` at the end of the session, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LocationError) -> Location? {
            while let update = try await updates.next(isolation: actor) {
                if let location = update.location { return location }
            }
            return nil
        }
    }
}

extension LocationProvider {
    /// Returns all events of one session.
    public func updates() -> LocationUpdates { updates(for: .everything) }

    /// Returns the positions of one session.
    public func locations(for request: LocationRequest = .everything) -> Locations {
        Locations(updates: updates(for: request))
    }
}
