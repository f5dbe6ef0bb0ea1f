/// A transport that sends one HTTP request and returns its response.
///
/// `CurlHTTPSession` uses the network, `ScriptedHTTPSession` of `LocationTesting` a script. Code that sends requests
/// takes an ``HTTPClient``, which adds the checks that every session needs.
public protocol HTTPSession: Sendable {
    /// Sends a request and returns the response, whatever its status; a redirect is a response, too.
    ///
    /// Fails with ``HTTPError/cancelled`` as soon as the task is cancelled, and applies the limits of the request.
    func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}

/// A session with a thread of its own, which needs no task to send a request.
package protocol ThreadedHTTPSession: HTTPSession {
    /// Starts to send a request, and returns a function that cancels it; see `start`.
    func begin(
        _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> @Sendable () -> Void
}

extension HTTPSession {
    /// Starts to send a request for code that does not run in a task, and returns a function that cancels the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - completion: Receives the outcome once, on any thread, which it must not hold up.
    package func start(
        _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> @Sendable () -> Void {
        if let session = self as? any ThreadedHTTPSession { return session.begin(request, completion: completion) }
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
