import Glibc
import LocwatchPlatform
import TestSupport
import Testing

/// `publish` to programs that know only a port, a pipe, a socket or a file.
@Suite(.serialized, .withFew) struct PathTargetTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    /// Starts to publish a simulated receiver.
    private func publish(_ target: String, _ source: String = "sim:walk") throws -> Locwatch {
        try Locwatch("exec $LW publish --queue memory '\(target)' \(source)", folder: folder.url)
    }

    @Test func `a real gpsd reads the pseudo terminal, and another one after it`() async throws {
        let run = try publish("pty:gps")
        try await run.wait { _ in folder.names.contains("gps") }
        for _ in 0..<2 {
            let client = try await Locwatch.run("$LW once -t 300s -j serial:\(folder.path("gps"))", folder: folder.url)
            #expect(client.code == 0 && client.output.contains(#""mode":3"#), "\(client.output)\(client.errors)")
            #expect(client.output.contains(#""eph":"#), "\(client.output)")
        }
        #expect(try await run.end(by: SIGINT) == 130, "\(run.errors)")
        #expect(folder.names.isEmpty)
    }

    @Test func `a path that exists has an exit code, and that of a killed program is taken over`() async throws {
        try folder.write("mine", to: "gps")
        let refused = try await Locwatch.run("$LW publish --queue memory pty:gps sim:walk", folder: folder.url)
        #expect(refused.code == 73, "\(refused.errors)")
        #expect(
            refused.errors.hasSuffix("at gps: File exists; remove it, or choose another path\n"), "\(refused.errors)")
        #expect(try folder.text("gps") == "mine")
        unlink(folder.path("gps"))
        let killed = try publish("pty:gps")
        try await killed.wait { _ in folder.names.contains("gps") }
        killed.signal(SIGKILL)
        try await killed.end()
        #expect(folder.names == [".gps.lock", "gps"])
        let run = try await Locwatch.run("$LW publish --queue memory -n 1 pty:gps sim:walk", folder: folder.url)
        #expect(run.code == 0, "\(run.errors)")
        #expect(folder.names.isEmpty)
    }
}
