/// A transport that sends one HTTP request and returns its response.
///
/// `CurlHTTPSession` uses the network, `ScriptedHTTPSession` of `LocationPublishingTesting` a script. Code that sends requests
/// takes an ``HTTPClient``, which adds the checks that every session needs.
public protocol HTTPSession: Sendable {
    /// Sends a request and returns the response, whatever its status; a redirect is a response, too.
    ///
    /// Fails with ``HTTPError/cancelled`` as soon as the task is cancelled, and applies the limits of the request.
    func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse
}
