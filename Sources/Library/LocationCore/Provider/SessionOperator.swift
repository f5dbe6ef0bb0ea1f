/// An operator on a provider, such as a spy or a change of positions, in one session.
package struct SessionOperator: Sendable {
    /// Begins a session that begins at a moment of its clock.
    package typealias Start = @Sendable (_ beginning: Moment) -> SessionOperator

    /// Returns what is passed on in place of an update, if anything; an error ends the session.
    package let pass: @Sendable (LocationUpdate) throws(LocationError) -> LocationUpdate?
    /// Called when all filters after the operator have admitted the position that it passed on last.
    package let admit: @Sendable () -> Void
    /// Called once, when the session has ended or was released.
    package let end: @Sendable () -> Void

    package init(
        _ pass: @escaping @Sendable (LocationUpdate) throws(LocationError) -> LocationUpdate?,
        admit: @escaping @Sendable () -> Void = {}, end: @escaping @Sendable () -> Void = {}
    ) {
        self.pass = pass
        self.admit = admit
        self.end = end
    }
}

/// The operators of one session, through which each of its updates passes in their order.
package struct SessionOperators: Sendable {
    private var operators: [SessionOperator] = []

    package init() {}

    package init(_ starts: [SessionOperator.Start], at beginning: Moment) {
        operators = starts.map { $0(beginning) }
    }

    /// Returns what the last operator passes on, if anything.
    package func pass(_ update: LocationUpdate) throws(LocationError) -> LocationUpdate? {
        var update = update
        for other in operators {
            guard let passed = try other.pass(update) else { return nil }
            update = passed
        }
        return update
    }

    /// Tells the operators that all filters have admitted the position that passed through them last.
    package func admit() {
        for other in operators { other.admit() }
    }

    /// Ends all operators, the last one first, and forgets them.
    package mutating func end() {
        for other in operators.reversed() { other.end() }
        operators = []
    }
}
