import LocationCore
import LocationPublishing
import LocationTesting
import Testing

struct PositionUploader {
    var client: HTTPClient
    var url: HTTPURL

    /// Sends each position, and returns how many were delivered when the session ends.
    func upload(_ provider: some LocationProvider) async throws(LocationError) -> Int {
        var delivered = 0
        var waiting: [Location] = []
        for try await location in provider.moved(by: 10).locations() {
            waiting.append(location)
            do throws(HTTPError) {
                while let oldest = waiting.first {
                    try await send(oldest)
                    waiting.removeFirst()
                    delivered += 1
                }
            } catch {
                waiting = waiting.suffix(100)
            }
        }
        return delivered
    }

    private func send(_ location: Location) async throws(HTTPError) {
        let json = #"{"lat":\#(location.coordinate.latitude),"lon":\#(location.coordinate.longitude)}"#
        let response = try await client.post(url, body: Array(json.utf8), contentType: "application/json")
        try response.requireSuccess()
    }
}

@Test func `positions that the server refuses are sent again before the next one`() async throws {
    let session = ScriptedHTTPSession([.status(503), .status(500), .status(200), .status(200), .status(200)])
    let uploader = PositionUploader(
        client: HTTPClient(session: session), url: try HTTPURL("https://example.org/positions"))
    let source = ScriptedLocationSource(
        [.location(1, 2), .location(3, 4), .location(5, 6), .end], clock: ManualClock())

    #expect(try await uploader.upload(source) == 3)

    let bodies = session.requests.map { String(decoding: $0.request.body, as: UTF8.self) }
    let (first, second, third) = (#"{"lat":1.0,"lon":2.0}"#, #"{"lat":3.0,"lon":4.0}"#, #"{"lat":5.0,"lon":6.0}"#)
    #expect(bodies == [first, first, first, second, third])
    #expect(session.requests.prefix(2).map(\.state) == [.answered(503), .answered(500)])
}
