/// The comparisons of the host's clock with the receivers' in one session, without its other events.
///
/// ```swift
/// for try await sample in provider.clockSamples() where sample.source == .pulse { print(sample.offset) }
/// ```
public struct ClockSamples: AsyncSequence, Sendable {
    /// A comparison.
    public typealias Element = ClockSample
    /// The error that ends a session early.
    public typealias Failure = LocationError

    fileprivate let updates: LocationUpdates

    /// Creates an iterator; its session starts with the first call of `next()`.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: updates.makeAsyncIterator()) }

    /// The iterator of one session.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var updates: LocationUpdates.Iterator

        /// Returns the next comparison, or `nil` at the end of the session.
        public mutating func next() async throws(LocationError) -> ClockSample? {
            try await next(isolation: #isolation)
        }

        /// Returns the next comparison, or `nil` at the end of the session, without leaving the caller's actor.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(LocationError) -> ClockSample? {
            while let update = try await updates.next(isolation: actor) {
                if case .clock(let sample) = update.event { return sample }
            }
            return nil
        }
    }
}

extension LocationProvider {
    /// Returns the comparisons of the host's clock with the receivers' in one session.
    ///
    /// A gpsd makes them once a second from a receiver's first fix on, at pulses only for a receiver on a serial line or
    /// USB. Other providers may have none.
    ///
    /// - Parameter device: The receiver, or `nil` for all.
    public func clockSamples(device: String? = nil) -> ClockSamples {
        ClockSamples(updates: updates(for: LocationRequest(device: device, includesClock: true)))
    }
}
