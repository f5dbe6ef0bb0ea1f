import Glibc
import TestSupport
import Testing

/// Settings that `publish` refuses before it begins, and a full disk.
@Suite(.serialized, .withFew) struct PublishSettingsTests {
    private let folder: Scratch
    /// A target that takes everything.
    ///
    /// One with another name would be new to the queue, and begin after what is there.
    private let target = "udp://127.0.0.1:\(ReservedPort().number)"

    init() throws {
        folder = try Scratch()
        try folder.write(RecordedDrive.text(points: 20), to: "drive.json")
    }

    private func run(_ line: String) async throws -> (code: Int32, output: String, errors: String) {
        try await Locwatch.run(line, environment: ["XDG_STATE_HOME": folder.path("new/state")], folder: folder.url)
    }

    @Test func `a queue that another process uses is refused`() async throws {
        let first = try Locwatch(
            "exec $LW publish -j --queue queue \(target) -", folder: folder.url,
            input: true)
        first.type(RecordedDrive.text(points: 2))
        try await first.wait(forChange: "connected")
        let second = try await run("$LW publish --queue queue udp://127.0.0.1:9 drive.json")
        first.endInput()
        #expect(second.code == 73 && second.errors.contains("queue"), "\(second.errors)")
        try await first.end()
    }

    /// Returns the end of `publish` of 20 positions to the target.
    private func publish() async throws -> (code: Int32, output: String, errors: String) {
        try await run("$LW publish --queue queue \(target) drive.json")
    }

    /// Performs statements on the database of the queue.
    private func change(_ statements: String) async throws {
        let run = try await run(
            "python3 -c \"import sqlite3; d = sqlite3.connect('queue/queue.sqlite'); d.executescript(\\\"\(statements)\\\")\""
        )
        try #require(run.code == 0, "\(run.errors)")
    }

    @Test func `a confined publish uses a queue below a link, as systemd lays that of a dynamic user`() async throws {
        let run = try await run(
            """
            mkdir -p private/state; ln -s private/state state
            exec $LW publish --queue state/queue \(target) drive.json
            """)
        #expect(run.code == 0 && run.errors.contains("sent"), "\(run)")
        #expect(access(folder.path("private/state/queue/queue.sqlite"), F_OK) == 0)
    }

    @Test func `a queue that other users can change is refused with what to do`() async throws {
        let run = try await run(
            "mkdir queue; chmod 777 queue; exec $LW publish --queue queue udp://127.0.0.1:9 drive.json")
        #expect(run.code == 73)
        #expect(
            run.errors
                == "locwatch: cannot use queue: other users can change it; chmod go-w takes that from them\n")
    }

    @Test func `SQLite's wish to change a mode is refused without a message, and its files stay private`() async throws
    {
        #expect(try await publish().code == 0)
        let run = try await run(
            """
            chmod 644 queue/queue.sqlite; umask 077
            exec $LW publish --queue queue \(target) drive.json
            """)
        #expect(run.code == 0 && !run.errors.contains("report"), "\(run.errors)")
    }

    @Test func `records that cannot be read are said and counted at the end, and cost the exit code`() async throws {
        #expect(try await publish().code == 0)
        try await change("INSERT INTO records VALUES (21, 0, 'no record'), (22, 0, NULL), (-3, 0, '{}')")
        let run = try await publish()
        #expect(run.code == 69)
        #expect(run.errors.contains("locwatch: the queue has records that cannot be read"), "\(run.errors)")
        #expect(run.errors.contains("locwatch: left out 3 records of the queue that cannot be read"), "\(run.errors)")
        #expect(try await publish().code == 0)
    }

    @Test func `what the limit of the queue drops because of large foreign records is said at the end`() async throws {
        let line = "$LW publish --queue queue --queue-limit 1MiB -q http://127.0.0.1:1/a drive.json"
        #expect(try await run(line).code == 69)
        let member = "char(34) || 'x' || char(34) || ':' || char(34) || printf('%.*c', 900000, 'x') || char(34)"
        try await change(
            "INSERT INTO records SELECT 20 + number, time, '{' || \(member) || ',' || substr(body, 2) "
                + "FROM records WHERE number < 3")
        let run = try await run(line)
        #expect(run.errors.hasPrefix("locwatch: 21 records not sent to http://127.0.0.1:1/a: "), "\(run.errors)")
        #expect(run.errors.hasSuffix("locwatch: the limits of the queue have dropped 21 records\n"), "\(run.errors)")
        #expect(run.code == 69)
    }

    @Test func `a queue that another program writes at the start is waited for, which is said`() async throws {
        #expect(try await publish().code == 0)
        let writer = try Locwatch(
            "exec python3 -c \"import sqlite3; d = sqlite3.connect('queue/queue.sqlite', isolation_level=None); "
                + "d.execute('BEGIN IMMEDIATE'); print('begun', flush=True); input(); d.execute('COMMIT')\"",
            folder: folder.url, input: true)
        try await writer.wait { $0.output.contains("begun") }
        let run = try Locwatch(
            "exec $LW publish --queue queue \(target) drive.json", folder: folder.url)
        try await run.wait { $0.errors.contains("another program writes to queue; waiting at most 10 s") }
        writer.type("\n")
        #expect(try await run.end() == 0, "\(run.errors)")
        try await writer.end()
    }

    @Test func `a signal ends the wait for another program`() async throws {
        #expect(try await publish().code == 0)
        let writer = try Locwatch(
            "exec python3 -c \"import sqlite3; d = sqlite3.connect('queue/queue.sqlite', isolation_level=None); "
                + "d.execute('BEGIN IMMEDIATE'); print('begun', flush=True); input()\"",
            folder: folder.url, input: true)
        try await writer.wait { $0.output.contains("begun") }
        let run = try Locwatch("exec $LW publish --queue queue udp://127.0.0.1:9 -", folder: folder.url, input: true)
        try await run.wait { $0.errors.contains("another program writes to queue") }
        #expect(try await run.end(by: SIGTERM) == 143, "\(run.errors)")
        writer.endInput()
        try await writer.end()
    }

    /// Whether this machine lets the test mount a file system in a namespace of its own.
    private static var canMount: Bool {
        (try? Tool("unshare", ["--mount", "mount", "-t", "tmpfs", "none", "/mnt"]))?.status == 0
    }

    @Test(.enabled(if: canMount, "mounting needs root's rights"))
    func `a full disk costs positions and is reported, and the program continues`() async throws {
        // So small that the queue would have to leave less free than it may.
        let run = try await run(
            "mkdir disk; exec unshare --mount bash -c \"mount -t tmpfs -o size=256k none disk; "
                + "exec $LW publish --queue disk/queue udp://127.0.0.1:9 drive.json\"")
        #expect(run.errors.contains("positions are lost until it can be written again"), "\(run.errors)")
        #expect(run.errors.contains("lost, because the queue could not store them"), "\(run.errors)")
        #expect(run.code == 69, "\(run)")
    }
}
