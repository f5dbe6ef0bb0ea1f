/// Waits until a value that can only be looked at meets a condition, and answers with it.
///
/// For what tells nobody of its changes, such as a view model on the main actor; where there is a callback, an `EventLog`
/// wakes at once and misses nothing. The value is looked at again and again until it is right or the time is up:
///
/// ```swift
/// try await eventually("the model shows a position") { await model.title } is: { $0 == "52.5163, 13.3777" }
/// ```
///
/// - Parameters:
///   - name: what is waited for; it is in the error.
///   - limit: how long to wait at most, in real time; zero looks once.
///   - value: looks at the value.
///   - condition: whether it is right.
/// - Throws: an error that says what was waited for and which values were seen, each once when it changed.
@discardableResult
public func eventually<Value: Sendable>(
    _ name: String, within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
    _ value: () async -> Value, is condition: (Value) -> Bool
) async throws(WaitFailure) -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: limit)
    var seen: [String] = []
    while true {
        let latest = await value()
        if condition(latest) { return latest }
        let text = "\(latest)"
        if seen.last != text { seen.append(text) }
        if Task.isCancelled || clock.now >= deadline {
            throw WaitFailure(
                waitedFor: name, limit: limit, wasCancelled: Task.isCancelled, happened: seen.suffix(10),
                of: seen.count,
                nothing: "nothing was seen")
        }
        // Lets the others go on first; the pause only keeps a long wait from heating the processor.
        await Task.yield()
        if seen.count > 0 { try? await clock.sleep(for: .microseconds(200)) }
    }
}
