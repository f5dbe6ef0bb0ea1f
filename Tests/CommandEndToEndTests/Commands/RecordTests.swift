import Foundation
import TestSupport
import Testing

/// `record` with files, full disks and signals.
@Suite(.serialized, .withFew) struct RecordTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Sources with their own marks, with the timestamps of `gpspipe`, with the receiver's times only, and without a
    /// final newline.
    @Test(arguments: [
        "cat $FIXTURES/walk/session.json", "cat $FIXTURES/two-devices/session.json",
        "cat $FIXTURES/unplugged/session.json",
        "grep -v LOCWATCH $FIXTURES/fix-lost-and-found/session.json",
        "grep -v LOCWATCH $FIXTURES/walk/session.json | awk '{printf \"%d.250000: %s\\n\", 1795165200 + NR / 3, $0}'",
        "printf %s \"$(cat $FIXTURES/first-fix/session.json)\"",
    ])
    func `a recording of a recording replays to the same events at the same times`(source: String) async throws {
        let run = try await Locwatch.run(
            "\(source) >s.json; $LW record r.json s.json && $LW record - s.json >p.json && for f in s r p; do "
                + "$LW -j --sky --pace max $f.json | tail -n +2 >$f.out; done; cmp s.out r.out && cmp s.out p.out; "
                + "wc -l <s.out", folder: folder.url)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(Int(run.output.filter(\.isNumber)) ?? 0 > 20, "\(run.output)")
    }

    @Test(arguments: [
        "./no-such-file", "Package.swift", "--no-reconnect localhost:1", "- </dev/null", "-x 1s localhost:1",
        "-t 1s no-such-host.invalid",
    ])
    func `a failed recording leaves no file that would block the next attempt`(source: String) async throws {
        let run = try await Locwatch.run("$LW record \(folder.path("r.json")) \(source)")
        #expect(run.code != 0 && run.code < 128)
        #expect(!run.errors.contains("saved"), "\(run.errors)")
        #expect(folder.names == [])
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGINT])
    func `the file has whole lines however the program ends`(signal: Int32) async throws {
        let program = try Locwatch("exec $LW record \(folder.path("r.json")) sim:walk")
        // gpsd can tell the kind of the fix before the position, and the reports of errors have a `lat` too.
        try await program.wait { _ in
            let lines = (try? folder.text("r.json"))?.split(separator: "\n") ?? []
            return lines.contains { $0.contains(#""class":"TPV""#) && $0.contains(#""lat":"#) }
        }
        #expect(try await program.end(by: signal) == 128 + signal)
        let text = try folder.text("r.json")
        #expect(text.utf8.last == UInt8(ascii: "\n"))
        #expect(try await Locwatch.run("$LW once \(folder.path("r.json"))").code == 0)
        #expect(signal == SIGKILL || program.errors.contains("saved \(text.utf8.count) bytes"), "\(program.errors)")
    }

    @Test func `a full file system ends the recording with the saved size and a file that replays`() async throws {
        let run = try await Locwatch.run(
            "trap '' XFSZ; ulimit -f 8; $LW record r.json $FIXTURES/walk/session.json", folder: folder.url)
        #expect(run.code == 74, "\(run.errors)")
        let text = try folder.text("r.json")
        #expect(text.utf8.last == UInt8(ascii: "\n") && text.utf8.count > 4000 && text.utf8.count <= 8192)
        #expect(run.errors.contains("saved \(text.utf8.count) bytes"), "\(run.errors)")
        let replayed = try await Locwatch.run("$LW -j --pace max r.json", folder: folder.url)
        #expect(replayed.code == 0 && !replayed.output.contains("skipped"), "each line is whole")
        #expect(try !Events.of("location", in: replayed.output).isEmpty)
    }
}
