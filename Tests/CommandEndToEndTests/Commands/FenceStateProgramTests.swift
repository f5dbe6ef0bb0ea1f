import Foundation
import LocationCore
import TestSupport
import Testing

/// The fences of programs that are killed and start again.
@Suite(.serialized, .withFew) struct FenceStateProgramTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The command line over a recording that rests in the fence for 8 s, and leaves it then.
    private static let line =
        "exec $LW watch -j --pace 20x --fence home=45,7.5,150 --state s --on 'enter:home=echo it enters' "
        + "--on 'inside:home=echo it is inside' drive.json"

    private func start() throws -> Locwatch {
        _ = try scratch.write(RecordedDrive.text([(8, 0), (600, 10)]), to: "drive.json")
        return try Locwatch(Self.line, folder: scratch.url)
    }

    /// Returns the changes in a program's output; the last line may be torn.
    private func changes(_ output: String) -> [String] {
        output.matches(of: /"change":"([a-z]+)"/).map { String($0.1) }
    }

    /// The state in the file, if there is one.
    private var state: String? {
        (try? scratch.text("s")).flatMap { $0.firstMatch(of: /"state":"([a-z]+)"/) }.map { String($0.1) }
    }

    @Test func `after a kill the hook of enter runs, and that of inside does not`() async throws {
        let first = try start()
        try await first.wait { $0.errors.contains("on inside:home: it is inside\n") && state == "inside" }
        #expect(try await first.end(by: SIGKILL) == 128 + SIGKILL)
        #expect(changes(first.output) == ["inside"])
        let second = try start()
        try await second.wait { changes($0.output) == ["exit"] && state == "outside" }
        #expect(try await second.end(by: SIGKILL) == 128 + SIGKILL)
        #expect(!second.errors.contains("it is inside") && !second.errors.contains("it enters"))
        let third = try start()
        try await third.wait { $0.errors.contains("on enter:home: it enters\n") && state == "inside" }
        #expect(changes(third.output) == ["enter"])
        try await third.stop()
        // A draft that a killed program left is removed.
        #expect(scratch.names == ["drive.json", "s"])
    }

    @Test func `whenever a program is killed, the next one goes on from an event that it gave`() async throws {
        var draw = SplitMix64(seed: 5)
        var known: String?
        for trial in 1...12 {
            let program = try start()
            // The receiver is in the fence from the beginning, and leaves it after about twenty positions.
            let count = Int(draw.uniform(1.0...32))
            try await program.wait { $0.output.matches(of: /"event":"location"/).count >= count }
            #expect(try await program.end(by: SIGKILL) == 128 + SIGKILL)
            let found = changes(program.output)
            let whole = known == "inside" ? ["exit"] : [known == nil ? "inside" : "enter", "exit"]
            #expect(whole.starts(with: found), "\(trial): \(found) after \(known ?? "nothing")")
            let possible: [String?] = [known] + found.map { $0 == "exit" ? "outside" : "inside" }
            #expect(possible.contains(state), "\(trial): \(state ?? "nothing") after \(found)")
            known = state
        }
    }

    @Test(arguments: ["record r.json", "export gpx -o t.gpx", "publish udp://127.0.0.1:9 --queue memory"])
    func `each command that runs hooks remembers the fences`(command: String) async throws {
        _ = try scratch.write(RecordedDrive.text([(8, 0)]), to: "drive.json")
        let options = "--pace max --fence home=45,7.5,150 --state s --on inside=true drive.json"
        let run = try await Locwatch.run("$LW \(command) \(options)", folder: scratch.url)
        #expect(run.code == 0 && state == "inside", "\(run.errors)")
    }

    @Test func `a second program at the same file is refused with 73, and the first one goes on`() async throws {
        let first = try start()
        try await first.wait { _ in state == "inside" }
        let commands = ["watch -j", "record r.json --on enter=true", "export gpx -o t.gpx --on enter=true"]
        for command in commands {
            let run = try await Locwatch.run(
                "$LW \(command) --pace max --fence home=45,7.5,150 --state s drive.json", folder: scratch.url)
            #expect(run.code == 73 && run.output == "", "\(command)")
            #expect(run.errors == "locwatch: cannot write to s: another program is writing to it\n", "\(command)")
        }
        try await first.wait { _ in state == "outside" }
        try await first.stop()
    }
}
