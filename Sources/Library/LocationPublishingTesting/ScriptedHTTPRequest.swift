public import LocationPublishing

/// A request that a scripted HTTP session received, with its state.
public struct ScriptedHTTPRequest: Hashable, Sendable {
    /// The states of a request.
    public enum State: Hashable, Sendable {
        /// It was sent and waits for its answer.
        case waiting
        /// It was answered with this status.
        case answered(Int)
        /// It failed: by the script, by its time limit or by its size limit.
        case failed(HTTPError)
        /// Its task was cancelled.
        case cancelled
    }

    /// The request.
    public let request: HTTPRequest
    /// The state of the request.
    public internal(set) var state: State
}
