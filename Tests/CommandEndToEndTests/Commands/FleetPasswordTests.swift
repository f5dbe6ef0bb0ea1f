import Foundation
import TestSupport
import Testing

/// The secrets of a fleet's broker, which every command that reads a fleet needs.
@Suite(.serialized, .withFew) struct FleetPasswordTests {
    /// The commands, each with its exit code if the fleet has no device: 75 if a position was asked for.
    private static let codes: [(words: String, code: Int32)] = [
        ("once -t 1s", 75), ("watch -x 1s", 75), ("stats -x 1s", 0), ("export csv -x 1s", 75),
        ("export gpx -o fleet.gpx -x 1s", 75), ("record - -x 1s", 75), ("record fleet.json -x 1s", 75),
        ("web --port $PORT -x 1s", 0),
    ]

    @Test func `every command reads the file with the password, wherever it is`() async throws {
        let scratch = try Scratch()
        try scratch.write("geheim", to: "password")
        try #require(chmod(scratch.path("password"), 0o600) == 0)
        let broker = try MosquittoServer(users: ["anna": "geheim"])
        let (fleet, port) = ("mqtt://anna@127.0.0.1:\(broker.port)/fleet/+/+", ReservedPort().number)
        for (words, code) in Self.codes {
            let run = try await Locwatch.run(
                "mkdir -p work; cd work && $LW \(words) --password-file ../password \(fleet)",
                environment: ["PORT": "\(port)"], folder: scratch.url)
            // A session that is not admitted ends with 77, and without the file with 66.
            #expect(run.code == code, "\(words): \(run.code) \(run.errors)")
            #expect(
                !run.errors.contains("password") && !run.errors.contains("not permitted"), "\(words): \(run.errors)")
        }
        let refused = try await Locwatch.run("$LW once -t 1s \(fleet)", folder: scratch.url)
        #expect(refused.code == 77 && refused.errors.contains("not authorized"), "\(refused.errors)")
    }
}
