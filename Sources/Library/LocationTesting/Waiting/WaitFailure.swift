/// An error for a wait that timed out or was cancelled, with the events that happened instead.
public struct WaitFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the awaited event, given by the caller.
    package var waitedFor: String
    /// The time limit of the wait.
    package var limit: Duration
    /// Whether the waiting task was cancelled before the limit.
    public var wasCancelled: Bool
    /// The most recent events before the failure, oldest first.
    package var happened: [String]
    /// The total number of events.
    package var total: Int
    /// The place of the call that waited.
    package var callSite: CallSite
    private var nothing: String

    /// Creates a failure with the most recent events, the number of all, and the text for none.
    package init(
        waitedFor: String, limit: Duration, wasCancelled: Bool, happened: [String], of total: Int, nothing: String,
        at callSite: CallSite
    ) {
        self.waitedFor = waitedFor
        self.limit = limit
        self.wasCancelled = wasCancelled
        self.happened = happened
        self.total = total
        self.nothing = nothing
        self.callSite = callSite
    }

    /// The place of the call and the message.
    public var description: String { "\(callSite): \(message)" }

    /// A sentence, followed by a line for each event.
    public var message: String {
        let lead =
            wasCancelled
            ? "cancelled while waiting for \(waitedFor)" : "timed out after \(limit) waiting for \(waitedFor)"
        if happened.isEmpty { return "\(lead); \(nothing)" }
        let earlier = total > happened.count ? ["  … \(total - happened.count) earlier"] : []
        return ([lead + "; so far:"] + earlier + happened.map { "  \($0)" }).joined(separator: "\n")
    }
}
