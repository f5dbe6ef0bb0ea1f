import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// The command `once --fence`: whether the position is in a fence, as an exit code.
@Suite(.serialized, .withClocks) struct OnceFenceTests {
    private static func fix(_ latitude: Double, accuracy: Double? = 5, device: String = "/dev/gps0") -> ScriptStep {
        .location(
            Location(
                coordinate: Coordinate(latitude: latitude, longitude: 13), timestamp: .testEpoch, device: device,
                horizontalAccuracy: accuracy))
    }

    private static let home = "--fence home=52,13,100"
    private static let work = "--fence work=52.5,13,100"
    private static let city = "--fence city=52,13,5000"

    private static let receivers = ["/dev/gps0", "/dev/gps1"].map {
        ScriptStep.device(DeviceStatus(path: $0, activity: .reporting))
    }
    private static let coarse = fix(52, accuracy: 400)

    /// A case with its options, its script, the exit code, and words of the output or the message.
    @Test(
        arguments: [
            ("inside", home, [fix(52)], 0, "inside home"), ("outside", home, [fix(52.1)], 1, "±5.0 m"),
            ("inside the second one", "\(home) \(work)", [fix(52.5)], 0, "inside work"),
            ("outside both", "\(home) \(work)", [fix(52.2)], 1, "±5.0 m"), ("no fence", "", [fix(52.1)], 0, "±5.0 m"),
            ("inside, of unknown accuracy", home, [fix(52, accuracy: nil)], 0, "inside home"),
            ("outside, of unknown accuracy", home, [fix(52.1, accuracy: nil)], 1, nil),
            ("no position", "-t 5s \(home)", [.searching(.noFix(seen: 3, used: 0, best: 20))], 75, "3 satellites seen"),
            ("a coarse position before a good one", home, [coarse, .wait(.seconds(3)), fix(52.1)], 1, "±5.0 m"),
            ("a coarse position", "-t 5s \(home)", [coarse], 75, "accurate to 200 m; the best is accurate to 400 m"),
            ("a fence for which the position is accurate enough", "\(home) \(city)", [coarse], 0, "inside city"),
            (
                "a recording that is read at once, after the time limit", "-t 3s --pace max \(home)",
                [coarse, .wait(.seconds(55)), fix(52)], 75, "accurate to 400 m"
            ),
            (
                "the receiver with the best position", home,
                receivers + [fix(52, accuracy: 90), fix(52.1, device: "/dev/gps1"), .wait(.seconds(5))], 1, "±5.0 m"
            ),
        ] as [(String, String, [ScriptStep], Int32, String?)])
    func `the exit code tells whether the position is in any fence for which it is accurate enough`(
        case name: String, options: String, script: [ScriptStep], status: Int32, words: String?
    ) async throws {
        let result = try await CommandTrial.run("once \(options) x", script + [.hang])
        #expect(result.status == status, "\(result.errors)")
        #expect(result.lines.count == (words?.hasPrefix("inside") == true ? 2 : status == 75 ? 0 : 1))
        let text = status == 75 ? result.errors : result.lines.last
        #expect(words == nil || text?.contains(words ?? "") == true, "\(result)")
        #expect(result.errors.isEmpty == (status != 75))
    }

    @Test(arguments: [("%{fences}", "home\n"), ("waybar", #"{"text":"home ±5.0 m""#)])
    func `a template and a bar have the name of the fence`(form: String, beginning: String) async throws {
        let result = try await CommandTrial.run("once \(Self.home) -f \(form) x", [Self.fix(52), .hang])
        #expect(result.output.hasPrefix(beginning), "\(result.output)")
    }

    @Test func `the advice about a fence that is too small names the fence`() async throws {
        let late = try await CommandTrial.run("once -t 5s --fence tiny=52,13,2 x", [Self.fix(52), .hang])
        #expect(late.status == 75)
        let json = try await CommandTrial.run("once -j -t 5s --fence tiny=52,13,2 x", [Self.fix(52), .hang])
        for text in [late.errors, try #require(json.lines(with: #""event":"error""#).first)] {
            #expect(text.contains("use a larger fence: --fence tiny needs a position of at most twice its radius"))
            #expect(!text.contains("-a "), "\(text)")
        }
    }

    @Test func `JSON has the event of each fence around the position`() async throws {
        let inside = try await CommandTrial.run("once -j \(Self.home) \(Self.city) x", [Self.fix(52), .hang])
        #expect(inside.status == 0)
        #expect(try inside.texts("fence", "change") == ["inside", "inside"])
        let outside = try await CommandTrial.run("once -j \(Self.home) x", [Self.fix(52.1), .hang])
        #expect(outside.status == 1)
        #expect(try outside.objects("fence").isEmpty && outside.words().suffix(2) == ["location", "end count"])
    }
}
