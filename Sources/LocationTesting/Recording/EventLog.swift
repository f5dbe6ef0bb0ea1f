/// What has happened, in order, and a way to wait until it is enough.
///
/// Put it where a callback goes and wait for what must come of it; no test needs to guess how long that takes:
///
/// ```swift
/// let log = EventLog<LocationState>()
/// model.onChange = { log.append($0) }
/// try await log.wait(for: "the first fix") { $0.contains { $0.location != nil } }
/// ```
public final class EventLog<Event: Sendable>: Sendable {
    private let content = Watched<[Event]>([])

    /// A log of which nothing is told yet.
    public init() {}

    /// All events so far, in order.
    public var events: [Event] { content.value }

    /// Adds an event and wakes whoever waited for it; safe from any thread.
    public func append(_ event: Event) {
        content.change { $0.append(event) }
    }

    /// Waits until the events meet a condition, and answers with them.
    ///
    /// - Parameters:
    ///   - name: what is waited for; it is in the error.
    ///   - limit: how long to wait at most; zero asks only whether it is so now.
    ///   - clock: the clock of the limit.
    ///   - condition: asked again with every event.
    /// - Throws: an error that says what was waited for and what had happened until then.
    @discardableResult
    public func wait<C: Clock>(
        for name: String, within limit: Duration = .seconds(10), clock: C = ContinuousClock(),
        until condition: @escaping @Sendable ([Event]) -> Bool
    ) async throws(WaitFailure) -> [Event] where C.Duration == Duration {
        let outcome = await content.wait(within: limit, clock: clock, until: condition)
        let events = content.value
        guard outcome != .met else { return events }
        throw WaitFailure(
            waitedFor: name, limit: limit, wasCancelled: outcome == .cancelled,
            happened: events.suffix(10).map { "\($0)" }, of: events.count, nothing: "nothing happened")
    }
}
