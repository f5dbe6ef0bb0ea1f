import LocwatchSupport

/// An ordered log of events that a test can wait for.
///
/// Append to it in a callback and wait for the result, so that no test has to guess a delay:
///
/// ```swift
/// let log = EventLog<LocationState>()
/// model.onChange = { log.append($0) }
/// try await log.wait(for: "the first fix") { $0.contains { $0.location != nil } }
/// ```
public final class EventLog<Event: Sendable>: Sendable {
    private let content = Watched<[Event]>([])

    /// Creates an empty log.
    public init() {}

    /// All events so far, in order.
    public var events: [Event] { content.value }

    /// Appends an event and resumes the waits that it satisfies; safe to call from any thread.
    public func append(_ event: Event) {
        content.change { $0.append(event) }
    }

    /// Waits until the events meet a condition, and returns them.
    ///
    /// - Parameters:
    ///   - name: A description of the awaited events for the error.
    ///   - limit: The longest time to wait, without the time that other tests took; zero checks the condition once.
    ///   - fileID: The file of the call, for the error.
    ///   - line: The line of the call, for the error.
    ///   - condition: The condition, evaluated again after every event; it may read the log.
    /// - Throws: An `ExpectationFailure` that lists the most recent events.
    @discardableResult
    public func wait(
        for name: String, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line,
        until condition: @escaping @Sendable ([Event]) -> Bool
    ) async throws(ExpectationFailure) -> [Event] {
        try await content.wait(
            for: name, within: limit, at: CallSite(fileID: fileID, line: line), nothing: "nothing happened",
            until: condition
        ) { $0.map { "\($0)" } }
        return events
    }
}
