import LocwatchPlatform
import TestSupport
import Testing

/// The messages on standard error, and their suppression by `--quiet`.
@Suite(.serialized, .alone) struct VerbosityTests {
    @Test(arguments: [
        ("record -q r.json $FIXTURES/walk/session.json", 0), ("export csv -q -o t.csv $FIXTURES/walk/session.json", 0),
        ("watch -q --pace max $FIXTURES/walk/session.json", 0), ("devices -q $FIXTURES/no-device/session.json", 0),
        ("stats -q $FIXTURES/walk/session.json", 0),
    ])
    func `quiet prints nothing if no error ends the program`(arguments: String, code: Int32) async throws {
        let folder = try Scratch()
        let run = try await Locwatch.run("$LW \(arguments)", folder: folder.url)
        #expect(run.code == code)
        #expect(run.errors == "")
    }

    @Test(
        arguments: [
            "once -q localhost:1", "watch -q ./no-such-file", "watch -q -x 1s localhost:1",
            "once -q $FIXTURES/no-fix/session.json",
        ])
    func `quiet still prints the error that ends the program`(arguments: String) async throws {
        let run = try await Locwatch.run("$LW \(arguments)")
        #expect(run.code != 0)
        #expect(run.errors.hasPrefix("locwatch: "), "\(run.errors)")
    }

    @Test func `quiet still prints why a hook fails, but not what it prints`() async throws {
        let run = try await Locwatch.run(
            "$LW -q --csv --on 'found=echo words; exit 3' --pace max $FIXTURES/walk/session.json")
        #expect(run.code == 0)
        #expect(run.errors == "locwatch: on found: exit code 3\n")
    }

    @Test func `quiet serves without a message`() async throws {
        let run = try await Locwatch.run(
            "timeout 1 $LW serve -q --port \(try LoopbackPort.free()) $FIXTURES/walk/session.json")
        #expect(run.errors == "")
        #expect(run.code == 124, "it served until it was ended")
    }

    @Test func `verbose reports everything except positions`() async throws {
        let said = try await Locwatch.run("$LW once -v --fix 3d $FIXTURES/first-fix/session.json")
        #expect(said.code == 0)
        let lines = said.errors.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("locwatch: ") }, "\(said.errors)")
        for words in [
            "from gpsd 3.22", "device: ", "ttyACM0: no fix, 2 satellites seen",
            "found: 2D fix after",
        ] {
            #expect(lines.contains { $0.contains(words) }, "\(said.errors)")
        }
        #expect(
            Set(zip(lines, lines.dropFirst()).filter { $0 == $1 }.map(\.0)).isEmpty, "no line is repeated")
        // Standard output is the same as without the option.
        let plain = try await Locwatch.run("$LW once --fix 3d $FIXTURES/first-fix/session.json")
        #expect(said.output == plain.output)
        #expect(plain.errors == "")
    }
}
