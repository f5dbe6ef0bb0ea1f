import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationTracks
@testable import LocwatchTerminal

/// The fences of a session that begins with the states of the one before it.
@Suite(.serialized, .alone) struct FenceStateCommandTests {
    private static let home = "home=45.0548,7.6865,150"
    private static let inside = step(45.0548)
    private static let outside = step(45.06)
    private let scratch: Scratch
    private let path: String

    init() throws {
        scratch = try Scratch()
        path = scratch.path("s")
    }

    private static func step(_ latitude: Double, device: String? = nil) -> ScriptStep {
        .location(
            Location(
                coordinate: Coordinate(latitude: latitude, longitude: 7.6865), device: device, horizontalAccuracy: 5))
    }

    private func run(
        _ steps: [ScriptStep], _ fences: String = "--fence \(home)"
    ) async throws -> CommandTrial.Result {
        try await CommandTrial.run("watch -j \(fences) --state \(path) x", steps + [.end])
    }

    /// Runs a session, and returns the changes at its fences.
    private func changes(_ steps: [ScriptStep], _ fences: String = "--fence \(home)") async throws -> [String] {
        let result = try await run(steps, fences)
        #expect(result.code == .done && result.errors == "", "\(result.errors)")
        return try result.texts("fence", "fence", "change")
    }

    @Test func `after a restart only what has changed is an event`() async throws {
        #expect(try await changes([Self.inside]) == ["home inside"])
        #expect(try await changes([Self.inside]) == [])
        #expect(try await changes([Self.outside]) == ["home exit"])
        #expect(try await changes([Self.outside]) == [])
        #expect(
            try await changes([Self.inside, Self.outside, Self.inside]) == ["home enter", "home exit", "home enter"])
        #expect(scratch.names == ["s"])
    }

    @Test func `a first position outside is remembered, although the output has no event for it`() async throws {
        #expect(try await changes([Self.outside]) == [])
        #expect(try scratch.text("s").contains(#""state":"outside""#))
        #expect(try await changes([Self.inside]) == ["home enter"])
    }

    @Test func `a session without a position leaves the states as they were`() async throws {
        _ = try await changes([Self.inside])
        let text = try scratch.text("s")
        _ = try await run([.searching(.noDevice)])
        #expect(try scratch.text("s") == text)
    }

    @Test func `a fence whose radius or place has changed is new, and others are not`() async throws {
        let office = "--fence office=45.06,7.6865,100"
        #expect(try await changes([Self.inside], "--fence \(Self.home) \(office)") == ["home inside"])
        #expect(try await changes([Self.inside], "--fence home=45.0548,7.6865,151 \(office)") == ["home inside"])
        #expect(try await changes([Self.outside], "--fence home=45.0549,7.6865,151 \(office)") == ["office enter"])
        #expect(try await changes([Self.outside], "\(office),30m,margin=4") == [])
        #expect(try scratch.text("s").contains("home") == true, "no event has written the file since")
        #expect(try await changes([Self.inside], office) == ["office exit"])
        #expect(try scratch.text("s").contains("home") == false)
    }

    @Test func `an anchor stays where it was until its line is deleted`() async throws {
        let anchor = "--fence anchor=here,100"
        #expect(try await changes([Self.inside], anchor) == ["anchor inside"])
        #expect(try await changes([Self.step(45.0550)], anchor) == [])
        #expect(try await changes([Self.outside], anchor) == ["anchor exit"])
        #expect(try await changes([Self.outside], anchor) == [])
        let lines = try scratch.text("s").split(separator: "\n")
        #expect(lines.count == 2 && lines[1].contains(#""anchor":true,"lat":45.0548,"lon":7.6865,"radius":100"#))
        _ = try scratch.write("\(lines[0])\n", to: "s")
        #expect(try await changes([Self.outside], anchor) == ["anchor inside"])
    }

    @Test func `the state of a template and of JSON is the remembered one before the border is crossed`() async throws {
        _ = try await run([Self.inside])
        // A position within the margin of a fence that was entered does not leave it.
        let near = Self.step(45.0548 + 155 / 111_200)
        #expect(try await run([near]).output.contains(#"{"name":"home","inside":true,"#))
        let forgetful = try await CommandTrial.run("watch -j --fence \(Self.home) x", [near, .end])
        #expect(forgetful.output.contains(#"{"name":"home","inside":false,"#))
    }

    @Test func `each device of a fleet is remembered by its name`() async throws {
        struct Fleet: LocationProvider {
            let base: ScriptedLocationSource

            func updates(for request: LocationRequest) -> LocationUpdates {
                base.updates(for: request).namingSubjects()
            }
        }
        func changes(_ steps: [ScriptStep]) async throws -> [String] {
            let clock = ManualClock()
            let fleet = Fleet(base: ScriptedLocationSource(steps + [.end], clock: clock))
            return try await CommandTrial(provider: fleet, clock: clock)
                .run("watch -j --fence \(Self.home) --state \(path) mqtt://localhost")
                .texts("fence", "device", "change")
        }
        let (near, far) = (45.0548, 45.06)
        let first = [Self.step(near, device: "t/a"), Self.step(far, device: "t/b")]
        #expect(try await changes(first) == ["t/a inside"])
        let second = [
            Self.step(far, device: "t/a"), Self.step(near, device: "t/b"), Self.step(near, device: "t/\"c\"\n"),
        ]
        #expect(try await changes(second) == ["t/a exit", "t/b enter", "t/\"c\"\n inside"])
        #expect(try scratch.text("s").split(separator: "\n").count == 4)
        #expect(try await changes(second) == [])
        // A machine alone is none of them.
        #expect(try await self.changes([Self.inside]) == ["home inside"])
    }

    @Test func `the example of the manual is a file that is read`() async throws {
        let manual = try String(contentsOf: Golden.package.appending(path: "Manual/state.txt"), encoding: .utf8)
        let lines = manual.split(separator: "\n").filter { $0.hasPrefix("    {") }.map { $0.dropFirst(4) + "\n" }
        #expect(lines.count == 2)
        let file = try KeptStateFile(scratch.write(lines.joined(), to: "s").path)
        #expect(file.beginning.odometer.metres == 123456.7)
        let home = try Fence(
            name: "home", shape: .circle(center: Coordinate(latitude: 45.0703, longitude: 7.6869), radius: 150))
        #expect(file.records(of: [home], namesDevices: false).first?.lastEvent?.kind == .enter)
    }

    @Test(arguments: [
        ("{}", "it has no state that this locwatch can read"),
        (
            #"{"schema":"locwatch-state/1"}"# + "\n" + #"{"fence":"home","state":"ins"#,
            "its line 2 is not the state of a fence"
        ),
    ])
    func `another file, or a torn one, ends the command before the session, and stays as it is`(
        text: String, reason: String
    ) async throws {
        _ = try scratch.write(text, to: "s")
        let result = try await run([Self.inside])
        #expect(result == .init(code: .cannotCreate, errors: "locwatch: cannot write to \(path): \(reason)\n"))
        #expect(try scratch.text("s") == text && scratch.names == ["s"])
    }

    @Test(arguments: [
        ("monitor --fence home=45,7,9", "monitor takes --state only for a running session"),
        ("record r.json --fence home=45,7,9", "record takes --fence only for hooks"),
        ("once --fence home=45,7,9", "once does not take --state; it is an option of "),
    ])
    func `a session whose fences have no events takes no file of states`(line: String, reason: String) async throws {
        let result = try await CommandTrial().run("\(line) --state s drive.json")
        #expect(result.code == .usage && result.errors.hasPrefix("locwatch: \(reason)"), "\(result.errors)")
    }

    @Test func `a session without fences leaves those of the file`() async throws {
        _ = try await changes([Self.inside])
        let text = try scratch.text("s")
        let drive = RecordedDrive.text([(40, 20)])
        #expect(try await CommandTrial.run("watch -q --pace max --state \(path) @", reading: drive).code == .done)
        let lines = try scratch.text("s").split(separator: "\n")
        #expect(lines.dropFirst() == text.split(separator: "\n").dropFirst() && lines[0].contains(#""metres":7"#))
        #expect(try await changes([Self.outside]) == ["home exit"])
        #expect(try scratch.text("s").hasPrefix("\(lines[0])\n"))
    }

    @Test func `a file in the configuration is for the commands that keep a state`() async throws {
        let configuration = try scratch.write("state \(path)\n", to: "c").path
        func run(_ line: String) async throws -> CommandTrial.Result {
            try await CommandTrial.run("\(line) --config \(configuration) x", [Self.inside, .end])
        }
        #expect(try await run("once -q").code == .done && scratch.names == ["c"])
        #expect(try await run("watch -q --fence \(Self.home)").code == .done && scratch.names == ["c", "s"])
    }
}
