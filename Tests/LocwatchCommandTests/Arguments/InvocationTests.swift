import LocationCore
import GPSDProtocol
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

private func settings(_ line: String) throws -> Settings { try Invocation.of(line).settings }

private func message(_ line: String) -> String? { UsageError.message(line) }

@Suite struct InvocationTests {
    private static let (own, pi) = ("gpsd://localhost:2947", "gpsd://pi:2947")

    @Test(
        arguments: [
            ("", "watch", own, nil), ("watch", "watch", own, nil), ("pi", "watch", pi, nil),
            ("watch pi", "watch", pi, nil), ("-j pi", "watch", pi, nil), ("-j once pi", "once", pi, nil),
            ("once pi -j", "once", pi, nil), ("-- once", "watch", "gpsd://once:2947", nil),
            ("watch -- once", "watch", "gpsd://once:2947", nil), ("watch watch", "watch", "gpsd://watch:2947", nil),
            ("record out.json", "record", own, "out.json"), ("record - pi", "record", pi, "-"),
            ("export gpx a/b.json", "export", "replay:a/b.json", "gpx"), ("export GPX pi", "export", pi, "gpx"),
            ("stats -", "stats", "replay:-", nil), ("devices", "devices", own, nil), ("doctor pi", "doctor", pi, nil),
            ("serve sim:walk", "serve", "sim:walk", nil), ("serve drive.json", "serve", "replay:drive.json", nil),
            ("serve pi", "serve", pi, nil), ("-t 5s once", "once", own, nil),
        ] as [(String, String, String, String?)])
    func `the first word is the command if it names one, and otherwise the source`(
        line: String, command: String, source: String, word: String?
    ) throws {
        let invocation = try Invocation.of(line)
        #expect(invocation.command.rawValue == command)
        #expect(invocation.source.description == source)
        #expect(invocation.word == word)
    }

    @Test(arguments: [
        ("udp://:3115", true), ("udp://127.0.0.1:3115", true), ("udp://localhost:3115", true),
        ("udp://0.0.0.0:3115", true), ("udp://192.0.2.7:3115", false), ("tcp-listen://127.0.0.1:3115", false),
    ])
    func `doctor takes datagrams to this machine as the SOURCE`(word: String, isSource: Bool) throws {
        let invocation = try Invocation.of("doctor \(word)")
        #expect(invocation.settings.publishing.targets.isEmpty == isSource)
        #expect((invocation.source.stream != nil) == isSource)
    }

    @Test(arguments: ["-n5", "-n 5", "--count 5", "--count=5", "--coun=5", "-qn5", "-n 3 -n 5", "-n3 --count=5"])
    func `an option accepts the GNU spellings`(line: String) throws {
        #expect(try settings(line).limits.count == 5)
    }

    @Test(
        arguments: [
            ("sim:walk", "; a file of that name is ./sim:walk"), ("pi.local", "; a file of that name is ./pi.local"),
            ("localhost:2947", "; a file of that name is ./localhost:2947"), ("/dev/ttyACM0", ""),
        ])
    func `record refuses a SOURCE in the place of its FILE`(word: String, hint: String) {
        #expect(
            message("record \(word)")
                == "record writes to a FILE, which comes first, and \(word) is a SOURCE: "
                + "try 'locwatch record drive.json \(word)'\(hint)")
    }

    @Test(arguments: ["drive.json", "-", "pi", "./sim:walk", "/dev/full"])
    func `record takes a FILE that no source is likely to have`(word: String) throws {
        #expect(try Invocation.of("record \(word)").word == word)
    }

    @Test(arguments: ["watch --csv --units nautical", "once --units dms --csv", "export csv --units nautical"])
    func `units that tables do not have are refused with the template to use`(line: String) {
        let words = " has metres, m/s and degrees; for --units use a template, as in -f %{time},"
        #expect(message(line)?.contains(words) == true)
    }

    @Test func `the short help has options that exist`() {
        for name in OptionTable.main { #expect(OptionTable.all.contains { $0.name == name }) }
    }

    @Test func `a variable can name the source`() throws {
        let variable = ["LOCWATCH_SOURCE": "sim:walk"]
        #expect(try Invocation.of("", variable).source.description == "sim:walk")
        #expect(try Invocation.of("pi", variable).source.description == Self.pi)
        #expect(UsageError.message("", ["LOCWATCH_SOURCE": "sim:wlk"])?.hasPrefix("LOCWATCH_SOURCE: ") == true)
    }

    private static let height = "a height above sea level such as 264, 264m or -1400ft, from -12km to 100km"
    private static let degrees = "a latitude from -90 to 90 and a longitude from -180 to 180"
    private static let length = "a length in metres such as 50, 0.5km, 160ft, 1mi or 2nmi, more than 0"

    @Test(
        arguments: [
            ("-n", ["0", "=5", "-5"], "-n (--count)", "a whole number of at least 1"),
            ("serve --port", ["70000"], "--port", "a whole number from 0 to 65535"),
            ("-t", ["5x"], "-t (--timeout)", "a duration such as 250ms, 10s, 5m or 1h, at least 1ms"),
            ("-a", ["0"], "-a (--accuracy)", length), ("-f", ["%{lat"], "-f (--format)", "a } after every %{"),
            ("-f", ["%{eph:1}"], "-f (--format)", "%{eph:.DECIMALS} with 0 to 12 decimals, as in %{eph:.1}"),
            ("-f", ["%{lat:.13}"], "-f (--format)", "%{lat:.DECIMALS} with 0 to 12 decimals, as in %{lat:.1}"),
            ("-f", ["%{device:.1}"], "-f (--format)", "%{device} without decimals, which it does not have"),
            ("--fence", ["a=91,0,5"], "--fence", degrees),
            ("--fence", ["a=1,0,0"], "--fence", "a radius in metres, more than 0"),
            ("--reference", ["45"], "--reference", "a longitude after the latitude, as in 45.0703,7.6869"),
            ("--reference", ["nan,7", "here"], "--reference", PlaceText.allowed),
            ("--reference", ["45,7,", "45,7,1,2", "45,7,inf", "45,7,20parsec", "45,7,1e3"], "--reference", height),
            ("--reference", ["45,7,101km", "45,7,-13000", "45,7,--5"], "--reference", height),
            ("--reference", ["91,0"], "--reference", degrees),
            ("--csv --columns", ["lat,lat"], "--columns", "each column once"),
            ("completions", ["ksh"], "SHELL", "bash, zsh or fish"),
            ("stats --plot-file", ["x.jpg"], "--plot-file", "a name that ends in .svg"),
        ] as [(String, [String], String, String)])
    func `an invalid value is named with its option and the valid values`(
        words: String, values: [String], option: String, valid: String
    ) {
        for value in values {
            let line = value == "=5" ? "\(words)\(value)" : "\(words) \(value)"
            #expect(message(line) == "invalid value \"\(value)\" for \(option): expected \(valid)")
        }
    }

    @Test(arguments: [
        "--coutn 5": "unknown option --coutn; did you mean --count?", "--zzzzzz": "unknown option --zzzzzz",
        "-Z": "unknown option -Z", "-jZ": "unknown option -Z in -jZ", "-\u{1B}": #"unknown option -\x1b"#,
        "-n": "-n (--count) needs a value: N", "--count": "--count needs a value: N",
        "--co 5": "--co is ambiguous: --columns, --count, --color or --config", "--json=1": "--json takes no value",
        "--units imperal":
            "invalid value \"imperal\" for --units (did you mean imperial?): expected metric, imperial, nautical, d, dm or dms",
        "--units \u{1B}[2J":
            #"invalid value "\x1b[2J" for --units: expected metric, imperial, nautical, d, dm or dms"#,
        "once --loop": "once does not take --loop; it is an option of serve",
        "-n 5 once": "once does not take -n (--count); it is an option of watch, export, stats and publish",
        "doctor http://localhost/?id=%{lat": "invalid TARGET: expected a } after every %{",
        "recrod a.json": "unknown command recrod; did you mean record?",
        "pi extra": "unexpected argument \"extra\": watch takes SOURCE only",
        "version extra": "unexpected argument \"extra\": version takes no arguments",
        "export gpx a b": "unexpected argument \"b\": export takes FORMAT and SOURCE only",
        "record": "record needs a FILE: locwatch record [OPTIONS] FILE [SOURCE]",
        "completions": "completions needs a SHELL: locwatch completions SHELL",
        "help wach":
            "unknown help topic \"wach\" (did you mean watch?): the topics are the commands, sources, targets, template, hooks, "
            + "sim, faults, places, receiver, safety, schema and manual",
        "--units metric,imperial":
            "invalid value \"metric,imperial\" for --units: expected one unit of lengths and one form of angles, as in nautical,dm",
        "--units dm,metric,d":
            "invalid value \"dm,metric,d\" for --units: expected one unit of lengths and one form of angles, as in nautical,dm",
        "-f %lat":
            "invalid value \"%lat\" for -f (--format): expected braces around a name, as in %{lat}; a plain %lat is written %%lat",
        "-f %%,%lon":
            "invalid value \"%%,%lon\" for -f (--format): expected braces around a name, as in %{lon}; a plain %lon is written %%lon",
        "--columns lat,lon": "--columns needs --csv",
        "once -j --columns lat,lon": "--columns needs --csv",
        "once --device-name boat pi": "--device-name is for a target and needs --to",
        "once --header a:b mqtt://broker": "--header is for a target and needs --to",
        "--csv --sky --columns lat":
            "--columns selects columns of positions and cannot be combined with --states or --sky",
        "-s -f %{lat}":
            "a template and influx have positions and --states none; --csv, --json and bars have changes of state",
        "--sky -f %{lat}": "a template and influx print no satellites; text, --csv and --json have those of --sky",
        "--csv -s --sky": "--csv has either changes of state or satellites: give --states or --sky",
        "watch --pace manual": "--pace manual is for serve",
        "time mqtt://h/#": "a fleet has no clock to compare with; name a gpsd or a recording of one",
        "time --plot -j": "--plot draws text; with --json, draw into a file, as in --plot-file clock.svg",
        "watch --password-file x pi.local":
            "--password-file is for a broker or a TARGET, and gpsd://pi.local:2947 is neither",
        "watch --device -q sim:walk": "--device needs a value: PATH; -q is an option",
        "watch --device --quiet": "--device needs a value: PATH; --quiet is an option",
        "--csv --columns GGA": "--columns with sentences is for 'export nmea'",
        "export csv --columns GGA": "--columns works only with the format nmea",
        "export csv --sentences GGA": "--sentences works only with the format nmea",
        "export gpx --columns lat": "--columns works only with the format csv",
        "once --reference 1,2": "once does not take --reference; it is an option of watch, monitor and stats",
        "stats --reference 1,2 mqtt://broker.example/fleet/#": "--reference is for one receiver, not a fleet",
        "stats --plot -j": "--plot draws text; with --json, draw into a file, as in --plot-file drive.svg",
        "stats --plot mqtt://localhost": "--plot draws one receiver, not a fleet",
        "once --no-header": "--no-header needs --csv", "watch -j --no-header": "--no-header needs --csv",
        "export gpx --no-header": "--no-header works only with the format csv",
        "export csv --no-header -o t.csv":
            "--no-header is for standard output; --output continues a file without a second header",
        "watch -f %{fence.ancor.distance} --fence anchor=here,40 x":
            "--format names the fence ancor, which no --fence declares (did you mean anchor?)",
        "once --fence anchor=here,40 x":
            "once has one position, which is always in a fence around itself; give the latitude and the longitude instead of here",
    ])
    func `a usage error names the option, the value and the valid values`(line: String, text: String) {
        #expect(message(line) == text)
    }

    @Test(arguments: [
        ("pi extra", " watch"), ("export xyz", " export"), ("time sim:wlk", " time"),
        ("publish ftp://h x", " publish"), ("stats --simplify 5 x", " stats"), ("stats --units x", " stats"),
        ("stats --plot -j", " stats"), ("stats --plot-file a.png", " stats"), ("once --header a:b pi", " once"),
        ("record /r.json", " record"),
    ])
    func `a usage error refers to the help of its command`(line: String, command: String) throws {
        let error = try #require(throws: UsageError.self) { try Invocation.of(line) }
        #expect(error.text == "locwatch: \(error.message)\nlocwatch: see 'locwatch help\(command)'\n")
    }

    @Test func `the error of an unknown command refers to the overview`() throws {
        let error = try #require(throws: UsageError.self) { try Invocation.of("recrod a.json") }
        #expect(error.text == "locwatch: \(error.message)\nlocwatch: see 'locwatch help'\n")
    }

    @Test(
        arguments: [
            ("45.5,-7.25", 45.5, -7.25, nil), ("-90,180,264", -90, 180, 264), ("0,0,-0.43km", 0, 0, -430),
            ("1,2,0", 1, 2, 0),
        ] as [(String, Double, Double, Double?)], ["watch", "stats", "monitor --reference 3,4"])
    func `a reference point has a height above or below the sea in any unit of length`(
        point: (text: String, latitude: Double, longitude: Double, height: Double?), command: String
    ) throws {
        let place = Coordinate(latitude: point.latitude, longitude: point.longitude)
        let reference = try settings("\(command) --reference \(point.text)").output.events.reference
        #expect(reference == ReferencePoint(place, height: point.height))
    }

    @Test func `the error for an unknown template name is one line that says where the names are`() throws {
        let text = try #require(message("-f %{lta}"))
        #expect(text.contains("did you mean %{lat}?") && text.contains("'locwatch help template'"))
        #expect(text.utf8.count < 160)
        let publishing = try #require(message("publish https://example.org --body %{lta}"))
        #expect(publishing.contains("%{lta}, as 'locwatch help targets' lists them") && publishing.utf8.count < 160)
    }

    @Test func `the error for an unknown column is short, and says how to see the known ones`() throws {
        let text = try #require(message("--csv --columns time,foo"))
        let expected =
            #"expected another column than "foo"; --columns all shows every name"#
        #expect(text.hasPrefix(#"invalid value "time,foo" for --columns: \#(expected)"#) && text.count < 200, "\(text)")
        #expect(message("--csv --columns lta")?.contains("(did you mean lat?)") == true)
        #expect(try settings("export csv --columns all").output.columns == .all)
    }

    @Test func `a word that names no bar is an error, and a similar scheme of a target is suggested`() throws {
        #expect(message("-f nobar")?.contains("expected a template such as '%{lat} %{lon}', or waybar") == true)
        for template in ["x%{n}", "%%lat", "100%", "a%20lat", "%{n}%lat", "%latitude"] {
            #expect(message("-f \(template)") == nil, "\(template)")
        }
        #expect(message("publish mqt://broker.example/a")?.hasSuffix("; did you mean mqtt?") == true)
        #expect(message("once --to mqt://broker.example/a")?.hasSuffix("; did you mean mqtt?") == true)
    }

    @Test func `a prefix matches the options of its command first`() throws {
        #expect(try settings("record --for x").file.overwrites)
        #expect(try settings("once --fo %%").output.format == .template(Template.read("%"), "%%"))
    }

    @Test func `no two options share a letter or a name`() {
        let letters = OptionTable.all.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
        #expect(Set(OptionTable.all.map(\.name)).count == OptionTable.all.count)
    }
}
