import LocationPublishingTesting
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
        var missing: Location?
        for try await location in provider.settled().moved(by: 10).locations() {
            for location in [missing, location].compactMap(\.self) {
                do throws(HTTPError) {
                    try await send(location)
                    delivered += 1
                    missing = nil
                } catch {
                    missing = location
                }
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

@Test func `a position that the server refuses is sent again with the next one`() async throws {
    let session = ScriptedHTTPSession([.status(503), .status(200), .status(200)])
    let uploader = PositionUploader(
        client: HTTPClient(session: session), url: try HTTPURL("https://example.org/positions"))
    let source = ScriptedLocationSource([.location(1, 2), .location(3, 4), .end], clock: ManualClock())

    #expect(try await uploader.upload(source) == 2)

    let bodies = session.requests.map { String(decoding: $0.request.body, as: UTF8.self) }
    #expect(
        bodies == [#"{"lat":1.0,"lon":2.0}"#, #"{"lat":1.0,"lon":2.0}"#, #"{"lat":3.0,"lon":4.0}"#])
    #expect(session.requests.map(\.state) == [.answered(503), .answered(200), .answered(200)])
}
