public import LocationPublishing
public import LocationTesting
import LocwatchSupport

/// An HTTP session that answers from a script and remembers every request.
///
/// ```swift
/// let clock = ManualClock()
/// let session = ScriptedHTTPSession(clock: clock) { request in
///     request.url.path == "/pub" ? .status(200, "[]", after: .seconds(2)) : .status(404)
/// }
/// let client = HTTPClient(session: session)
/// ```
///
/// The clock determines when answers arrive: with a `ManualClock`, a delayed answer arrives when the test advances the clock.
/// The limits of a request apply as in a live session: an answer that takes longer than the time limit is a timeout.
public final class ScriptedHTTPSession: HTTPSession {
    private let requestLog = Watched<[ScriptedHTTPRequest]>([])
    private let answer: @Sendable (HTTPRequest, Int) -> ScriptedHTTPAnswer
    private let sleep: @Sendable (Duration) async throws -> Void

    /// Creates a session whose answers depend on the request.
    public convenience init<C: Clock>(
        clock: C = ContinuousClock(), answer: @escaping @Sendable (HTTPRequest) -> ScriptedHTTPAnswer
    ) where C.Duration == Duration {
        self.init(clock) { request, _ in answer(request) }
    }

    /// Creates a session that gives the first request the first answer, and so on; the last one is repeated.
    ///
    /// Without any answer, no request is answered.
    public convenience init<C: Clock>(
        _ answers: [ScriptedHTTPAnswer], clock: C = ContinuousClock()
    ) where C.Duration == Duration {
        self.init(clock) { _, number in answers.isEmpty ? .never : answers[min(number, answers.count - 1)] }
    }

    private init<C: Clock>(
        _ clock: C, answer: @escaping @Sendable (HTTPRequest, Int) -> ScriptedHTTPAnswer
    ) where C.Duration == Duration {
        self.answer = answer
        sleep = { try await clock.sleep(until: clock.now.advanced(by: min($0, .longestSleep)), tolerance: nil) }
    }

    // MARK: What it received

    /// The requests so far, in order.
    public var requests: [ScriptedHTTPRequest] { requestLog.value }

    /// The address of the latest request, or `nil` before the first.
    public var lastURL: HTTPURL? { requests.last?.request.url }

    /// Waits until the session has received a number of requests, for at most `limit`.
    public func untilRequested(
        _ count: Int = 1, within limit: Duration = .seconds(10), fileID: String = #fileID, line: Int = #line
    ) async throws(ExpectationFailure) {
        try await requestLog.wait(
            for: "\(count) HTTP requests", within: limit, at: CallSite(fileID: fileID, line: line),
            nothing: "no request was sent", until: { $0.count >= count }
        ) { $0.map { "\($0.request): \($0.state)" } }
    }

    // MARK: What it answers

    /// Remembers a request and answers it from the script.
    public func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try request.validate()
        if Task.isCancelled { throw .cancelled }
        let number = requestLog.change { log in
            log.append(ScriptedHTTPRequest(request: request, state: .waiting))
            return log.count - 1
        }
        let result = await result(of: answer(request, number), for: request)
        requestLog.change { log in
            log[number].state =
                switch result {
                case .success(let response): .answered(response.status)
                case .failure(.cancelled): .cancelled
                case .failure(let error): .failed(error)
                }
        }
        return try result.get()
    }

    private func result(
        of answer: ScriptedHTTPAnswer, for request: HTTPRequest
    ) async -> Result<HTTPResponse, HTTPError> {
        let limits = request.ownLimits
        let (result, wait): (Result<HTTPResponse, HTTPError>, Duration) =
            if let result = answer.result, answer.responseTime < limits.timeout {
                (result, answer.responseTime)
            } else {
                (.failure(.timeout(limit: limits.timeout)), limits.timeout)
            }
        if wait > .zero {
            do { try await sleep(wait) } catch { return .failure(.cancelled) }
        }
        if Task.isCancelled { return .failure(.cancelled) }
        if case .success(let response) = result, response.body.count > limits.responseSize {
            return .failure(.tooLarge(limit: limits.responseSize))
        }
        return result
    }
}
