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

    /// Returns whether positions may be read, as soon as the provider knows it.
    ///
    /// The session that asks ends with the answer. It waits while the provider reports failures that can be transient, and
    /// returns `notDetermined` if the session ends without an answer.
    ///
    /// - Parameter device: The receiver, or `nil` for any.
    /// - Throws: The error that ends the session, or `cancelled` if the task was cancelled.
    public func authorization(device: String? = nil) async throws(LocationError) -> AuthorizationStatus {
        try await authorization(device: device) { _ in }
    }

    /// Returns whether positions may be read, and passes on the failures before the answer.
    func authorization(
        device: String?, onFailure: @Sendable (LocationError) async -> Void
    ) async throws(LocationError) -> AuthorizationStatus {
        var iterator = updates(for: LocationRequest(device: device, purpose: .authorization)).makeAsyncIterator()
        while let update = try await iterator.next() {
            switch update.event {
            case .authorization(let status): return status
            // A refusal is final; a provider that reports it as a failure sends no status.
            case .failure(.denied, _): return .denied
            case .failure(let error, _): await onFailure(error)
            default: continue
            }
        }
        if Task.isCancelled { throw .cancelled }
        return .notDetermined
    }
}
