/// A provider whose sessions are the elements of asynchronous sequences, such as an `AsyncStream` over a callback.
///
/// ```swift
/// let provider = SequenceProvider { request in
///     AsyncStream<Location> { continuation in
///         let receiver = Receiver()
///         receiver.onFix = { continuation.yield(Location(coordinate: $0)) }
///         continuation.onTermination = { _ in receiver.close() }
///         receiver.open()
///     }
/// }
/// ```
///
/// A session begins with the first call of `next()`, and makes a sequence of its own. It ends with the sequence; when it is stopped, the
/// task that reads the sequence is cancelled. A `LocationError` that the sequence throws ends the session; another error ends it as
/// ``LocationError/other(code:message:)`` with the code `source`.
public struct SequenceProvider: LocationProvider {
    private let start: @Sendable (LocationRequest) -> LocationUpdates

    /// Creates a provider of sequences of events.
    ///
    /// - Parameters:
    ///   - clock: The clock of the sessions, which stamps the events and measures limits.
    ///   - sequence: Returns the events of a session.
    public init<Events: AsyncSequence & SendableMetatype, C: Clock>(
        clock: C = ContinuousClock(), _ sequence: @escaping @Sendable (LocationRequest) -> Events
    ) where Events.Element == LocationEvent, Events.AsyncIterator: SendableMetatype, C.Duration == Duration {
        start = { request in
            LocationUpdates(for: request) {
                let mailbox = LocationMailbox(clock: SessionClock(clock, startingAt: .now))
                let task = Task { [weak mailbox] in
                    do {
                        for try await event in sequence(request) { mailbox?.put(event) }
                        mailbox?.finish()
                    } catch let error as LocationError {
                        mailbox?.finish(throwing: error)
                    } catch {
                        mailbox?.finish(throwing: .other(code: "source", message: "\(error)"))
                    }
                }
                mailbox.onStop { task.cancel() }
                return mailbox
            }
        }
    }

    /// Creates a provider of sequences of positions.
    ///
    /// - Parameters:
    ///   - clock: The clock of the sessions, which stamps the positions and measures limits.
    ///   - sequence: Returns the positions of a session.
    public init<Positions: AsyncSequence & SendableMetatype, C: Clock>(
        clock: C = ContinuousClock(), _ sequence: @escaping @Sendable (LocationRequest) -> Positions
    ) where Positions.Element == Location, Positions.AsyncIterator: SendableMetatype, C.Duration == Duration {
        self.init(clock: clock) { request in sequence(request).map { LocationEvent.location($0) } }
    }

    /// Returns updates whose iteration makes a sequence and reads it.
    public func updates(for request: LocationRequest) -> LocationUpdates { start(request) }
}
