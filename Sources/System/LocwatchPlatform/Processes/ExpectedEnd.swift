import LocwatchSupport

/// The end of a child that has nothing left to do, which is waited for by a descriptor and for a limited time.
package final class ExpectedEnd: Sendable {
    private let limit: Duration
    private let wait: @Sendable (Duration) -> ChildProcess.Ending?
    private let awaited = Lock<Background<ChildProcess.Ending?>?>(nil)

    /// Creates the expectation of an end that `wait` returns, or `nil` if it has not come within the time.
    package init(within limit: Duration, _ wait: @escaping @Sendable (Duration) -> ChildProcess.Ending?) {
        self.limit = limit
        self.wait = wait
    }

    /// The descriptor that is readable when the child has ended or the time is over; `nil` if either is known already.
    ///
    /// The time begins when it is asked for the first time.
    package var descriptor: Int32? {
        awaited.withLock { awaited in
            if awaited == nil, wait(.zero) == nil { awaited = try? Background { [wait, limit] in wait(limit) } }
            guard let awaited, !awaited.done.hasHappened else { return nil }
            return awaited.done.descriptor
        }
    }

    /// The way in which the child has ended, or `nil` if it has not.
    package var ending: ChildProcess.Ending? { wait(.zero) }
}
