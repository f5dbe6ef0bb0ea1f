/// Polls a value until it meets a condition, and returns it.
///
/// Use it for values without change notifications, such as a view model on the main actor. If there is a callback,
/// prefer an `EventLog`, which resumes at once and misses no event. The value is read repeatedly until the condition
/// holds or the limit has passed:
///
/// ```swift
/// try await eventually("the model shows a position") { await model.title } is: { $0 == "52.5163, 13.3777" }
/// ```
///
/// - Parameters:
///   - name: A description of the awaited value for the error.
///   - limit: The longest time to wait, without the time that other tests took; zero reads the value once.
///   - isolation: The actor of the caller, which reads the value.
///   - fileID: The file of the call, for the error.
///   - line: The line of the call, for the error.
///   - value: Reads the value.
///   - condition: Returns whether the value is the awaited one.
/// - Throws: An `ExpectationFailure` that lists the values seen, without consecutive repetitions.
@discardableResult
public func eventually<Value: Sendable>(
    _ name: String, within limit: Duration = .seconds(10), isolation: isolated (any Actor)? = #isolation,
    fileID: String = #fileID, line: Int = #line, _ value: () async -> Value, is condition: (Value) -> Bool
) async throws(ExpectationFailure) -> Value {
    var waited = Duration.zero
    var seen: [String] = []
    var pause = Duration.microseconds(200)
    while true {
        let latest = await value()
        if condition(latest) { return latest }
        let text = "\(latest)"
        if seen.last != text { seen.append(text) }
        if Task.isCancelled || waited >= limit {
            throw ExpectationFailure(
                waitedFor: name, limit: limit, wasCancelled: Task.isCancelled, happened: seen,
                nothing: "nothing was seen", at: CallSite(fileID: fileID, line: line))
        }
        // Let other tasks run first. The pauses only limit the processor load of a long wait.
        await Task.yield()
        try? await Task.sleep(for: pause)
        waited += pause
        pause = min(pause * 2, .milliseconds(16))
    }
}
