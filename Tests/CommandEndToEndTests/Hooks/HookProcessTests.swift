import Foundation
import TestSupport
import Testing

/// Hooks as processes of the built program, and what they must not be able to do to it.
@Suite(.serialized, .withFew) struct HookProcessTests {
    /// A recorded walk of forty positions.
    private static let walk = "--pace max $FIXTURES/walk/session.json"
    /// A session of an hour that begins with a position.
    private static let live = "--pace 4x drive.json"

    /// Returns a folder with the recording of `live`.
    private func folder() throws -> Scratch {
        let folder = try Scratch()
        try folder.write(RecordedDrive.text(points: 3600), to: "drive.json")
        return folder
    }

    /// Waits until a hook has written the id of a process to a file.
    private func process(in name: String, of folder: Scratch, _ program: Locwatch) async throws -> RunningProcess {
        func line() -> String { (try? folder.text(name)) ?? "" }
        try await program.wait(.seconds(60)) { _ in line().hasSuffix("\n") }
        return RunningProcess(try #require(pid_t(line().dropLast())))
    }

    @Test func `a hook gets the event as words, variables and JSON, and its output has a prefix`() async throws {
        let run = try await Locwatch.run(
            #"$LW -q --csv -v \#(Self.walk) --on 'found=echo "a  b=$LOCWATCH_EVENT"; jq -r .to >&2'"#)
        #expect(run.code == 0)
        // Lines of the session can come between those of the hook.
        let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("locwatch: on ") }
        #expect(lines == ["locwatch: on found: a  b=found", "locwatch: on found: found"], "\(run.errors)")
        #expect(run.output.split(separator: "\r\n").count == 41, "the output of hooks is not mixed with data")
    }

    @Test(arguments: [
        "$(touch pwned)", "; touch pwned", "`touch pwned`", "\u{22}; touch pwned; \u{22}", "a\ntouch pwned",
    ])
    func `the name of a fence never becomes a part of a command line`(name: String) async throws {
        let folder = try Scratch()
        let run = try await Locwatch.run(
            #"$LW -f %{n} --fence "$NAME=45.0548,7.6865,1km" --on 'inside=printf "<%s>" "$LOCWATCH_EVENT_FENCE" >name' "#
                + Self.walk,
            environment: ["NAME": name], folder: folder.url)
        #expect(run.code == 0, "\(run.errors)")
        #expect((try? folder.text("name")) == "<\(name)>")
        #expect((try? folder.text("pwned")) == nil)
    }

    @Test func `hooks that never read, fail, are killed or do not exist end nothing and are said once`() async throws {
        let run = try await Locwatch.run(
            "$LW --csv --on every=true --on 'every=exit 3' --on 'every=kill -9 $$' "
                + "--on every=./nothing \(Self.walk)")
        #expect(run.code == 0)
        #expect(run.output.split(separator: "\r\n").count == 41)
        #expect(run.errors.components(separatedBy: "exit code 3\n").count == 2, "\(run.errors)")
        #expect(run.errors.components(separatedBy: "ended by signal 9\n").count == 2, "\(run.errors)")
        #expect(run.errors.components(separatedBy: "exit code 127\n").count == 2, "\(run.errors)")
        #expect(run.errors.contains("./nothing: not found\n"))
    }

    @Test func `a hook that prints without end is ended by the time limit, and little of it is shown`() async throws {
        let run = try await Locwatch.run("$LW --csv --hook-limit 1s --on found=yes \(Self.walk)")
        #expect(run.code == 0)
        let shown = run.errors.split(separator: "\n").count { $0 == "locwatch: on found: y" }
        #expect(shown <= 32_768)
        #expect(run.errors.contains("locwatch: on found: did not end within 1 s\n"), "\(run.errors.suffix(300))")
    }

    @Test func `a hook that sleeps holds no other hook back, and its own events wait for it`() async throws {
        let folder = try folder()
        // The first hook waits for a second one, which waits for an event that comes while the first one runs.
        let wait = "while ! test -e inside; do sleep .05; done"
        let run = try await Locwatch.run(
            #"$LW -n 3 --csv --hook-limit 5m --on 'every=\#(wait); echo "$LOCWATCH_EVENT" >>order' "#
                + "--fence home=45,7.5,500km --on 'inside:home=touch inside; echo inside >>order' \(Self.live)",
            folder: folder.url)
        #expect(run.code == 0 && run.errors == "", "\(run.errors)")
        let order = try folder.text("order").split(separator: "\n")
        // The second event of the first hook gives way to the third one.
        #expect(order.count { $0 == "inside" } == 1 && (2...3).contains(order.count { $0 == "every" }), "\(order)")
    }

    @Test func `a session goes on while a hook runs, and the next event of the hook waits for it`() async throws {
        let folder = try folder()
        // The hook waits for the third position, which therefore comes while it runs.
        let program = try Locwatch(
            "exec $LW -n 3 --csv --hook-limit 5m --on 'every=echo begin >>order; while ! test -e go; do sleep .05; done; "
                + "echo end >>order' \(Self.live)",
            folder: folder.url)
        try await program.wait(.seconds(60)) { $0.lines.count >= 4 }
        _ = FileManager.default.createFile(atPath: folder.url.appending(path: "go").path, contents: nil)
        #expect(try await program.end(.seconds(60)) == 0)
        let order = (try? folder.text("order")) ?? ""
        #expect(order == "begin\nend\nbegin\nend\n", "\(order)")
    }

    @Test func `what a hook leaves in the background ends with it, and no process remains`() async throws {
        let folder = try folder()
        let program = try Locwatch(
            "exec $LW -q --on 'found=sleep 1000 & echo $! >left; exit 0' --on 'every=ls /proc/$PPID >/dev/null' "
                + Self.live,
            folder: folder.url)
        defer { program.signal(SIGKILL) }
        let left = try await process(in: "left", of: folder, program)
        try await program.wait(.seconds(60)) { _ in !left.isRunning }
        // Hooks come and go; none of them becomes a zombie of the program.
        try await program.wait(.seconds(60)) { $0.process.children.allSatisfy(\.isRunning) }
        try await program.stop()
    }

    @Test(arguments: [SIGTERM, SIGKILL]) func `a hook ends with locwatch, however it ends`(signal: Int32) async throws {
        let folder = try folder()
        let program = try Locwatch(
            "exec $LW -q --on 'found=echo $$ >hook; trap \"\" TERM; while :; do sleep 1; done' \(Self.live)",
            folder: folder.url)
        defer { program.signal(SIGKILL) }
        let hook = try await process(in: "hook", of: folder, program)
        #expect(hook.isRunning)
        program.signal(signal)
        #expect(try await program.end(.seconds(60)) == 128 + signal)
        try await program.wait(.seconds(60)) { _ in !hook.isRunning }
    }

    @Test(arguments: ["sleep 1000", "while :; do kill -STOP $PPID; done"])
    func `a hook that stops its parent stops neither the session nor its end`(rest: String) async throws {
        let folder = try folder()
        let program = try Locwatch(
            "exec $LW -q --csv --hook-limit 2s --on 'found=echo $PPID >keeper; kill -STOP $PPID; \(rest)' --on every='echo every >>order' "
                + Self.live,
            folder: folder.url)
        defer { program.signal(SIGKILL) }
        let keeper = try await process(in: "keeper", of: folder, program)
        let count = program.lines.count
        try await program.wait(.seconds(60)) { $0.lines.count >= count + 4 }
        try await program.wait(.seconds(60)) { _ in !keeper.isRunning && folder.names.contains("order") }
        // It is ended at its limit, or before its start is known, and the session says so when it has learnt of it.
        try await program.wait(.seconds(60)) { $0.errors.contains("locwatch: on found: ") }
        try await program.stop()
    }

    @Test func `SIGTERM is answered while a hook has stopped its parent`() async throws {
        let folder = try folder()
        let program = try Locwatch(
            "exec $LW -q --on 'found=echo $PPID >keeper; kill -STOP $PPID; sleep 1000' \(Self.live)", folder: folder.url
        )
        defer { program.signal(SIGKILL) }
        let keeper = try await process(in: "keeper", of: folder, program)
        program.signal(SIGTERM)
        #expect(try await program.end(.seconds(60)) == 128 + SIGTERM)
        try await program.wait(.seconds(60)) { _ in !keeper.isRunning }
    }

    @Test(arguments: ["record drive.json", "export csv -o drive.csv", "publish udp://127.0.0.1:9 --queue memory"])
    func `every command runs hooks, and those of the last events before it ends`(command: String) async throws {
        let folder = try Scratch()
        let run = try await Locwatch.run(
            "$LW \(command) --fence home=45.0548,7.6865,1km --on inside:home='sleep .2; echo done' "
                + Self.walk, folder: folder.url)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.contains("locwatch: on inside:home: done\n"), "\(run.errors)")
    }
}
