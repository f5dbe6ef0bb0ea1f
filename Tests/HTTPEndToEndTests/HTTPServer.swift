import Foundation
import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

/// The script `http_server.py` on a free port of this machine, ended with the value.
final class HTTPServer: Sendable {
    let scheme: HTTPURL.Scheme
    let port: UInt16
    private let child: ChildProcess
    private let leash: Int32

    /// Starts the server; with certificates it speaks TLS.
    init(_ certificate: Certificate? = nil, clientAuthority: String? = nil) throws {
        scheme = certificate == nil ? .http : .https
        try requireProgram("/usr/bin/python3", package: "python3")
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "http_server.py").path
        let (input, output) = (try PrivatePipe(), try PrivatePipe())
        defer {
            close(input.readEnd)
            close(output.readEnd)
        }
        child = try ChildProcess(
            path: "/usr/bin/python3",
            arguments: ["-u", script] + (certificate.map { [$0.file, $0.key] } ?? [])
                + (clientAuthority.map { [$0] } ?? []),
            environment: ["PATH": "/usr/bin:/bin"], input: input.readEnd, output: output.writeEnd, error: 2)
        leash = input.writeEnd
        close(output.writeEnd)
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output.readEnd, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        guard let port = UInt16(String(decoding: line, as: UTF8.self)) else {
            throw ProgramFailure(description: "http_server.py does not run: its own message is above")
        }
        self.port = port
    }

    deinit {
        close(leash)
        child.end()
    }

    func url(_ path: String) throws -> HTTPURL { try HTTPURL("\(scheme)://127.0.0.1:\(port)\(path)") }

    /// Returns what the server has counted: connections, requests or abandoned requests.
    func count(_ name: String) async throws -> Int {
        let response = try await HTTPClient(session: CurlHTTPSession.direct()).get(url("/count/\(name)"))
        return try #require(Int(response.text))
    }
}

extension CurlHTTPSession {
    /// Returns a session that uses no proxy, whatever the environment of the tests says.
    static func direct(
        authority: String? = nil, certificate: Certificate? = nil
    ) throws(HTTPError) -> CurlHTTPSession {
        var options = Options()
        options.usesEnvironmentProxy = false
        options.authorityFile = authority
        options.certificateFile = certificate?.file
        options.keyFile = certificate?.key
        return try CurlHTTPSession(options)
    }
}

extension HTTPClient {
    /// Returns a client over a session of its own.
    static func direct(authority: String? = nil) throws(HTTPError) -> HTTPClient {
        HTTPClient(session: try CurlHTTPSession.direct(authority: authority))
    }
}

extension HTTPRequest {
    /// Returns the request with other limits.
    func with(_ change: (inout HTTPLimits) -> Void) -> HTTPRequest {
        TestSupport.with(self) { $0.limits = TestSupport.with($0.limits ?? HTTPLimits(), change) }
    }
}

/// Returns the error of a request, and fails if there is none.
func failure(
    of request: HTTPRequest, over client: HTTPClient? = nil, location: SourceLocation = #_sourceLocation
) async throws -> HTTPError {
    let client = try client ?? .direct()
    do throws(HTTPError) {
        let response = try await client.send(request)
        Issue.record("\(request) was answered: \(response.debugDescription)", sourceLocation: location)
        return .other(cause: "answered")
    } catch {
        return error
    }
}
