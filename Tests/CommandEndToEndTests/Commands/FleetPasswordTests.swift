import Foundation
import LocwatchPlatform
import TestSupport
import Testing

/// The secrets of a fleet's broker, which every command that reads a fleet needs.
struct FleetPasswordTests {
    private static let words = [
        "once -t 1s", "watch -x 1s", "stats -x 1s", "export csv -x 1s", "export gpx -o fleet.gpx -x 1s",
        "record - -x 1s",
        "record fleet.json -x 1s", "web --port $PORT -x 1s",
    ]

    @Test func `every command reads the file with the password, wherever it is`() async throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(
            at: scratch.url.appending(path: "work"), withIntermediateDirectories: true)
        let made = try await Locwatch.run(
            "printf geheim >password; chmod 600 password; mosquitto_passwd -b -c users anna geheim; chmod 644 users",
            folder: scratch.url)
        #expect(made.code == 0, "\(made.errors)")
        let broker = try await Broker(["allow_anonymous false", "password_file \(scratch.path("users"))"])
        let port = try LoopbackPort.free()
        for words in Self.words {
            let run = try await Locwatch.run(
                "cd work && $LW \(words) --password-file ../password mqtt://anna@127.0.0.1:\(broker.port)/fleet/+/+",
                environment: ["PORT": "\(port)"], folder: scratch.url)
            // There is no device; a session that is not admitted ends with 77, and without the file with 66.
            #expect(run.code == 0 || run.code == 75, "\(words): \(run.code) \(run.errors)")
            #expect(
                !run.errors.contains("password") && !run.errors.contains("not permitted"), "\(words): \(run.errors)")
        }
        let refused = try await Locwatch.run(
            "$LW once -t 1s mqtt://anna@127.0.0.1:\(broker.port)/fleet/+/+", folder: scratch.url)
        #expect(refused.code == 77 && refused.errors.contains("not authorized"), "\(refused.errors)")
    }
}
