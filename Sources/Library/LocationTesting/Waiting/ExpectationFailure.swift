package import LocationCore
package import LocwatchSupport

/// An error for an expectation of a test that was not met: a wait that ended early, other states, or a broken rule of providers.
public struct ExpectationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of expectation, with what was observed instead.
    package enum Reason: Hashable, Sendable {
        case wait(FailedWait)
        case states(expected: [StatePattern], actual: [LocationState])
        /// A provider breaks a rule, or the rule cannot be checked for it.
        case rule(LocationProviderConformance.Rule, observation: String)
    }

    package let reason: Reason
    /// The place of the call that failed, if known.
    package var callSite: CallSite?

    /// Creates the failure of a wait with all that happened, the text for nothing, and notes about the cause.
    init(
        waitedFor: String, limit: Duration, wasCancelled: Bool, happened: [String], nothing: String,
        notes: [String] = [], at callSite: CallSite
    ) {
        let wait = FailedWait(
            waitedFor: waitedFor, limit: limit, wasCancelled: wasCancelled, happened: happened, nothing: nothing,
            notes: notes)
        self.init(.wait(wait), at: callSite)
    }

    init(_ reason: Reason, at callSite: CallSite?) {
        self.reason = reason
        self.callSite = callSite
    }

    /// The place of the call, if known, and the message.
    public var description: String {
        guard let callSite else { return message }
        if case .states = reason { return "\(callSite):\n\(message)" }
        return "\(callSite): \(message)"
    }

    /// A sentence that says what was expected, followed by a line for each event of a wait or by the actual states.
    public var message: String {
        switch reason {
        case .wait(let wait): wait.message
        case .states(let expected, let actual):
            """
            expected the states: \(StatePattern.list(expected))
            actual states:       \(actual.map(\.summary).joined(separator: ", "))
            """
        case .rule(let rule, let observation): "\(rule.sentence), but \(observation)"
        }
    }
}

/// A wait that timed out or was cancelled, with the events that happened instead.
package struct FailedWait: Hashable, Sendable {
    package let waitedFor: String
    package let limit: Duration
    package let wasCancelled: Bool
    /// The events before the failure, oldest first.
    package let happened: [String]
    fileprivate let nothing: String
    /// Sentences about what can be the cause.
    fileprivate let notes: [String]

    fileprivate var message: String {
        let lead =
            wasCancelled
            ? "cancelled while waiting for \(waitedFor)" : "timed out after \(limit) waiting for \(waitedFor)"
        if happened.isEmpty { return (["\(lead); \(nothing)"] + notes).joined(separator: "\n") }
        let earlier = happened.count > 10 ? ["  … \(happened.count - 10) earlier"] : []
        return ([lead + "; so far:"] + earlier + happened.suffix(10).map { "  \($0)" } + notes).joined(separator: "\n")
    }
}

extension Watched {
    /// Waits until the value meets a condition, or throws a failure that lists what happened instead, or says
    /// `nothing`.
    package func wait(
        for name: @autoclosure () -> String, within limit: Duration, at callSite: CallSite, nothing: String,
        notes: () -> [String] = { [] }, until condition: @escaping @Sendable (Value) -> Bool,
        happened: (Value) -> [String]
    ) async throws(ExpectationFailure) {
        let outcome = await wait(within: limit, clock: PatientClock(), until: condition)
        guard outcome != .met else { return }
        throw ExpectationFailure(
            waitedFor: name(), limit: limit, wasCancelled: outcome == .cancelled, happened: happened(value),
            nothing: nothing, notes: notes(), at: callSite)
    }
}
