/// An HTTP session over libcurl, which is opened when the session is created.
///
/// All requests of a session share one thread and the connections that it keeps open for the next request. Certificates are
/// verified. A proxy is taken from the environment (`http_proxy`, `https_proxy`, `no_proxy`). Responses that are compressed
/// with gzip or deflate are decompressed. Requests are HTTP/1.1.
///
/// When the session is released, its connections are closed and its thread ends.
public final class CurlHTTPSession: HTTPSession {
    /// The settings of a session.
    public struct Options: Hashable, Sendable {
        /// A file with the certificates of the trusted authorities in PEM form; `nil` stands for the system's.
        public var authorityFile: String?
        /// A file with the certificate by which servers recognize the client, in PEM form.
        public var certificateFile: String?
        /// A file with the key of that certificate, in PEM form.
        public var keyFile: String?
        /// Whether the proxy that the environment names is used.
        public var usesEnvironmentProxy = true

        /// Creates settings for the system's authorities, without a client certificate.
        public init() {}

        /// Creates the settings of a session that uses the files of an encrypted connection.
        package init(_ encryption: MQTTSettings.Encryption) {
            authorityFile = encryption.authorityFile
            certificateFile = encryption.certificateFile
            keyFile = encryption.keyFile
        }
    }

    private let loop: CurlLoop

    /// Opens libcurl and starts the session's thread.
    ///
    /// - Throws: `HTTPError.libraryMissing` if libcurl is not installed.
    public init(_ options: Options = Options()) throws(HTTPError) {
        loop = try CurlLoop(try CurlLibrary.load(), options)
    }

    deinit { loop.stop() }

    /// Sends a request and returns the response, whatever its status.
    ///
    /// A cancelled request ends at once, and its connection is closed.
    public func response(to request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        // The session would end the request if it were released meanwhile.
        defer { withExtendedLifetime(self) {} }
        return try await loop.response(to: request).get()
    }

    /// Starts to send a request for code that does not run in a task, and returns a function that cancels the request;
    /// releasing the session cancels it too.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - completion: Receives the outcome once, on any thread, which it must not hold up.
    package func start(
        _ request: HTTPRequest, completion: @escaping @Sendable (Result<HTTPResponse, HTTPError>) -> Void
    ) -> @Sendable () -> Void {
        let number = loop.nextNumber()
        loop.start(request, number, completion)
        return { [loop] in loop.cancel(number) }
    }
}
