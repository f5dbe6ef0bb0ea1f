import LocationCore
import LocationRecordings
import TestSupport
import Testing

@Suite struct RecordingProviderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let lines = [
        #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T09:00:00.000Z","lat":45.0,"lon":7.0,"eph":5.0}"#,
        #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-11-20T09:00:01.000Z","lat":45.1,"lon":7.0,"eph":5.0}"#,
    ]

    @Test func `a session is recorded while it passes, and plays back the same`() async throws {
        let path = scratch.path("session.json")
        let text = Self.lines.joined(separator: "\n") + "\n"
        let source = ReplayProvider(.bytes(Array(text.utf8), name: "lines"), pace: .max)
        let live = try await source.recording(to: path, source: "a test").allUpdates().map(\.event)
        #expect(live.compactMap(\.location).map(\.coordinate.latitude) == [45, 45.1])
        // Lines are not passed on, because the request did not include them.
        #expect(!live.contains { if case .line = $0 { true } else { false } })
        let recorded = try scratch.text("session.json")
        #expect(recorded.contains("\"source\":\"a test\""))
        for line in Self.lines { #expect(recorded.contains(line)) }
        #expect(try await ReplayProvider(.path(path), pace: .max).allUpdates().map(\.event) == live)
    }

    @Test func `a file that cannot be written ends the session with an error`() async throws {
        let text = Self.lines.joined(separator: "\n") + "\n"
        for path in [scratch.path("missing/session.json"), "/dev/full"] {
            let source = ReplayProvider(.bytes(Array(text.utf8), name: "lines"), pace: .max)
            let error = await #expect(throws: LocationError.self) {
                _ = try await source.recording(to: path).allUpdates()
            }
            #expect(error?.code == "recording")
            #expect(error?.description.contains(path) == true)
        }
    }
}
