import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

/// Tests of `where`, over a drive with a second between its positions that begins at 2026-11-10 00:00:00 UTC.
@Suite(.serialized, .withClocks) struct WhereCommandTests {
    private struct Drive {
        let scratch: Scratch
        let path: String
        var localTime = LocalTime.utc

        /// Writes two parts of a drive, from second 0 to 9 and from 100 to 109, or a text.
        init(_ text: String? = nil, as name: String = "drive.json") throws {
            scratch = try Scratch()
            path = try scratch.write(
                text ?? RecordedDrive.text(points: 10) + RecordedDrive.text(points: 10, from: 100), to: name
            ).path
        }

        func find(_ words: [String], input: String = "") async throws -> CommandTrial.Result {
            try await CommandTrial(localTime: localTime, input: input).run(["where", path] + words)
        }
    }

    @Test func `the time of an epoch gives its position`() async throws {
        let drive = try Drive()
        let exact = try await drive.find([
            "2026-11-10T00:00:04Z", "-f", "%{time} %{lat:.7} %{eph} %{interpolated}",
        ])
        #expect(exact == .init(output: "2026-11-10T00:00:04.000Z 45.1000040 5.1 -\n"))
    }

    @Test func `a time between two epochs gives an interpolated position`() async throws {
        let drive = try Drive()
        let between = try await drive.find(["2026-11-10T00:00:04.500Z", "-j"])
        let object = try #require(try between.objects("location").first)
        #expect(object["time"] as? String == "2026-11-10T00:00:04.500Z" && object["lat"] as? Double == 45.1000045)
        #expect(object["interpolated"] as? Double == 1 && object["eph"] as? Double ?? 0 > 5.1)
        #expect(try between.words() == ["start", "location", "end ended"])
        let text = try await drive.find(["2026-11-10T00:00:04.500Z"])
        #expect(
            text.output.hasPrefix("2026-11-10  00:00:04  45.100004") && text.output.hasSuffix("interpolated over 1 s\n")
        )
    }

    @Test func `an interpolated position in CSV has no digits of the computation`() async throws {
        let drive = try Drive()
        let csv = try await drive.find(["2026-11-10T00:00:04.300Z", "--csv", "--no-header"])
        let numbers = csv.output.dropLast().split(separator: ",").compactMap { Double($0) == nil ? nil : $0 }
        #expect(numbers.count > 4 && numbers.allSatisfy { $0.count <= 12 }, "\(csv.output)")
    }

    @Test func `a time in a gap ends with 75 and the nearest times`() async throws {
        let drive = try Drive()
        let result = try await drive.find(["2026-11-10T00:00:30Z"])
        #expect(result.code == .noFix && result.output == "")
        #expect(
            result.errors
                == "locwatch: no position at 2026-11-10T00:00:30.000Z: the nearest are at 2026-11-10T00:00:09.000Z, "
                + "21 s before, and 2026-11-10T00:01:40.000Z, 1 min 10 s after\n")
        let json = try await drive.find(["2026-11-10T00:02:00Z", "-j"])
        let error = try #require(try json.objects("error").first)
        #expect(json.code == .noFix && error["time"] as? String == "2026-11-10T00:02:00.000Z")
        #expect(error["before"] as? String == "2026-11-10T00:01:49.000Z" && error["after"] == nil)
        // A longer interval can be allowed.
        #expect(try await drive.find(["2026-11-10T00:00:30Z", "--stale", "5m"]).code == .done)
    }

    @Test func `a time without an offset is local, and UTC if that is asked for`() async throws {
        var drive = try Drive()
        drive.localTime = LocalTime { _ in 3600 }
        for (time, options) in [
            ("2026-11-10T01:00:04", []), ("2026:11:10 01:00:04", []), ("2026:11:10 00:00:04", ["--utc"]),
            ("2026-11-10 02:00:04+02:00", []), ("2026-11-09T19:00:04-05:00", ["--utc"]),
        ] {
            let result = try await drive.find([time, "-f", "%{time}"] + options)
            #expect(result == .init(output: "2026-11-10T00:00:04.000Z\n"), "\(time)")
        }
    }

    @Test func `a time that clocks show twice or never is refused`() async throws {
        let change = Timestamp(secondsSince1970: 1_792_890_000)
        var drive = try Drive()
        drive.localTime = LocalTime { $0 < change ? 7200 : 3600 }
        let twice = try await drive.find(["2026-10-25 02:30:00"])
        #expect(twice.code == .usage)
        #expect(
            twice.errors.contains(
                "clocks show 2026-10-25 02:30:00 twice, because they are set back: add +02:00 or +01:00"))
        drive.localTime = LocalTime { $0 < change ? 3600 : 7200 }
        let never = try await drive.find(["2026-10-25 02:30:00"])
        #expect(never.code == .usage && never.errors.contains("no clock shows 2026-10-25 02:30:00"))
    }

    @Test func `each time has its line in their order, also one without a position`() async throws {
        let drive = try Drive()
        let times = ["2026-11-10T00:01:42Z", "2026-11-10T00:00:30Z", "2026-11-10T00:00:03Z"]
        let options = times.flatMap { [$0] }
        let template = try await drive.find(options + ["-f", "%{n} %{time} %{clock} %{lat} %{geo}"])
        #expect(template.code == .noFix)
        #expect(
            template.lines == [
                "1 2026-11-10T00:01:42.000Z 00:01:42 45.1001020 geo:45.1001020,7.5000000;u=5.1",
                "2 2026-11-10T00:00:30.000Z 00:00:30 - -",
                "3 2026-11-10T00:00:03.000Z 00:00:03 45.1000030 geo:45.1000030,7.5000000;u=5.1",
            ])
        #expect(
            template.errors.split(separator: "\n").count == 1 && template.errors.contains("00:00:30.000Z: the nearest"))
        let table = try await drive.find(options + ["--csv", "--columns", "lat,time,interpolated"])
        #expect(
            table.output
                == "lat,time,interpolated\r\n45.100102,2026-11-10T00:01:42.000Z,\r\n,2026-11-10T00:00:30.000Z,\r\n"
                + "45.100003,2026-11-10T00:00:03.000Z,\r\n")
        let usual = try await drive.find(["2026-11-10T00:00:03.5Z", "--csv"])
        #expect(usual.lines.first?.hasSuffix(",interpolated") == true && usual.lines.last?.hasSuffix(",1") == true)
        let json = try await drive.find(options + ["-j"])
        #expect(try json.words() == ["start", "location", "error noFix", "location", "end ended"])
        #expect(json.errors == "" && json.code == .noFix)
        let text = try await drive.find(options)
        #expect(text.lines.map { String($0.prefix(8)) } == ["2026-11-", "00:01:42", "00:00:03"])
    }

    @Test func `times come from standard input, and a line that is none keeps its place`() async throws {
        let drive = try Drive()
        let input =
            "2026:11:10 00:00:02\r\n-\n\n  2026-11-10T00:00:05.5Z \n" + String(repeating: "9", count: 5000)
            + "\n2026:11:10 00:00:03"
        let result = try await drive.find(
            ["2026-11-10T00:00:01Z", "-", "-f", "%{clock} %{lat}"], input: input)
        #expect(
            result.lines == [
                "00:00:01 45.1000010", "00:00:02 45.1000020", "- -", "- -", "00:00:05 45.1000055", "- -",
                "00:00:03 45.1000030",
            ])
        #expect(result.code == .noFix)
        let errors = result.errors.split(separator: "\n")
        #expect(
            errors.count == 3 && errors[0].hasPrefix("locwatch: line 2 of standard input: \"-\" is not a time"),
            "\(errors)")
        #expect(errors.allSatisfy { $0.count < 600 })
        let nothing = try await drive.find(["-"])
        #expect(nothing.code == .done && nothing.output == "")
        let json = try await drive.find(["-", "-j"], input: "x\u{1B}[2J\n")
        #expect(try json.words() == ["start", "error time", "end ended"] && json.code == .noFix)
        let flood = String(repeating: "\n", count: TimesInput.limit + 1)
        let refused = try await drive.find(["-"], input: flood)
        #expect(refused.code == .badData && refused.errors.contains("more than 200000 times"))
    }

    @Test func `a position must be good enough`() async throws {
        let drive = try Drive()
        let time = ["2026-11-10T00:00:04.500Z"]
        let coarse = try await drive.find(time + ["-a", "5.2"])
        #expect(
            coarse.code == .noFix
                && coarse.errors.contains("no position accurate to 5.2 m; the best is accurate to 5.4"))
        #expect(try await drive.find(time + ["-a", "5.5", "--fix", "3d"]).code == .done)
        #expect(try await drive.find(time + ["--device", "/dev/ttyACM1"]).code != .done)
    }

    @Test func `a track of another program and a recording that is cut off are looked up in, too`() async throws {
        let csv = try Drive(
            "time,lat,lon\n2026-03-15T10:00:00Z,48.2,16.3\n2026-03-15T10:10:00Z,48.3,16.3\n", as: "hike.csv")
        let found = try await csv.find(["2026-03-15T10:05:00Z", "-f", "%{lat:.3} %{interpolated} %{eph}"])
        #expect(found == .init(output: "48.250 600 -\n"))
        let torn = try Drive(String(RecordedDrive.text(points: 10).dropLast(30)))
        #expect(try await torn.find(["2026-11-10T00:00:04Z", "-f", "%{lat}"]).output == "45.1000040\n")
        let foreign = try Drive("no session\n")
        let failed = try await foreign.find(["2026-11-10T00:00:04Z", "-f", "%{lat}"])
        #expect(failed.code == .badData && failed.output == "")
    }

    @Test(arguments: [
        (
            "where pi 2026-11-10T00:00:00Z",
            "where looks positions up in a recording or a track, and gpsd://pi:2947 is none"
        ),
        ("where - -", "where reads FILE from a file"), ("where - 2026-11-10T00:00:00Z", "where reads FILE from a file"),
        ("where ./d.json tomorrow", "invalid value \"tomorrow\" for TIME: expected a time such as 2026"),
        ("where ./d.json", "where needs a TIME...: locwatch where [OPTIONS] FILE TIME..."),
        ("where", "where needs a FILE: "),
        ("where ./d.json 2026-11-10T00:00:00Z -t 5s", "where does not take -t (--timeout)"),
        ("where ./d.json 2026-11-10T00:00:00Z -f waybar", "a status bar shows the present"),
        ("once --at - -", "where reads FILE from a file"),
        ("watch --at 2026-11-10T00:00:00Z ./d.json", "watch does not take --at"),
    ])
    func `what makes no sense with a past position is refused`(line: String, part: String) {
        #expect(UsageError.message(line)?.contains(part) == true, "\(UsageError.message(line) ?? "valid")")
    }

    @Test func `the option of release 0.5 is this command`() throws {
        let time = "2026-11-10T00:00:00Z"
        let former = try Invocation.of("once --at \(time) ./d.json --at - -j")
        let new = try Invocation.of("where ./d.json -j \(time) -")
        #expect(former.command == new.command && former.settings.reading.formerTimes == new.rest)
        #expect(former.settings.output.format == new.settings.output.format)
        #expect(former.notices == ["--at is deprecated, and 0.7 refuses it: write 'locwatch where FILE TIME'"])
        #expect(try Invocation.of("once --at \(time) -").source.recording?.path == "-")
    }
}
