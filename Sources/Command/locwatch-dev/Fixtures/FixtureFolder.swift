import GPSDSimulation
import Glibc
import LocationCore
import GPSDProtocol
import LocwatchPlatform

/// Writes a recording into its own folder, with a page that documents how it was made.
enum FixtureFolder {
    static func write(_ recording: FixtureRecording, of fixture: Fixture, into folder: String) throws(SystemFailure) {
        let place = folder + "/" + fixture.name
        for path in [folder, place] where mkdir(path, 0o755) != 0 && errno != EEXIST {
            throw SystemFailure("make the folder \(path)", code: errno)
        }
        try write(session(recording), to: place + "/session.json")
        try write(Array(page(recording, fixture).utf8), to: place + "/README.md")
    }

    /// Returns the session in the format of `locwatch record`: the unchanged lines, with their arrival times between
    /// them.
    private static func session(_ recording: FixtureRecording) -> [UInt8] {
        var writer = RecordingWriter()
        let start = Moment(elapsed: .zero, wall: Fixture.start)
        var bytes = writer.header(source: "gpsd", version: "fixture", at: start)
        for (line, time) in zip(recording.lines, recording.times) {
            bytes += writer.record(line, at: start.advanced(by: time))
        }
        return bytes
    }

    private static func page(_ recording: FixtureRecording, _ fixture: Fixture) -> String {
        let receivers = fixture.receivers.indices.map { index in
            "- `\(Fixture.deviceNames[index])`: scenario `\(fixture.receivers[index].name)` "
                + "(\(fixture.receivers[index].summary)), seed \(index + 1), "
                + "systems \(fixture.receivers[index].systems.map { "\($0)" }.joined(separator: ", "))\n"
        }
        return """
            # \(fixture.name)

            \(fixture.shows)

            `session.json` holds the \(recording.lines.count) unchanged lines that gpsd sent; the lines of class \
            LOCWATCH between them state the seconds since the client connected.

            Recorded by `make fixtures` from this gpsd, which read \(receivers.isEmpty ? "nothing" : "simulated receivers"):

                \(recording.command.joined(separator: " "))
                \(recording.lines.first.map { String(decoding: $0.dropLast(), as: UTF8.self) } ?? "")

            \(receivers.isEmpty ? "" : receivers.joined() + "\nThe scenarios start at \(Fixture.start) and run "
                + "\(Int(fixture.speedup)) times faster than real time.\n\n")The client did:

            - send `\(Fixture.watch)`
            \(fixture.steps.map { "- " + text(of: $0) }.joined(separator: "\n"))

            """
    }

    private static func text(of step: Fixture.Step) -> String {
        switch step {
        case .epochs(let count): "read until \(count) epochs had been reported"
        case .rest: "read until the receivers fell silent"
        case .listen(let limit): "read for \(limit.components.seconds) s"
        case .send(let command): "send `\(command)`"
        case .unplug: "unplug the receiver"
        case .plugIn: "plug it in again"
        }
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(SystemFailure) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw SystemFailure("create \(path)", code: errno) }
        defer { close(file) }
        let failure = bytes.withUnsafeBytes { WholeWrite.write($0, to: file) }
        if let failure { throw SystemFailure("write \(path)", code: failure) }
    }
}
