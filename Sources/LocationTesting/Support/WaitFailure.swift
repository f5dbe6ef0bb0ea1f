/// What was waited for did not come: what it was, for how long, and what had happened instead.
public struct WaitFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was waited for, in the words of whoever waited.
    public var waitedFor: String
    /// How long it was given.
    public var limit: Duration
    /// Whether the waiting task was cancelled before that.
    public var wasCancelled: Bool
    /// What had happened by then, the last of it, oldest first.
    public var happened: [String]
    /// How much had happened in all.
    public var total: Int
    private var nothing: String

    init(
        waitedFor: String, limit: Duration, wasCancelled: Bool, happened: [String], of total: Int, nothing: String
    ) {
        self.waitedFor = waitedFor
        self.limit = limit
        self.wasCancelled = wasCancelled
        self.happened = happened
        self.total = total
        self.nothing = nothing
    }

    /// A sentence and a line for each thing that happened.
    public var description: String {
        let lead =
            wasCancelled ? "cancelled while waiting for \(waitedFor)" : "waited \(limit) in vain for \(waitedFor)"
        if happened.isEmpty { return "\(lead); \(nothing)" }
        let earlier = total > happened.count ? ["  … \(total - happened.count) before"] : []
        return ([lead + "; until then:"] + earlier + happened.map { "  \($0)" }).joined(separator: "\n")
    }
}
