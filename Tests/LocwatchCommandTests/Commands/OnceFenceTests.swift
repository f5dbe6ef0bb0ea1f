import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchTerminal

/// The command `once --fence`: whether the position is in a fence, as an exit code.
@Suite(.serialized, .alone) struct OnceFenceTests {
    private static func fix(_ latitude: Double, accuracy: Double? = 5, device: String = "/dev/gps0") -> ScriptStep {
        .location(
            Location(
                coordinate: Coordinate(latitude: latitude, longitude: 13), timestamp: .testEpoch, device: device,
                horizontalAccuracy: accuracy))
    }

    private static let home = "--fence home=52,13,100"
    private static let work = "--fence work=52.5,13,100"
    private static let city = "--fence city=52,13,5000"

    @Test(
        arguments: [
            (home, 52.0, 0, "inside home"), (home, 52.1, 1, nil), ("\(home) \(work)", 52.5, 0, "inside work"),
            ("\(home) \(work)", 52.2, 1, nil), ("", 52.1, 0, nil),
        ] as [(String, Double, Int32, String?)])
    func `the exit code tells whether the position is in any fence`(
        fences: String, latitude: Double, status: Int32, words: String?
    ) async throws {
        let result = try await CommandTrial.run("once \(fences) x", [Self.fix(latitude), .hang])
        #expect(result.status == status, "\(result.errors)")
        #expect(result.lines.count == (words == nil ? 1 : 2), "\(result.output)")
        #expect(result.lines.last?.contains(words ?? "±5.0 m") == true, "\(result.output)")
        #expect(result.errors.isEmpty)
    }

    @Test(arguments: [(52, 0), (52.1, 1)])
    func `a position without an accuracy counts`(latitude: Double, status: Int32) async throws {
        let script = [Self.fix(latitude, accuracy: nil), .hang]
        #expect(try await CommandTrial.run("once \(Self.home) x", script).status == status)
    }

    @Test func `without a position it is unknown, which is 75`() async throws {
        let script: [ScriptStep] = [.searching(.noFix(seen: 3, used: 0, best: 20)), .hang]
        #expect(try await CommandTrial.run("once -t 5s \(Self.home) x", script).status == 75)
    }

    @Test func `a position that is too coarse for its fence does not count, and the next one does`() async throws {
        let coarse = Self.fix(52, accuracy: 400)
        let waited = try await CommandTrial.run(
            "once \(Self.home) x", [coarse, .wait(.seconds(3)), Self.fix(52.1), .hang])
        #expect(waited.status == 1)
        let late = try await CommandTrial.run("once -t 5s \(Self.home) x", [coarse, .hang])
        #expect(late.status == 75)
        #expect(late.errors.contains("400") && late.errors.contains("200"), "\(late.errors)")
        // It is sufficient to be in a fence for which the position is accurate enough.
        #expect(try await CommandTrial.run("once \(Self.home) \(Self.city) x", [coarse, .hang]).status == 0)
    }

    @Test func `the time limit holds in a recording that is read at once`() async throws {
        let script = [Self.fix(52, accuracy: 400), .wait(.seconds(55)), Self.fix(52), .end]
        let result = try await CommandTrial.run("once -t 3s --pace max \(Self.home) x", script)
        #expect(result.status == 75)
        #expect(result.errors.contains("accurate to 400 m"), "\(result.errors)")
    }

    @Test func `the receiver with the best position decides`() async throws {
        let script = [
            Self.fix(52, accuracy: 90), Self.fix(52.1, accuracy: 5, device: "/dev/gps1"), .wait(.seconds(5)), .hang,
        ]
        let devices = ["/dev/gps0", "/dev/gps1"].map {
            ScriptStep.device(DeviceStatus(path: $0, activity: .reporting))
        }
        #expect(try await CommandTrial.run("once \(Self.home) x", devices + script).status == 1)
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
        #expect(try outside.objects("fence").isEmpty && outside.words().last == "end count")
    }
}
