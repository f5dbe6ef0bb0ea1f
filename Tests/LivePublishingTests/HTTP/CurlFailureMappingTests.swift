import CCurl
import Glibc
@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct CurlFailureMappingTests {
    @Test(arguments: ["libcurl-missing.so.4", "libm.so.6"])
    func `a library that is missing, or without the functions, is an error that names its package`(library: String) {
        let error = #expect(throws: HTTPError.self) { try CurlLibrary.load(library) }
        #expect(error == .libraryMissing(library: library, package: "libcurl4"))
    }

    private func error(
        _ code: CURLcode, _ message: String = "", systemError: Int32 = 0, limit: Duration = .seconds(30)
    ) throws -> HTTPError {
        var limits = HTTPLimits()
        limits.timeout = limit
        let failure = CurlFailure(
            code: code, message: message, text: "general", systemError: Int(systemError), verification: 0,
            isConnected: false)
        return failure.error(
            for: HTTPRequest(.get, try HTTPURL("https://example.org:8443/x?token=secret"), limits: limits))
    }

    @Test func `if both limits have passed at once, a timeout is that of the request`() throws {
        #expect(try error(CURLE_OPERATION_TIMEDOUT, limit: .seconds(10)) == .timeout(limit: .seconds(10)))
        #expect(try error(CURLE_OPERATION_TIMEDOUT, limit: .seconds(11)) == .connectionTimeout(limit: .seconds(10)))
    }

    private func lost(_ cause: String) -> HTTPError { .connectionLost(host: "example.org", port: 8443, cause: cause) }

    @Test func `the same failure has the same words, however long it took`() throws {
        let refused = "Failed to connect to localhost port 1 after 12 ms: Connection refused"
        let cause = "Failed to connect to localhost port 1: Connection refused"
        #expect(
            try error(CURLE_COULDNT_CONNECT, refused)
                == .unreachable(host: "example.org", port: 8443, cause: cause))
        #expect(try error(CURLE_RECV_ERROR, "failed after ms") == lost("failed after ms"))
        #expect(try error(CURLE_RECV_ERROR, "failed after 5") == lost("failed after 5"))
    }

    @Test func `a refused connection has the reason of the system, unless it was one to a proxy`() throws {
        for (host, cause) in [("example.org", "Connection refused"), ("proxy", "Failed to connect to proxy port 1")] {
            let error = try error(
                CURLE_COULDNT_CONNECT, "Failed to connect to \(host) port 1", systemError: ECONNREFUSED)
            #expect(error == .unreachable(host: "example.org", port: 8443, cause: cause))
        }
    }

    @Test func `the message for the failure comes before the general one`() throws {
        #expect(try error(CURLE_RECV_ERROR, "special") == lost("special"))
        #expect(try error(CURLE_RECV_ERROR) == lost("general"))
        #expect(try error(CURLE_OUT_OF_MEMORY) == .other(cause: "general"))
    }

    @Test func `a proxy has failures of its own`() throws {
        #expect(
            try error(CURLE_COULDNT_RESOLVE_PROXY)
                == .unresolvable(host: "the proxy to example.org", port: 8443, cause: "general"))
        #expect(try error(CURLE_PROXY) == .unreachable(host: "example.org", port: 8443, cause: "general"))
    }
}
