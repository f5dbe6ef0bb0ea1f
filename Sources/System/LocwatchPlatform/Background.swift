import LocwatchSupport

/// A value that is made on a thread of its own, because making it can block for long.
///
/// Its owner polls the event, and releases it to abandon the value, which is dropped when the thread has made it.
package final class Background<Value: Sendable>: Sendable {
    /// An event that happens when the value is there.
    package let done: Event
    private let made: Lock<Value?>

    /// Starts to make a value.
    package init(_ make: sending @escaping () -> Value) throws(SystemFailure) {
        done = try Event()
        made = Lock(nil)
        var work: (() -> Value)? = make
        try NativeThread.start { [self] in
            let value = work?()
            // Whatever the work holds, such as a locked file, is released before its owner goes on.
            work = nil
            made.withLock { $0 = value }
            done.happen()
        }
    }

    /// Creates one whose value is known, without a thread.
    package init(known value: Value) throws(SystemFailure) {
        done = try Event()
        made = Lock(value)
        done.happen()
    }

    /// The value, once it is there.
    package var value: Value? { made.withLock { $0 } }
}
