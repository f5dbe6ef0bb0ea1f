import LocationTesting
import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// The lines about failures, over scripted sources.
@Suite(.serialized, .withClocks) struct FailureLinesTests {
    @Test func `text has one line for a repeated failure`() {
        var (printer, out) = (TextPrinter(style: TextStyle(), localTime: .utc), TextBuffer())
        let error = LocationError.unreachable(host: "pi", port: 2947, cause: "refused")
        for second in 0..<5 {
            let moment = ScriptedSession.moment(Double(second))
            let searching = LocationState.searching(.connecting(attempt: second + 1))
            for (from, to) in [(LocationState.error(error), searching), (searching, .error(error))] {
                let change = StateChange(from: from, to: to, at: moment, lasted: .zero)
                printer.print(.transition(change), SessionView(), into: &out)
            }
            printer.print(error, retry: .seconds(1), at: moment, into: &out)
        }
        #expect(out.text == "2026-11-20  UTC\n13:02:10  error      no gpsd at pi:2947: refused; next attempt in 1 s\n")
    }

    @Test func `devices shows only the requested receiver`() async throws {
        var other = TextLinesTests.receiver
        other.path = "/dev/ttyUSB0"
        let result = try await CommandTrial.run(
            "devices --device /dev/ttyUSB0 x",
            [
                .device(TextLinesTests.receiver), .device(other),
                .location(TextLinesTests.place(0, device: "/dev/ttyUSB0")), .hang,
            ])
        #expect(result.lines.count == 2 && result.lines[1].hasPrefix("/dev/ttyUSB0"), "\(result.output)")
        #expect(result.lines[1].contains("NEO-M8N  "))
    }

    @Test func `the end of gpsd after a position is a line of the output in a pipe too, and other failures are not`()
        async throws
    {
        let lost = LocationError.connectionLost(host: "localhost", port: "2947", cause: "gpsd closed it")
        let refused = LocationError.unreachable(host: "localhost", port: "2947", cause: "Connection refused")
        let retries: [ScriptStep] = [
            .error(lost), .wait(.seconds(1)), .searching(.connecting(attempt: 2)), .error(refused), .wait(.seconds(2)),
            .searching(.connecting(attempt: 3)), .error(refused), .wait(.seconds(4)),
        ]
        let script = TextLinesTests.coldStart + TextLinesTests.walk(from: 20, count: 3) + retries
        let result = try await CommandTrial.run("watch", script + TextLinesTests.walk(from: 30, count: 1) + [.end])
        let errors = result.lines.filter { $0.contains("error ") }
        #expect(errors.count == 1, "\(result.output)")
        #expect(errors.first?.contains("lost the connection to localhost:2947") == true, "\(errors)")
        #expect(result.errors.contains("lost the connection to localhost:2947"), "\(result.errors)")
        let brief = TextLinesTests.coldStart + TextLinesTests.walk(from: 20, count: 3) + [.endThrowing(lost)]
        let last = try await CommandTrial.run("watch", brief).lines.last
        #expect(last?.contains("error      lost the connection to localhost:2947") == true, "\(last ?? "")")
    }

    @Test func `the error for a short recording without a position omits its length`() {
        let text = ErrorText(.noFix(.noPosition(after: .zero, reason: .noDevice))).message
        #expect(text == "no position: gpsd has no receiver")
        #expect(ErrorText(.noFix(.nothingHeard(after: .zero))).message == "no position: no report of a receiver")
    }
}
