@testable import LocationPublishing
import TestSupport
import Testing

@Suite(.serialized, .withFew) struct ReceivedResponseTests {
    private func receive(_ lines: [String]) -> ReceivedResponse {
        let received = ReceivedResponse(sizeLimit: 10)
        for line in lines { _ = Array((line + "\r\n").utf8).withUnsafeBytes { received.appendHeader($0) } }
        return received
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

    @Test func `a line without a colon, and one that continues no header, are dropped`() {
        let headers = receive(["HTTP/1.1 200 OK", " x", "A:1", "broken", "B: 2"]).response.headers
        #expect(headers.fields.map(\.description) == ["A: 1", "B: 2"])
    }
}
