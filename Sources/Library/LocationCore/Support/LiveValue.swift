import LocwatchSupport

/// A value that any thread can change while sessions use it; a session notices a change by its version.
final class LiveValue<Value: Sendable>: Sendable {
    private let content: Lock<(value: Value, version: Int)>

    init(_ value: Value) { content = Lock((value, 0)) }

    var value: Value { content.withLock { $0.value } }

    func change(_ change: (inout Value) -> Void) {
        content.withLock { content in
            change(&content.value)
            content.version += 1
        }
    }

    /// Returns the value if it has changed since `version`.
    func value(since version: inout Int) -> Value? {
        content.withLock { content in
            guard content.version != version else { return nil }
            version = content.version
            return content.value
        }
    }
}
