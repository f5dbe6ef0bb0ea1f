/// A transport that sends one HTTP request and returns its response.
///
/// `CurlHTTPSession` uses the network, `ScriptedHTTPSession` of `LocationTesting` a script. Code that
/// sends requests takes an ``HTTPClient``, which adds redirects and the checks that every session needs.
public protocol HTTPSession: Sendable {
    /// Sends a request and returns the response, whatever its status; a redirect is a response, too.
    ///
    /// Fails with ``HTTPError/cancelled`` as soon as the task is cancelled, and applies the limits of the request except the
    /// number of redirects.
    func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse

    /// Starts to send a request for code that does not run in a task, and returns a function that cancels the request.
    ///
    /// A session with a thread of its own needs no task for that; by default, a new task awaits `response(to:)`.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - completion: Receives the outcome once, on any thread, which it must not hold up.
    func start(
        _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> @Sendable () -> Void
}

extension HTTPSession {
    /// Sends a request in a new task, and returns a function that cancels the task.
    public func start(
        _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> @Sendable () -> Void {
        let task = Task {
            do throws(HTTPError) {
                completion(.success(try await response(to: request)))
            } catch {
                completion(.failure(error))
            }
        }
        return { task.cancel() }
    }
}
