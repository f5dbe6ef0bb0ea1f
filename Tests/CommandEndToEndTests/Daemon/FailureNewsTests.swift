import Foundation
import Testing

/// The reports of failures while the program retries.
@Suite struct FailureNewsTests {
    private let advice = "locwatch: is gpsd installed and running?"

    @Test(arguments: ["--csv", "-f '%{lat}'", ""])
    func `in a pipe a failure is reported once on standard error, with advice`(
        form: String
    ) async throws {
        // Long enough for the second attempt, and often for the third.
        let run = try await Locwatch.run("$LW \(form) -x 2s localhost:1")
        let lines = run.errors.split(separator: "\n")
        #expect(lines.count == 3, "\(run.errors)")
        #expect(lines.first == "locwatch: no gpsd at localhost:1: Connection refused")
        #expect(lines.dropFirst().first?.hasPrefix(advice) == true)
        #expect(lines.last?.contains(/: failed [0-9]+ times$/) == true, "\(run.errors)")
        #expect(!run.output.contains("no gpsd"))
    }

    @Test(arguments: ["--csv", "-f '%{lat}'", ""])
    func `quiet says a failure that is retried only as the reason for the end`(form: String) async throws {
        let run = try await Locwatch.run("$LW -q \(form) -x 2s localhost:1")
        #expect(run.code == 69)
        #expect(run.errors.components(separatedBy: "no gpsd at localhost:1").count == 2, "\(run.errors)")
        #expect(!run.errors.contains("failed"), "\(run.errors)")
    }

    @Test func `on a terminal a failure and its retry share a line, and the advice is given once`() async throws {
        let run = try await Locwatch.run("$LW -x 2s localhost:1", screen: .terminal(columns: 100))
        let lines = run.output.split(separator: "\r\n").filter { $0.contains("next attempt") }
        #expect(lines.count == 1, "\(run.output)")
        #expect(lines.first?.contains("no gpsd at localhost:1: Connection refused; next attempt in ") == true)
        #expect(run.output.matches(of: /is gpsd installed/).count == 1, "\(run.output)")
    }

    @Test(arguments: [("2>&1", 1), ("", 2)])
    func `output and messages in one file say once why a target takes nothing`(redirection: String, count: Int)
        async throws
    {
        let run = try await Locwatch.run(
            "timeout -s INT 1 $LW publish mqtt://localhost:1/a --queue memory $FIXTURES/walk/session.json \(redirection)"
        )
        let lines = (run.output + run.errors).split(separator: "\n")
        let news = lines.filter { $0.contains("Connection refused") && !$0.contains("record") }
        #expect(news.count == count, "\(run.output)\(run.errors)")
    }

    @Test func `JSON contains failures and their advice, and standard error stays empty`() async throws {
        let run = try await Locwatch.run("$LW -j -x 1s localhost:1")
        #expect(try Events.of("error", in: run.output).count >= 2)
        #expect(run.errors == "")
    }
}
