import Foundation
import TestSupport
import Testing

/// The reports of failures while the program retries.
@Suite(.serialized, .alone) struct FailureNewsTests {
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
}
