import Foundation
import GPSDSimulation
import TestSupport
import Testing

/// Sessions whose daemon is unreachable for their whole duration.
@Suite(.serialized, .withFew) struct AbsentDaemonTests {
    private let folder: Scratch

    init() throws { folder = try Scratch() }

    @Test(arguments: [
        "watch -x 1s", "watch -j -x 1s", "time -x 1s", "stats -j -x 1s",
        "web --port PORT -x 1s", "publish udp://127.0.0.1:9 -x 1s",
    ])
    func `a session that heard nothing ends with the code of the failure, said once`(command: String) async throws {
        let words = command.replacingOccurrences(of: "PORT", with: String(ReservedPort().number))
        let run = try await Locwatch.run("XDG_STATE_HOME=$PWD $LW \(words) localhost:1", folder: folder.url)
        #expect(run.code == 69, "\(run.errors)")
        let said = run.errors.components(separatedBy: "no gpsd at localhost:1: Connection refused\n").count - 1
        // watch as JSON has the failures in the output.
        #expect(said == (command.hasPrefix("watch -j") ? 0 : 1), "\(run.errors)")
    }

    @Test(arguments: ["record r.json -x 1s", "stats -x 1s"])
    func `a server that is not a gpsd yields no session`(command: String) async throws {
        var settings = StandInGPSD.Settings()
        settings.faults = [.ssh]
        let daemon = try StandInGPSD(StandInRecording(#"{"class":"VERSION","release":"3.22"}"#), settings: settings)
        let run = try await Locwatch.run("$LW \(command) 127.0.0.1:\(daemon.port)", folder: folder.url)
        #expect(run.code == 76, "\(run.errors)")
        #expect(run.errors.contains("is not a gpsd: it sends \"SSH-"), "\(run.errors)")
        #expect(run.output == "")
        #expect(folder.names == [])
    }

    @Test func `an interrupted recording without a session reports the reason`() async throws {
        let program = try Locwatch("exec $LW record \(folder.path("r.json")) -v localhost:1")
        try await program.wait { $0.errors.contains("attempt 2") }
        #expect(try await program.end(by: SIGINT) == 128 + SIGINT)
        #expect(program.errors.contains("\nlocwatch: is gpsd installed and running?"), "\(program.errors)")
        #expect(!program.errors.contains("saved"))
        #expect(folder.names == [])
    }

    @Test(arguments: ["watch -x 1s", "devices --follow -x 1s", "once -t 1s", "export csv -x 1s"])
    func `a failure that only the line of the search has shown is said at the end, once, with advice`(
        command: String
    ) async throws {
        let run = try await Locwatch.run("$LW \(command) localhost:1 >/dev/null", screen: .terminal(columns: 100))
        let said = "\(run.output)\(run.errors)"
        #expect(run.code == 69, "\(said)")
        #expect(said.components(separatedBy: "locwatch: no gpsd at localhost:1").count == 2, "\(said)")
        #expect(said.contains("locwatch: is gpsd installed and running?") && !said.contains(" times"), "\(said)")
    }

    @Test(arguments: [("2>&1", 1), ("", 2)])
    func `output and messages in one file say once why a target takes nothing`(redirection: String, count: Int)
        async throws
    {
        let line = "$LW publish mqtt://localhost:1/a --queue memory $FIXTURES/walk/session.json \(redirection)"
        let program = try Locwatch("exec \(line)")
        func news() -> Int {
            let lines = (program.output + program.errors).split(separator: "\n")
            return lines.count { $0.contains("Connection refused") && !$0.contains("record") }
        }
        try await program.wait { _ in news() >= count }
        // It tries again meanwhile.
        try await Task.sleep(for: .seconds(1))
        try await program.end(by: SIGINT)
        #expect(news() == count, "\(program.output)\(program.errors)")
    }

    @Test func `a name that is not UTF-8 is refused instead of another one`() async throws {
        let run = try await Locwatch.run("$LW record $'a\\xff.json' $FIXTURES/walk/session.json", folder: folder.url)
        #expect(run.code == 64)
        #expect(run.errors.hasPrefix("locwatch: an argument is not text in UTF-8: a\\xff.json\n"), "\(run.errors)")
        #expect(folder.names == [])
    }

    @Test func `statistics as JSON contain the failures`() async throws {
        let run = try Locwatch("exec $LW stats -j localhost:1")
        try await run.wait { $0.output.components(separatedBy: #""event":"error""#).count > 2 }
        try await run.end(by: SIGINT)
        let failures = try Events.of("error", in: run.output)
        #expect(failures.count >= 2)
        #expect(failures.allSatisfy { $0["code"] as? String == "unreachable" && $0["retry"] is Double })
        #expect(try Events.of("stats", in: run.output).isEmpty)
        #expect(try Events.of("end", in: run.output).count == 1)
    }
}
