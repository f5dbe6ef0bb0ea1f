import TestSupport
import Testing

/// Settings that `publish` refuses before it begins, and a full disk.
@Suite(.serialized, .alone) struct PublishSettingsTests {
    private let folder: Scratch

    init() throws {
        folder = try Scratch()
        try folder.write(RecordedDrive.text(points: 20), to: "drive.json")
    }

    private func run(_ line: String) async throws -> (code: Int32, output: String, errors: String) {
        try await Locwatch.run(line, environment: ["XDG_STATE_HOME": folder.path("new/state")], folder: folder.url)
    }

    @Test func `a queue that another process uses is refused`() async throws {
        let first = try Locwatch(
            "exec $LW publish -j --queue queue udp://127.0.0.1:\(ReservedPort().number) -", folder: folder.url,
            input: true)
        first.type(RecordedDrive.text(points: 2))
        try await first.wait(forChange: "connected")
        let second = try await run("$LW publish --queue queue udp://127.0.0.1:9 drive.json")
        first.endInput()
        #expect(second.code == 73 && second.errors.contains("queue"), "\(second.errors)")
        try await first.end()
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
