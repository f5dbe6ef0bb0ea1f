import LocationCore
import LocationTesting
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// One session as every output shows it.
///
/// A cold start, a first fix, corrections, a move out of a fence, a loss, a receiver and a gpsd that go, the return, and a jump. The golden
/// file has a section for each output, by its command.
@Suite(.serialized, .withClocks) struct SessionTranscriptTests {
    private static let path = "/dev/ttyACM0"
    private static let fence = "--fence home=45.0736,7.6804,100"
    private static let steps = coldStart + move + loss + back

    private static let coldStart: [ScriptStep] = [
        .searching(.connecting(attempt: 1)), .searching(.connected(release: "3.22")), .device(receiver),
        .wait(.seconds(1)), noFix, .wait(.seconds(4)), .satellites(sky), .location(place(5)), .wait(.seconds(1)),
        .location(with(place(6), addEverything)), .wait(.seconds(1)), .location(corrected), .wait(.seconds(1)),
        .attitude(Attitude(heading: 244.25, pitch: 1.5, timestamp: time(8), device: path)),
    ]

    private static var move: [ScriptStep] {
        (8...12).flatMap { second -> [ScriptStep] in
            [.location(place(second, north: 40 * Double(second - 7), speed: 40)), .wait(.seconds(1))]
        }
    }

    private static let loss: [ScriptStep] = [
        noFix, .wait(.seconds(2)), .searching(.deviceLost(path: path)), .wait(.seconds(1)),
        .error(.connectionLost(host: "localhost", port: "2947", cause: "gpsd closed it")), .wait(.seconds(2)),
        .searching(.connecting(attempt: 2)), .searching(.connected(release: "3.22")), .device(receiver),
        .wait(.seconds(2)),
    ]

    /// The return, and a jump by five kilometres.
    private static var back: [ScriptStep] {
        let steps = (20...26).flatMap { second -> [ScriptStep] in
            [.satellites(sky), .location(place(second, north: second < 24 ? 0 : 5000)), .wait(.seconds(1))]
        }
        return steps + [.end]
    }

    private static let receiver = with(DeviceStatus(path: path, activity: .reporting)) {
        ($0.driver, $0.subtype, $0.speed, $0.framing) = ("u-blox", "ROM 3.01,MOD=NEO-M8N-0", 9600, "8N1")
        ($0.cycle, $0.lastHeard) = (.seconds(1), time(0))
    }

    private static let noFix = ScriptStep.searching(.noFix(seen: 7, used: 0, best: 24), device: path)

    private static var sky: SkyView {
        var dilution = DilutionOfPrecision()
        (dilution.horizontal, dilution.vertical, dilution.position) = (1.1, 1.5, 1.9)
        let strong = Satellite(
            constellation: .gps, number: 5, prn: 5, elevation: 61, azimuth: 214, signal: 41.5, isUsed: true)
        let weak = Satellite(
            constellation: .glonass, number: 3, prn: 67, elevation: 12, azimuth: 12, signal: 24, isUsed: false)
        return SkyView(satellites: [strong, weak], seen: 16, used: 9, dilution: dilution, device: path)
    }

    private static func time(_ seconds: Int) -> Timestamp { Timestamp.testEpoch.advanced(by: .seconds(seconds)) }

    /// Returns a position some metres north of the fence's centre.
    private static func place(_ second: Int, north: Double = 0, speed: Double = 1.2) -> Location {
        let center = Coordinate(latitude: 45.0736, longitude: 7.6804)
        return with(ScriptedSession.location(0)) {
            $0.coordinate = SampleCoordinate.rounded(center.destination(distance: north, bearing: 0))
            ($0.timestamp, $0.received, $0.speed, $0.course) = (time(second), nil, speed, 0)
        }
    }

    /// Adds every number that the position of a receiver can have.
    private static func addEverything(_ location: inout Location) {
        let (coordinate, timestamp) = (location.coordinate, location.timestamp)
        location = ScriptedSession.everything
        (location.coordinate, location.timestamp, location.received) = (coordinate, timestamp, nil)
        location.quality = .ordinary
    }

    private static var corrected: Location {
        with(place(7)) {
            $0.quality = .rtkFloat
            ($0[.dgpsAge], $0[count: .dgpsStation]) = (1.5, 77)
        }
    }

    /// The commands whose output is the section.
    private static var commands: [String] {
        let fields = ["clock", "lat", "lon", "alt", "speed", "compass", "fix", "used", "seen", "fences", "integrity"]
        let form = fields.map { "%{\($0)}" }.joined(separator: "_")
        let watch = [
            "watch \(fence)", "watch --sky", "watch -v", "watch -s \(fence)", "watch --units imperial,dms",
            "watch -j --sky \(fence)", "watch --csv", "watch --csv --sky", "watch --csv -s",
            "watch -f \(form) \(fence)",
            "watch -f influx",
        ]
        let others = ["once", "once -j", "stats --utc", "stats -j", "devices", "devices -j", "record -"]
        return watch + StatusBar.all.map { "watch -f \($0.name)" } + others
            + TrackFormat.allCases.map { "export \($0.name)" }
    }

    private func run(_ line: String, terminal: FakeTerminal? = nil, as command: (any Command.Type)? = nil) async throws
        -> String
    {
        let result = try await CommandTrial.run("\(line) x", Self.steps, terminal: terminal, as: command)
        let errors = result.errors.split(separator: "\n").map { "stderr: \($0)\n" }.joined()
        return result.output.replacing("\r\n", with: "\n") + errors
    }

    /// Puts a word in the place of the version, which each release changes.
    private func withoutVersion(_ text: String) -> String {
        text.replacing(Version.number, with: "VERSION")
    }

    @Test func `one session is the same in every output`() async throws {
        var transcript = ""
        func add(_ name: String, _ text: String) {
            transcript += "=== \(name)\n\(text)\(text.hasSuffix("\n") ? "" : "\n")\n"
        }
        for command in Self.commands { add(command, try await run(command)) }
        let scratch = try Scratch()
        let rest = try await run("watch -q \(Self.fence) --metrics-file \(scratch.path("m.prom"))")
        #expect(rest.contains("45.07"))
        add("watch --metrics-file", try scratch.text("m.prom"))
        let terminal = try FakeTerminal(columns: 100, rows: 40)
        #expect(try await run("monitor --utc \(Self.fence)", terminal: terminal) == "")
        add("monitor", terminal.state.screen.text)
        add("hooks", try await run("watch \(Self.fence)", as: HookListCommand.self))
        #expect(scratch.names == ["m.prom"], "no draft is left")
        try Golden.expect(withoutVersion(transcript), is: "transcript.txt")
    }
}

private enum SampleCoordinate {
    static func rounded(_ place: Coordinate) -> Coordinate {
        func cut(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        return Coordinate(latitude: cut(place.latitude), longitude: cut(place.longitude))
    }
}

/// A command that prints the variables of each hook instead of running it.
private final class HookListCommand: Command, PrintingConsumer {
    static let entry = CommandEntry(
        "hooks", operands: [.source], options: ["fence"], summary: "print the variables of hooks", examples: [:])

    let output: OutputChannel
    private var detector: HookDetector

    static func run(_ session: CommandSession) -> ExitCode {
        session.run(SessionPlan(HookListCommand(session.output())))
    }

    private init(_ output: OutputChannel) {
        self.output = output
        let words = HookTrigger.TriggerKind.allCases.filter { $0 != .every }.flatMap { ["--on", "\($0.rawValue)=x"] }
        let fence = ["--fence", "home=45.0736,7.6804,100"]
        guard let settings = try? Invocation.parse(words + fence, exists: { _ in false }).settings else {
            preconditionFailure("these words are valid")
        }
        detector = HookDetector(settings)
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        for event in detector.events(of: update, view) {
            let variables = event.environment([:], precision: .decimals(7)).sorted { $0.key < $1.key }
            try output.put { out in
                for (name, value) in variables { out.put("\(name)=\(value)\n") }
                out.put("\n")
            }
        }
        return nil
    }
}
