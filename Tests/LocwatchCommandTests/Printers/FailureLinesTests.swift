import LocationTesting
import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchTerminal

/// The lines about failures, over scripted sources.
@Suite(.serialized, .withClocks) struct FailureLinesTests {
    private static func failures(_ count: Int) -> [ScriptStep] {
        let error = LocationError.unresolvable(host: "pi", port: 2947, cause: "unknown host")
        return (0..<count).flatMap { number -> [ScriptStep] in
            [.searching(.connecting(attempt: number + 1)), .error(error), .wait(.seconds(1))]
        }
    }

    @Test func `a failure that lasts until the time limit is not reported again`() async throws {
        let ended = try await CommandTrial.run("watch -t 3s pi", Self.failures(12))
        #expect(ended.code == .unavailable)
        #expect(ended.errors.split(separator: "\n").count { $0.contains("unknown host") } == 2, "\(ended.errors)")
        #expect(ended.errors.hasSuffix("locwatch: no position within 3 s\n"), "\(ended.errors)")
        let quiet = try await CommandTrial.run("watch -q -t 3s pi", Self.failures(12))
        #expect(quiet.errors.hasPrefix("locwatch: cannot resolve pi:2947: unknown host"), "\(quiet.errors)")
    }

    @Test(arguments: ["", "--csv", "-f %{lat}"])
    func `in a pipe a failure is reported once and then counted`(form: String) async throws {
        let ended = try await CommandTrial.run("watch \(form) pi", Self.failures(12) + [.end])
        #expect(ended.errors.hasSuffix("locwatch: cannot resolve pi:2947: unknown host: failed 12 times\n"))
        #expect(!ended.output.contains("unknown host"))
        let once = try await CommandTrial.run("watch \(form) pi", Self.failures(1) + [.end])
        #expect(!once.errors.contains("times"))
        let quiet = try await CommandTrial.run("watch -q \(form) pi", Self.failures(5) + [.end])
        #expect(quiet.code == .unavailable)
        #expect(quiet.errors.hasPrefix("locwatch: cannot resolve pi:2947: unknown host\n"), "\(quiet.errors)")
        #expect(!quiet.errors.contains("times"))
        let json = try await CommandTrial.run("watch -j pi", Self.failures(5) + [.end])
        #expect(json.lines.count { $0.contains(#""event":"error""#) } == 5 && json.errors == "")
    }

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

    @Test(arguments: ["once", "export csv", "stats", "record", "devices"])
    func `an unknown receiver ends the command with a list of the known ones`(command: String) async throws {
        let error = LocationError.deviceUnknown(path: "/dev/nope", known: ["/dev/ttyACM0", "/dev/ttyUSB0"])
        let result = try await CommandTrial.run(
            "\(command) --device /dev/nope \(command == "record" ? "- x" : "x")",
            [
                .searching(.connected(release: "3.22")), .device(TextLinesTests.receiver),
                .error(error), .hang,
            ])
        #expect(result.code == .unavailable)
        #expect(
            result.errors == "locwatch: there is no receiver /dev/nope, but /dev/ttyACM0, /dev/ttyUSB0\n",
            "\(result.errors)")
        #expect(!result.output.contains("may not be had"))
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
