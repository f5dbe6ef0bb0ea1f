@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .alone) struct ReceivedResponseTests {
    private func receive(_ lines: [String]) -> ReceivedResponse {
        let received = ReceivedResponse(sizeLimit: 10)
        for line in lines { _ = Array((line + "\r\n").utf8).withUnsafeBytes { received.appendHeader($0) } }
        return received
    }

    @Test func `the last response counts, and trailers do not`() {
        let response = receive([
            "HTTP/1.1 100 Continue", "X-Interim: 1", "", "HTTP/1.1 200 OK", "A: 1", "B:2", " continued", "\tagain",
            "broken",
            "", "X-Trailer: 1",
        ]).response
        #expect(response.status == 200)
        #expect(response.headers.fields.map(\.description) == ["A: 1", "B: 2 continued again"])
    }

    @Test(arguments: [("HTTP/1.1 404 Not Found", 404), ("HTTP/1.0 200", 200), ("HTTP/1.1", 0), ("HTTP/1.1 x y", 0)])
    func `the status is in the first line`(line: String, status: Int) {
        #expect(receive([line]).response.status == status)
    }

    @Test func `bytes that are not UTF-8 are replaced`() {
        let received = receive(["HTTP/1.1 200 OK"])
        _ = Array("X: ".utf8 + [0xFF]).withUnsafeBytes { received.appendHeader($0) }
        #expect(received.response.headers["X"] == "\u{FFFD}")
    }

    @Test func `a line that begins with a space before any header is dropped`() {
        #expect(receive(["HTTP/1.1 200 OK", " x"]).response.headers.fields.isEmpty)
    }

    @Test func `a body over the limit is refused`() {
        let received = receive(["HTTP/1.1 200 OK", ""])
        #expect([UInt8](repeating: 1, count: 10).withUnsafeBytes { received.appendBody($0) })
        #expect(received.excess == nil)
        #expect(![UInt8(1)].withUnsafeBytes { received.appendBody($0) })
        #expect(received.excess == .tooLarge(limit: 10))
        #expect(received.response.body.count == 10)
    }
}
