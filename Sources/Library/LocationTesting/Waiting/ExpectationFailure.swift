package import LocationCore

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

    /// Creates the failure of a wait with the most recent events, the number of all, and the text for none.
    package init(
        waitedFor: String, limit: Duration, wasCancelled: Bool, happened: [String], of total: Int, nothing: String,
        at callSite: CallSite
    ) {
        let wait = FailedWait(
            waitedFor: waitedFor, limit: limit, wasCancelled: wasCancelled, happened: happened, total: total,
            nothing: nothing)
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
    /// A description of the awaited event, given by the caller.
    package let waitedFor: String
    /// The time limit of the wait.
    package let limit: Duration
    /// Whether the waiting task was cancelled before the limit.
    package let wasCancelled: Bool
    /// The most recent events before the failure, oldest first.
    package let happened: [String]
    /// The total number of events.
    package let total: Int
    /// The text for no events.
    fileprivate let nothing: String

    fileprivate var message: String {
        let lead =
            wasCancelled
            ? "cancelled while waiting for \(waitedFor)" : "timed out after \(limit) waiting for \(waitedFor)"
        if happened.isEmpty { return "\(lead); \(nothing)" }
        let earlier = total > happened.count ? ["  … \(total - happened.count) earlier"] : []
        return ([lead + "; so far:"] + earlier + happened.map { "  \($0)" }).joined(separator: "\n")
    }
}
