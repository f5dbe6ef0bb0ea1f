extension ManualClock {
    /// A hold on a manual clock, which does not advance by itself until the hold is released.
    ///
    /// Copies are one hold.
    public struct Hold: Sendable {
        private let clock: ManualClock
        private let number: Int

        fileprivate init(_ clock: ManualClock, named name: String) {
            self.clock = clock
            number = clock.addHold(named: name)
        }

        /// Lets the clock advance again if nothing else holds it; callable from any thread, any number of times.
        public func release() { clock.removeHold(number) }
    }

    /// Holds the clock while work runs of which it knows nothing, such as that of a queue, a detached task, or another program.
    ///
    /// While there is a hold, ``advance(untilEndOf:within:fileID:line:)``, ``advance(until:within:isolation:fileID:line:_:)`` and an
    /// ``immediate()`` clock stay where they are, however long the work takes. Release the hold after the work has passed on its result:
    ///
    /// ```swift
    /// let hold = clock.hold(for: "the name of the place")
    /// queue.async {
    ///     names.append(name(of: location))
    ///     hold.release()
    /// }
    /// ```
    ///
    /// A hold that is not released is not given up: the call that advances the clock fails at its limit, and names the hold. A test that
    /// moves the clock itself, as by ``advance(by:)``, is not stopped by holds.
    ///
    /// - Parameter work: The name of the work, for the error.
    public func hold(for work: String = "work off the clock") -> Hold { Hold(self, named: work) }
}
