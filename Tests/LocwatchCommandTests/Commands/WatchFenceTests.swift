import LocationCore
import LocationTesting
import Testing

/// The output of `watch` for fences at which nothing happens.
@Suite struct WatchFenceTests {
    private static func positions(_ count: Int, accuracy: Double) -> [ScriptStep] {
        let here = Location(coordinate: Coordinate(latitude: 52, longitude: 13), horizontalAccuracy: accuracy)
        return Array(repeating: .location(here), count: count) + [.end]
    }

    @Test func `a fence that is too small for the positions is a notice, once`() async throws {
        let script = Self.positions(70, accuracy: 5)
        let text = try await CommandTrial.run("watch --fence tiny=52,13,2 x", script)
        let warning = "no position has been accurate enough for the fence tiny: it needs at most twice its radius"
        #expect(text.lines.count { $0.contains("accurate enough for the fence tiny") } == 1, "\(text.output)")
        let json = try await CommandTrial.run("watch -j --fence tiny=52,13,2 x", script)
        #expect(json.lines.count { $0.contains(#""event":"notice""#) && $0.contains(warning) } == 1)
        #expect(!json.output.contains(#""event":"fence""#))
    }

    @Test func `a session that begins outside a fence prints nothing about it`() async throws {
        let script = Self.positions(40, accuracy: 5)
        for format in ["", "-j"] {
            let result = try await CommandTrial.run("watch \(format) --fence home=53,13,200 x", script)
            #expect(!result.output.contains("home"), "\(result.output)")
        }
    }
}
