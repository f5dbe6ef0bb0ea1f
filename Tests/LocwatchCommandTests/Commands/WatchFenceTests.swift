import LocationCore
import LocationTesting
import TestSupport
import Testing

/// The output of `watch` for fences at which nothing happens.
@Suite(.serialized, .withClocks) struct WatchFenceTests {
    private static func positions(_ count: Int, accuracy: Double) -> [ScriptStep] {
        let here = Location(coordinate: Coordinate(latitude: 52, longitude: 13), horizontalAccuracy: accuracy)
        return (0..<count).flatMap { _ in [.location(here), .wait(.seconds(1))] } + [.end]
    }

    @Test func `a fence that is too small for the positions is a notice, once`() async throws {
        let script = Self.positions(70, accuracy: 5)
        let text = try await CommandTrial.run("watch --fence tiny=52,13,2 x", script)
        let warning = "no position was accurate enough for the fence tiny for 30 s: it needs at most twice its radius"
        #expect(text.lines(with: "accurate enough for the fence tiny").count == 1, "\(text.output)")
        let json = try await CommandTrial.run("watch -j --fence tiny=52,13,2 x", script)
        #expect(try json.texts("notice", "message").count { $0.contains(warning) } == 1)
        #expect(try json.texts("fence", "change") == ["undecided"])
    }

    @Test func `a session that begins outside a fence prints nothing about it`() async throws {
        let script = Self.positions(40, accuracy: 5)
        let text = try await CommandTrial.run("watch --fence home=53,13,200 x", script)
        #expect(text.lines(with: "fence  ").isEmpty)
        #expect(try await CommandTrial.run("watch -j --fence home=53,13,200 x", script).objects("fence").isEmpty)
    }

    private static func swing(_ steps: [(distance: Double, bearing: Double)], accuracy: Double = 4) -> [ScriptStep] {
        let anchor = Coordinate(latitude: 52, longitude: 13)
        return steps.enumerated().flatMap { second, step in
            var boat = Location(coordinate: anchor.destination(distance: step.distance, bearing: step.bearing))
            boat.horizontalAccuracy = accuracy
            boat.timestamp = Timestamp.testEpoch.advanced(by: .seconds(second))
            return [ScriptStep.location(boat), .wait(.seconds(1))]
        } + [.end]
    }

    @Test(arguments: [("", 1), (",margin=5", 1), (",margin=20", 0)])
    func `a boat that drags to 58 m and stays leaves an anchor of 40 m, unless its margin is greater`(
        margin: String, exits: Int
    ) async throws {
        let script = Self.swing([(0, 0), (20, 90), (38, 45)] + Array(repeating: (58, 180), count: 20), accuracy: 10)
        let result = try await CommandTrial.run("watch -j --fence anchor=here,40\(margin) x", script)
        #expect(try result.texts("fence", "change") == ["inside"] + Array(repeating: "exit", count: exits))
    }

    @Test func `each position and each event has the distance and the bearing of a fence`() async throws {
        let script = Self.swing([(0, 0), (20, 90), (38, 180), (90, 180), (90, 180)])
        let json = try await CommandTrial.run("watch -j --fence anchor=here,40 x", script)
        let positions = json.lines.filter { $0.contains(#""event":"location""#) }
        // The first position is the anchor, and has no bearing of itself.
        let first = #""fences":[{"name":"anchor","inside":true,"distance":0}]"#
        #expect(positions.first?.contains(first) == true, "\(json.output)")
        #expect(positions[1].contains(#""fences":[{"name":"anchor","inside":true,"distance":20,"bearing":270}]"#))
        let exit = json.lines.first { $0.contains(#""change":"exit""#) }
        #expect(exit?.hasSuffix(#""distance":90,"bearing":0,"text":"exited anchor"}"#) == true, "\(json.output)")
        let form = "%{fence.anchor.distance}|%{fence.anchor.bearing:.2}|%{fence.anchor.distance:.0}"
        let text = try await CommandTrial.run("watch -f \(form) --units imperial --fence anchor=here,40 x", script)
        #expect(text.lines.prefix(3) == ["0|-|0", "65.6|270.00|66", "124.7|0.00|125"], "\(text.output)")
    }

    @Test func `an anchor whose positions are too inaccurate says what it needs`() async throws {
        let script = Self.swing(Array(repeating: (0, 0), count: 40), accuracy: 81)
        let json = try await CommandTrial.run("watch -j --fence anchor=here,40 x", script)
        #expect(try json.texts("fence", "change") == ["inside", "undecided"])
        let text = try await CommandTrial.run("watch --fence anchor=here,40 x", script)
        #expect(
            text.output.contains("for the fence anchor for 30 s: it needs at most twice its radius"), "\(text.output)")
    }

    @Test func `a template has the age of a position when it arrived`() async throws {
        var late = Location(coordinate: Coordinate(latitude: 52, longitude: 13))
        late.timestamp = Timestamp.testEpoch
        late.received = Timestamp.testEpoch.advanced(by: .milliseconds(2346))
        let result = try await CommandTrial.run("watch -f %{age}|%{age:.2} x", [.location(late), .end])
        #expect(result.lines == ["2.3|2.35"], "\(result.output)")
    }
}
