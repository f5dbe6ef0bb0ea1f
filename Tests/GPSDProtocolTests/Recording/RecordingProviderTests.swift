import LocationCore
import GPSDProtocol
import TestSupport
import Testing

@Suite struct RecordingProviderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let lines = [greeting, tpv(0, lat: 45), tpv(1, lat: 45.1)]
    private static let source = ReplayProvider(
        .bytes(Array((lines.joined(separator: "\n") + "\n").utf8), name: "lines"), pace: .max)

    @Test func `a session is recorded while it passes, and plays back the same`() async throws {
        let path = scratch.path("session.json")
        let live = try await Self.source.recording(to: path, source: "a test").allUpdates().map(\.event)
        #expect(live.compactMap(\.location).map(\.coordinate.latitude) == [45, 45.1])
        // Lines are not passed on, because the request did not include them.
        #expect(!live.contains { if case .line = $0 { true } else { false } })
        let recorded = try scratch.text("session.json")
        #expect(recorded.contains("\"source\":\"a test\""))
        for line in Self.lines { #expect(recorded.contains(line)) }
        #expect(try await ReplayProvider(.path(path), pace: .max).allUpdates().map(\.event) == live)
    }

    @Test func `a file that cannot be written ends the session with an error`() async throws {
        for path in [scratch.path("missing/session.json"), "/dev/full"] {
            let error = await #expect(throws: LocationError.self) {
                _ = try await Self.source.recording(to: path).allUpdates()
            }
            #expect(error?.code == "recording")
            #expect(error?.description.contains(path) == true)
        }
    }
}
