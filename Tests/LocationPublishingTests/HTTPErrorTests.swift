import LocationCore
import LocationPublishing
import Testing

@Suite struct HTTPErrorTests {
    @Test(
        arguments: [
            (.invalidURL(.credentials), "invalid URL: a user name or password must not be in the address"),
            (.invalidURL(.scheme), "invalid URL: it must begin with http:// or https://"),
            (.invalidURL(.host), "invalid URL: its host is neither a name nor an address"),
            (.invalidURL(.port), "invalid URL: its port must be a number from 1 to 65535"),
            (.invalidURL(.character), "invalid URL: it contains a character that must be percent-encoded"),
            (.invalidURL(.percentEncoding), "invalid URL: a % in it is not followed by two hexadecimal digits"),
            (.invalidURL(.length), "invalid URL: it has more than 8000 bytes"),
            (.invalidHeader(name: "X\r\nY"), #"invalid header "X\r\nY""#),
            (.unexpectedBody(.get), "a GET request has no body"),
            (.unresolvable(host: "a.invalid", port: 80, cause: "x"), "cannot resolve a.invalid"),
            (
                .unreachable(host: "a", port: 80, cause: "refused\u{1b}[2J"),
                #"cannot connect to a, port 80: refused\x1b[2J"#
            ),
            (.tls(host: "a", .untrusted), "no secure connection to a: no known authority has signed its certificate"),
            (.connectionTimeout(limit: .seconds(10)), "no connection within 10.0 seconds"),
            (.timeout(limit: .seconds(30)), "no complete response within 30.0 seconds"),
            (.connectionLost(host: "a", port: 80, cause: "x"), "connection lost: x"),
            (.malformedResponse(host: "a", port: 80, cause: "x"), "not an HTTP response: x"),
            (.headersTooLarge(limit: 5), "the headers of the response have more than 5 bytes"),
            (.tooLarge(limit: 5), "the response has more than 5 bytes"),
            (
                .redirected(status: 301, to: "https://b/x"),
                "the server answered with status 301: use the address https://b/x"
            ),
            (
                .redirected(status: 302, to: "file:///etc/passwd"),
                #"the server answered with status 302, and names the address "file:///etc/passwd""#
            ),
            (
                .redirected(status: 302, to: "/login"),
                #"the server answered with status 302, and names the address "/login""#
            ),
            (
                .redirected(status: 301, to: "https://b/\u{1B}"),
                #"the server answered with status 301, and names the address "https://b/\x1b""#
            ),
            (.status(404), "the server answered with status 404"),
            (.cancelled, "cancelled"),
            (
                .libraryMissing(library: "libcurl.so.4", package: "libcurl4"),
                "libcurl.so.4 is not installed: install the package libcurl4"
            ),
            (.other(cause: "x"), "x"),
        ] as [(HTTPError, String)])
    func `an error has a message for people`(error: HTTPError, message: String) {
        #expect("\(error)" == message)
    }

    @Test(
        arguments: [
            (.untrusted, "no known authority has signed its certificate"),
            (.wrongName, "its certificate belongs to another name"), (.expired, "its certificate has expired"),
            (.notYetValid, "its certificate is not valid yet; check the clock"),
            (.revoked, "its certificate has been revoked"), (.handshake(cause: "x"), "x"),
            (.authorityFile(cause: "x"), "cannot read the certificates of authorities: x"),
            (.clientCertificate(cause: "x\u{1B}"), #"cannot use the client's certificate: x\x1b"#),
        ] as [(HTTPTLSFault.Reason, String)])
    func `a fault of TLS has a message for people`(reason: HTTPTLSFault.Reason, message: String) {
        #expect("\(HTTPTLSFault(reason: reason))" == message)
    }

    @Test(arguments: [
        (400, true, false), (499, true, false), (500, false, true), (599, false, true), (600, false, false),
    ])
    func `a range of statuses is a pattern for its errors`(status: Int, isSenders: Bool, isServers: Bool) {
        #expect((400..<500 ~= HTTPError.status(status)) == isSenders)
        #expect((500...599 ~= HTTPError.status(status)) == isServers)
        #expect(!(400...599 ~= HTTPError.cancelled))
    }
}
