import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct CurlTLSTests {
    private let authority: Authority

    init() throws { authority = try Authority() }

    private func fault(_ certificate: Certificate, authority file: String? = nil) async throws -> HTTPTLSFault.Reason {
        let server = try HTTPServer(certificate)
        let client = try HTTPClient.direct(authority: file ?? authority.file)
        let error = try await failure(of: HTTPRequest(.get, server.url("/ok")), over: client)
        #expect(try Self.requests(at: server) == 0, "no request may arrive")
        guard case .tls("127.0.0.1", let fault) = error else { throw error }
        return fault.reason
    }

    /// Returns the number of requests that a server has received, as a client counts them that accepts every certificate.
    private static func requests(at server: HTTPServer) throws -> Int {
        let script = """
            import ssl, sys, urllib.request
            context = ssl._create_unverified_context()
            print(urllib.request.urlopen(sys.argv[1], context=context).read().decode())
            """
        let tool = try Tool("/usr/bin/python3", ["-c", script, "\(server.url("/count/requests"))"])
        return try #require(Int(tool.output.split(separator: "\n").first ?? ""), "\(tool.errors)")
    }

    @Test func `a certificate of an own authority is accepted, and the connection is kept`() async throws {
        let server = try HTTPServer(try authority.sign())
        let client = try HTTPClient.direct(authority: authority.file)
        for _ in 0..<3 { #expect(try await client.get(server.url("/ok")).text == "ok") }
        #expect(try await client.get(server.url("/count/connections")).text == "1")
    }

    @Test func `a certificate of an unknown authority, for another name, or one that has expired is refused`()
        async throws
    {
        let other = try Authority()
        #expect(try await fault(authority.sign(), authority: other.file) == .untrusted)
        #expect(try await fault(authority.sign("DNS:other.example")) == .wrongName)
        #expect(try await fault(authority.sign(days: -1)) == .expired)
    }

    @Test func `a missing file of authorities is named`() async throws {
        let fault = try await fault(authority.sign(), authority: "/nonexistent.pem")
        guard case .authorityFile(let cause) = fault else { throw HTTPError.other(cause: "\(fault)") }
        #expect(cause.contains("/nonexistent.pem"))
    }

    @Test func `a client is recognized by its certificate`() async throws {
        let server = try HTTPServer(try authority.sign(), clientAuthority: authority.file)
        let own = try CurlHTTPSession.direct(authority: authority.file, certificate: authority.sign("DNS:client"))
        #expect(try await HTTPClient(session: own).get(server.url("/ok")).text == "ok")
        let missing = Certificate(file: "/nonexistent.pem", key: "/nonexistent.key")
        let wrong = try CurlHTTPSession.direct(authority: authority.file, certificate: missing)
        let error = try await failure(of: HTTPRequest(.get, server.url("/ok")), over: HTTPClient(session: wrong))
        guard case .tls(_, let fault) = error, case .clientCertificate = fault.reason else { throw error }
    }

    @Test func `a server without TLS fails the handshake`() async throws {
        let server = try HTTPServer()
        let url = try HTTPURL("https://127.0.0.1:\(server.port)/ok")
        let error = try await failure(of: HTTPRequest(.get, url))
        guard case .tls(_, let fault) = error, case .handshake = fault.reason else { throw error }
    }
}
