import GPSDReports
import LocationCore
import LocationTracks
import LocationGPSD
import Testing

@testable import LocwatchCommand

private func parse(_ line: String, _ environment: [String: String] = [:], files: Set<String> = []) throws -> Invocation
{
    try Invocation.parse(
        line.split(separator: " ").map(String.init), environment: environment, exists: files.contains)
}

private func settings(_ line: String, _ environment: [String: String] = [:]) throws -> Settings {
    try parse(line, environment).settings
}

private func message(_ line: String, _ environment: [String: String] = [:]) -> String? {
    do {
        _ = try parse(line, environment)
        return nil
    } catch {
        return (error as? UsageError)?.message
    }
}

struct InvocationTests {
    private static let pi = SourceWord.gpsd(GPSDEndpoint(host: "pi"))

    @Test(
        arguments: [
            ("", "watch", .standard, nil), ("watch", "watch", .standard, nil), ("pi", "watch", pi, nil),
            ("watch pi", "watch", pi, nil), ("-j pi", "watch", pi, nil), ("-j once pi", "once", pi, nil),
            ("once pi -j", "once", pi, nil), ("-- once", "watch", host("once"), nil),
            ("watch -- once", "watch", host("once"), nil), ("watch watch", "watch", host("watch"), nil),
            ("record out.json", "record", .standard, "out.json"), ("record - pi", "record", pi, "-"),
            ("export gpx a/b.json", "export", .recording(path: "a/b.json"), "gpx"),
            ("export GPX pi", "export", pi, "gpx"), ("stats -", "stats", .recording(path: "-"), nil),
            ("devices", "devices", .standard, nil), ("doctor pi", "doctor", pi, nil),
            ("serve sim:walk", "serve", .simulator(name: "walk"), nil),
            ("serve drive.json", "serve", .recording(path: "drive.json"), nil),
            ("-t 5s once", "once", .standard, nil),
        ] as [(String, String, SourceWord, String?)])
    func `the first word is a command when it is one, and else the source`(
        line: String, command: String, source: SourceWord, word: String?
    ) throws {
        let invocation = try parse(line)
        #expect(invocation.command.rawValue == command)
        #expect(invocation.source == source)
        #expect(invocation.word == word)
    }

    @Test func `an option before the command is judged by the command`() {
        #expect(message("-n 5 once")?.contains("takes no -n") == true)
    }

    private static func host(_ name: String) -> SourceWord { .gpsd(GPSDEndpoint(host: name)) }

    @Test(
        arguments: [
            ("help", "help", nil), ("--help", "help", nil), ("-h", "help", nil), ("once -h", "help", "once"),
            ("-h once", "help", "once"), ("help once", "help", "once"), ("help schema", "help", "schema"),
            ("help template", "help", "template"), ("help manual", "help", "manual"), ("once -jh", "help", "once"),
            ("version", "version", nil), ("-V", "version", nil), ("once --version", "version", nil),
            ("completions zsh", "completions", "zsh"), ("help --help", "help", "help"),
        ] as [(String, String, String?)])
    func `help and version are commands, also as options`(line: String, command: String, word: String?) throws {
        let invocation = try parse(line)
        #expect(invocation.command.rawValue == command)
        #expect(invocation.word == word)
    }

    @Test(arguments: [
        "-n5", "-n 5", "--count 5", "--count=5", "--coun=5", "--co 5", "-qn5", "-n 3 -n 5", "-n3 --count=5",
    ])
    func `an option is written as in any GNU program`(line: String) throws {
        if line == "--co 5" {
            #expect(message(line) == "--co could be --columns, --count or --color")
        } else {
            #expect(try settings(line).count == 5)
        }
    }

    @Test func `each option sets what it is named after`() throws {
        let line =
            "-j -s --sky --degrees dms --units nautical --precision 9 --color never -v -n 7 -t 10s -x 1h -a 12.5 "
            + "--max-age 2s -d 0.5km -i 250ms --fence home=45.07,-7.68,150 --fence work=1,2,3 --dwell 10m "
            + "--device /dev/ttyACM0 --pace 10x --no-reconnect"
        var expected = Settings()
        expected.output = .json
        expected.showsStatesOnly = true
        expected.showsSky = true
        expected.degrees = .seconds
        expected.units = .nautical
        expected.precision = .decimals(9)
        expected.color = .never
        expected.verbosity = .verbose
        expected.count = 7
        expected.timeout = .seconds(10)
        expected.duration = .seconds(3600)
        expected.accuracy = 12.5
        expected.maximumAge = .seconds(2)
        expected.distance = 500
        expected.interval = .milliseconds(250)
        expected.fences = [
            try Fence(name: "home", shape: .circle(center: Coordinate(latitude: 45.07, longitude: -7.68), radius: 150)),
            try Fence(name: "work", shape: .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 3)),
        ]
        expected.dwell = .seconds(600)
        expected.device = "/dev/ttyACM0"
        expected.pace = .times(10)
        expected.reconnects = false
        #expect(try settings(line) == expected)
    }

    @Test func `the options of the other commands set what they are named after`() throws {
        #expect(try settings("once --fix 3d").fix == .threeD)
        #expect(try settings("record --force x").overwrites)
        let export = try settings("export gpx -o day.gpx --rotate 10MB --every 5s --min-move 3 --simplify 2m --force")
        #expect(export.outputPath == "day.gpx")
        #expect(export.rotation == .bytes(10_000_000))
        #expect(export.every == .seconds(5))
        #expect(export.minimumMove == 3)
        #expect(export.simplification == 2)
        #expect(try settings("export gpx --rotate 1h").rotation == .every(.seconds(3600)))
        #expect(try settings("stats --plot").plot == .terminal)
        #expect(try settings("stats --plot=a.svg").plot == .file("a.svg"))
        #expect(try settings("stats --plot a.svg").plot == .file("a.svg"))
        #expect(try settings("stats drive.json --plot A.PNG").plot == .file("A.PNG"))
        #expect(try settings("stats --plot drive.json").plot == .terminal)
        #expect(try parse("stats --plot a.svg pi").source == InvocationTests.pi)
        #expect(try settings("devices --watch").followsDevices)
        let serve = try settings("serve x.json --loop --redate --listen 0.0.0.0:2948 --port 2949 --pace max")
        #expect(serve.loops && serve.redates)
        #expect(serve.listen == ListenAddress(host: "0.0.0.0", port: 2948))
        #expect(serve.port == 2949)
        #expect(serve.pace == .max)
    }

    @Test func `of the forms of output the last one wins`() throws {
        #expect(try settings("-j --csv").output == .csv)
        #expect(try settings("--csv --json").output == .json)
        #expect(try settings("-j --text").output == .text)
        #expect(try settings("-q -v").verbosity == .verbose)
    }

    @Test func `a flag beats a variable, which beats the default`() throws {
        let nautical = ["LOCWATCH_UNITS": "nautical", "LOCWATCH_JSON": "1", "LOCWATCH_COUNT": "3"]
        #expect(try settings("", nautical).units == .nautical)
        #expect(try settings("", nautical).output == .json)
        #expect(try settings("", nautical).count == 3)
        #expect(try settings("--units metric --csv -n 4", nautical).units == .metric)
        #expect(try settings("--units metric --csv -n 4", nautical).output == .csv)
        #expect(try settings("--units metric --csv -n 4", nautical).count == 4)
        #expect(try settings("").units == .metric)
        #expect(try settings("", ["LOCWATCH_UNITS": "", "LOCWATCH_JSON": "0"]) == Settings())
    }

    @Test func `a variable is passed over by a command that has no such option`() throws {
        #expect(try settings("once", ["LOCWATCH_COUNT": "x"]) == Settings())
        #expect(try parse("version", ["LOCWATCH_UNITS": "bad"]).command == VersionCommand.entry.name)
    }

    @Test func `the source can come from a variable`() throws {
        #expect(try parse("", ["LOCWATCH_SOURCE": "sim:walk"]).source == .simulator(name: "walk"))
        #expect(try parse("pi", ["LOCWATCH_SOURCE": "sim:walk"]).source == InvocationTests.pi)
        #expect(message("", ["LOCWATCH_SOURCE": "sim:wlk"])?.hasPrefix("LOCWATCH_SOURCE: ") == true)
    }

    @Test(arguments: [
        ("--coutn 5", "there is no option --coutn; did you mean --count?"),
        ("--zzzzzz", "there is no option --zzzzzz"),
        ("-Z", "there is no option -Z"),
        ("-jZ", "there is no option -Z in -jZ"),
        ("-n", "-n (--count) needs a value: N"),
        ("--count", "--count needs a value: N"),
        ("-n 0", "-n (--count): \"0\" will not do; give a whole number of at least 1"),
        ("-n=5", "-n (--count): \"=5\" will not do; give a whole number of at least 1"),
        ("-n -5", "-n (--count): \"-5\" will not do; give a whole number of at least 1"),
        ("--port 70000 serve x", "--port: \"70000\" will not do; give a whole number from 1 to 65535"),
        ("--json=1", "--json takes no value"),
        (
            "--units imperal",
            "--units: \"imperal\" will not do (did you mean imperial?); give metric, imperial or nautical"
        ),
        ("once --loop", "once takes no --loop; it is an option of serve"),
        ("-t 5x", "-t (--timeout): \"5x\" will not do; give a duration such as 250ms, 10s, 5m or 1h, 1ms at least"),
        (
            "-a 0",
            "-a (--accuracy): \"0\" will not do; give a length in metres such as 50, 0.5km, 160ft, 1mi or 2nmi, more than 0"
        ),
        ("-f %{lat", "-f (--format): \"%{lat\" will not do; give a } after every %{"),
        ("-f 5%", "-f (--format): \"5%\" will not do; give %% for a percent sign, or %{NAME}, as in '%{lat} %{lon}'"),
        (
            "-f %{eph:1}",
            "-f (--format): \"%{eph:1}\" will not do; give %{eph:.DECIMALS} with 0 to 12 decimals, as in %{eph:.1}"
        ),
        (
            "-f %{lat:.13}",
            "-f (--format): \"%{lat:.13}\" will not do; give %{lat:.DECIMALS} with 0 to 12 decimals, as in %{lat:.1}"
        ),
        (
            "-f %{device:.1}",
            "-f (--format): \"%{device:.1}\" will not do; give %{device} without decimals, as it is no number that has them"
        ),
        (
            "-f \\x",
            "-f (--format): \"\\x\" will not do; give \\t for a tab, \\n for a new line, or \\\\ for a backslash"
        ),
        (
            "--fence a=91,0,5",
            "--fence: \"a=91,0,5\" will not do; give a latitude from -90 to 90 and a longitude from -180 to 180"
        ),
        ("--fence a=1,0,0", "--fence: \"a=1,0,0\" will not do; give a radius in metres, more than 0"),
        ("recrod a.json", "there is no command recrod; did you mean record?"),
        ("pi extra", "\"extra\" is too much: watch takes SOURCE only"),
        ("version extra", "\"extra\" is too much: version takes nothing"),
        ("export gpx a b", "\"b\" is too much: export takes FORMAT and SOURCE only"),
        ("record", "record needs a FILE: locwatch record [OPTIONS] FILE [SOURCE]"),
        ("completions ksh", "SHELL: \"ksh\" will not do; give bash, zsh or fish"),
        ("completions", "completions needs a SHELL: locwatch completions SHELL"),
        ("export gpxx", "FORMAT: \"gpxx\" will not do (did you mean gpx?); give gpx, geojson, kml, csv, nmea or json"),
        ("help wach", "there is no help about \"wach\"; did you mean watch?"),
        ("--columns lat,lon", "--columns needs --csv"), ("once -j --columns lat,lon", "--columns needs --csv"),
        (
            "--csv --sky --columns lat",
            "--columns chooses columns of positions, and goes with neither --states nor --sky"
        ),
        ("export gpx --columns lat", "--columns is for the format csv only"),
        ("--csv --columns lat,lat", "--columns: \"lat,lat\" will not do; give each column once"),
        ("serve localhost:1", "serve plays a recording or a simulated receiver, and not gpsd://localhost:1"),
    ])
    func `a mistake names the option, the value and what is allowed`(line: String, text: String) {
        #expect(message(line) == text)
    }

    @Test func `an unknown name in a template lists the known ones`() {
        let text = message("-f %{lta}")
        #expect(text?.contains("did you mean %{lat}?") == true)
        #expect(text?.contains(" altMSL ") == true)
    }

    @Test func `an unknown column lists the known ones`() throws {
        let text = try #require(message("--csv --columns time,alttude"))
        #expect(text.hasPrefix("--columns: \"time,alttude\" will not do; give all, or names out of time,lat,lon,"))
        #expect(message("--csv --columns lta")?.contains("(did you mean lat?)") == true)
        #expect(try settings("export csv --columns all").columns == .all)
    }

    @Test(arguments: [
        ("LOCWATCH_UNITS", "feet", "LOCWATCH_UNITS: \"feet\" will not do; give metric, imperial or nautical"),
        ("LOCWATCH_JSON", "maybe", "LOCWATCH_JSON: \"maybe\" will not do; give 1 or 0"),
        ("LOCWATCH_MAX_AGE", "x", "LOCWATCH_MAX_AGE: \"x\" will not do; give a duration such as 250ms, 10s, 5m or 1h"),
    ])
    func `a mistake in a variable names the variable`(name: String, value: String, text: String) {
        #expect(message("", [name: value]) == text)
    }

    @Test func `a control character in an argument is not repeated to the screen`() {
        #expect(message("--units \u{1B}[2J")?.contains("\u{1B}") == false)
        #expect(message("-\u{1B}")?.contains("\u{1B}") == false)
    }

    @Test func `a prefix is judged by the command that it is for`() throws {
        #expect(try settings("record --for x").overwrites)
        #expect(try settings("once --fo %%").output == .template(Template(pieces: [.text("%")])))
    }

    @Test func `no two options share a letter or a name`() {
        let letters = OptionTable.all.compactMap(\.short)
        #expect(Set(letters).count == letters.count)
        #expect(Set(OptionTable.all.map(\.name)) == Set(OptionName.allCases))
        #expect(OptionTable.all.count == OptionName.allCases.count)
    }
}
