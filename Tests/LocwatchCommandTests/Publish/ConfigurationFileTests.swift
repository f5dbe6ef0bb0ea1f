import Foundation
import LocationCore
import LocationPublishing
import LocationTracks
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
import LocwatchPrinting
import LocwatchTerminal

@Suite(.serialized, .withClocks) struct ConfigurationFileTests {
    private static let boat = """
        # Where to publish
        to mqtt://broker.example/owntracks/anna/boat
          to\ttraccar://demo.example?id=boat\r
        \u{A0}utc\u{A0}# copied from a page

        source /dev/ttyACM0
        --interval 10s
        queue-limit 7d
        body {"lat": %{lat}, "note": "a b"}
        """

    @Test func `a configuration gives targets, the source and options`() throws {
        let settings = try settings("publish", Self.boat)
        let targets = settings.publishing.targets.map(\.description)
        #expect(targets == ["mqtt://broker.example/owntracks/anna/boat", "traccar://demo.example?…"])
        #expect(settings.source.description == "serial:/dev/ttyACM0")
        #expect(settings.request.minimumInterval == .seconds(10))
        #expect(settings.publishing.queueLimits.age == .seconds(7 * 86_400) && settings.output.usesUTC)
        #expect(settings.publishing.options.body != nil)
    }

    @Test(arguments: [
        ("devices sim:walk", true), ("devices", true), ("devices mqtt://broker.example", true),
        ("devices d.json", true), ("watch sim:walk", false),
        ("watch d.json", true), ("stats pi.local", false), ("export csv ./d.json", true),
    ])
    func `follow in the configuration holds for what a command can follow, and for devices with any source`(
        line: String, isFollowed: Bool
    ) throws {
        #expect(try settings(line, "follow").reading.follows == isFollowed)
    }

    @Test func `every option of an earlier release is one that a command takes`() {
        for former in FormerOption.all {
            #expect(!former.commands.isEmpty && !OptionTable.all.contains { $0.name.rawValue == former.name })
        }
    }

    @Test(arguments: [("backlog-rate", " 0"), ("from-start", ""), ("skip-rejected", "")])
    func `an option of an earlier release works, and is noted once with what takes its place`(
        name: String, value: String
    ) throws {
        let former = try #require(FormerOption.named(name))
        func notices(_ line: String, _ text: String) throws -> [String] {
            try Invocation.of(line, configuration: ("boat.conf", text)).notices
        }
        let text = "is deprecated, and 0.7 refuses it: \(former.advice)"
        let word = "--\(name)\(value)"
        #expect(try notices("publish \(word) \(word) udp://h", "") == ["--\(name) \(text)"])
        let line = "publish udp://h --config boat.conf"
        #expect(try notices(line, "\(name)\(value)\n\(name)\(value)") == ["\(name) (boat.conf, line 1) \(text)"])
        // Other commands pass over the line, and refuse the option.
        #expect(try notices("watch pi --config boat.conf", name + value) == [])
        #expect(message("watch \(word)", "") == "watch does not take --\(name); it is an option of publish")
    }

    @Test func `an option overrides the configuration, and targets are added`() throws {
        let settings = try settings("publish udp://127.0.0.1:10110 pi -i 1s --to tcp-listen://:10110", Self.boat)
        #expect(settings.request.minimumInterval == .seconds(1))
        #expect(settings.source.description == "gpsd://pi:2947")
        let ofFile = ["mqtt://broker.example/owntracks/anna/boat", "traccar://demo.example?…"]
        let targets = ["udp://127.0.0.1:10110"] + ofFile + ["tcp-listen://:10110"]
        #expect(settings.publishing.targets.map(\.description) == targets)
    }

    @Test(arguments: [("", ["LOCWATCH_SOURCE": "sim:walk"], "sim:walk"), ("pi", [:], "gpsd://pi:2947")])
    func `a variable, and a single word, override the source of the configuration`(
        word: String, environment: [String: String], source: String
    ) throws {
        let settings = try settings("publish --config boat.conf \(word)", Self.boat, at: "boat.conf", environment)
        #expect(settings.source.description == source)
    }

    private static let equals = "boat.conf, line 1: write a space between an option and its value, and not ="

    @Test(arguments: [
        ("intervall 10s", "boat.conf, line 1: unknown option \"intervall\"; did you mean interval?"),
        ("\n\nto", "boat.conf, line 3: to needs a value: TARGET"), ("utc yes", "boat.conf, line 1: utc takes no value"),
        ("source", "boat.conf, line 1: source needs a SOURCE"), ("units=imperial", equals),
        ("units = imperial", equals), ("--units=imperial", equals),
        ("interval soon", "invalid value \"soon\" for interval (boat.conf, line 1)"),
        ("config other.conf", "boat.conf, line 1: unknown option \"config\""),
        ("no-config", "boat.conf, line 1: unknown option \"no-config\""),
        ("\u{1B}[2J", "boat.conf, line 1: unknown option \"\\x1b[2J\""),
        ("[export", "boat.conf, line 1: a section is the name of a command in brackets, as in [export]"),
        ("[]", "boat.conf, line 1: a section is the name of a command, and \"\" is none"),
        (
            "utc\n[exports]",
            "boat.conf, line 2: a section is the name of a command, and \"exports\" is none; did you mean [export]?"
        ),
        ("[export]\nintervall 1s", "boat.conf, line 2: unknown option \"intervall\"; did you mean interval?"),
        ("[export]\nto udp://h", "boat.conf, line 2: export does not take to; it is an option of once and publish"),
        ("[version]\nsource pi", "boat.conf, line 2: version takes no SOURCE"),
        ("source bogus://h", "boat.conf, line 1: "), ("[publish]\nsource bogus://h", "boat.conf, line 2: "),
    ])
    func `an error names the file and the line, and the exit code is that of a wrong configuration`(
        text: String, expected: String
    ) {
        #expect(fault(text)?.hasPrefix(expected) == true, "\(fault(text) ?? "")")
    }

    @Test func `a section is for its command, and comes after the lines above it`() throws {
        let text = """
            interval 5s
            source above
            [export] # tracks
            interval 10s
            [ once ]
            fence home=45,7,9
            to udp://127.0.0.1:1
            source below
            [watch]
            [export]
            source drive.gpx
            """
        let (watch, export) = (try settings("watch", text), try settings("export gpx", text))
        #expect(
            watch.request.minimumInterval == .seconds(5) && watch.fences == []
                && watch.source.description == "gpsd://above:2947")
        #expect(export.request.minimumInterval == .seconds(10) && export.source.description.hasSuffix("drive.gpx"))
        #expect(try settings("export gpx -i 1s", text).request.minimumInterval == .seconds(1))
        let once = try settings("once", text)
        #expect(
            once.fences.count == 1 && once.publishing.targets.count == 1
                && once.source.description == "gpsd://below:2947")
        #expect(try settings("publish udp://h:1", text).publishing.targets.count == 1)
    }

    @Test func `a password in a target of the configuration is not repeated in the message`() {
        let found = fault("to mqtt://anna:secret@broker.example/owntracks/anna/boat", "publish")
        #expect(found?.contains("a password must not be in it") == true)
        #expect(found?.contains("secret") == false)
    }

    @Test(arguments: [
        ("publish", "publish needs a TARGET: locwatch publish [OPTIONS] TARGET [SOURCE]"),
        ("publish pi", "invalid TARGET: it must begin with one of mqtt://"),
        ("publish smtp://host", "invalid TARGET: unknown scheme smtp"),
        ("publish udp://127.0.0.1:1 pi more", "unexpected argument \"more\""),
        ("publish http://h --header Token\u{1}", "invalid --header: expected a name, a colon and a value"),
        ("publish udp://127.0.0.1:1 mqtt://broker/#", "publish sends the position of this machine, and mqtt://broker"),
    ])
    func `a wrong target is explained, and a wrong header is not repeated`(line: String, expected: String) {
        #expect(message(line, "")?.hasPrefix(expected) == true)
    }

    // MARK: The file of every command

    @Test func `every command reads the user's file, passes over what it does not take, and is overridden by its line`()
        throws
    {
        let text = "units nautical\nfence home=45,7,9\nrotate 1h\nto udp://127.0.0.1:1\nutc\n"
        let (path, home) = ("/home/me/.config/locwatch/config", ["HOME": "/home/me"])
        let watch = try settings("watch", text, at: path, home)
        #expect(
            watch.output.units == .nautical && watch.output.usesUTC && watch.fences.count == 1
                && watch.configuration == path)
        #expect(try settings("watch --units imperial", text, at: path, home).output.units == .imperial)
        let export = try settings("export gpx -o t.gpx", "rotate 1h", at: path, home)
        #expect(export.file.rotation == .duration(.seconds(3600)))
        #expect(try settings("export gpx", "rotate 1h", at: path, home).file.rotation == nil)
        let ofFence = "format %{fence.home.distance}\n" + text
        #expect(try settings("once", ofFence, at: path, home).output.format == Settings().output.format)
        // A single position is sent only where the command line says so.
        #expect(try settings("once", text, at: path, home).publishing.targets == [])
        #expect(try settings("publish", text, at: path, home).publishing.targets.count == 1)
        #expect(try settings("version -v", text, at: path, home).configuration == path)
        for line in ["watch --no-config", "watch --config c --no-config"] {
            #expect(try settings(line, text, at: path, home) == Settings())
        }
        #expect(try settings("watch", text, at: "/elsewhere", home) == Settings())
    }

    @Test(arguments: [
        ("watch", "json", "--csv"), ("watch", "format %{fix}!", "--csv"), ("watch", "csv", "-f text"),
        ("watch", "units imperial", "--units metric"), ("watch", "precision 3", "--precision 7"),
        ("watch", "color always", "--color never"), ("watch", "count 2", "-n 3"), ("watch", "timeout 4s", "-t 5s"),
        ("watch", "duration 10s", "-x 1h"), ("watch", "accuracy 1", "-a 1km"), ("watch", "max-age 0s", "--max-age 1h"),
        ("once", "fix 3d", "--fix 2d"), ("watch", "distance 10", "-d 0"), ("watch", "interval 10s", "-i 0s"),
        ("watch", "device /nowhere", "--device /dev/a"), ("watch", "pace max", "--pace 1x"),
        ("watch", "stale 50ms", "--stale 1h"), ("watch", "quiet", "-v"), ("watch", "verbose", "-q"),
        ("watch", "states", "-f %{lat}"), ("watch", "format %{lat}", "-s"), ("watch", "sky", "-f %{lat}"),
        ("watch", "states", "--csv --sky"), ("watch", "format %{lat}", "--sky"), ("stats", "plot-file p.svg", "--plot"),
        ("stats", "plot", "-j"), ("stats", "json", "--plot"), ("watch", "csv", "--units imperial"),
        ("watch", "states", "--csv --columns lat"), ("watch", "sky", "--csv --columns lat"),
        ("serve", "listen 192.0.2.7", "--listen 192.0.2.8"), ("serve", "port 2950", "--port 2951"),
    ])
    func `with an option of the line, a line of the file has no effect`(
        command: String, line: String, option: String
    ) throws {
        #expect(try settings("\(command) x.json", line) != settings("\(command) x.json", ""))
        #expect(try settings("\(command) \(option) x.json", line) == settings("\(command) \(option) x.json", ""))
    }

    @Test func `a comment follows a value after a number sign between spaces, but is part of a value that is any text`()
        throws
    {
        let text = """
            units nautical # for the boat
            utc #
            interval 10s\t#\tunder way
            device /dev/boat#1 # on the mast
            source pi.local # below
            format %{lat} # %{lon}
            """
        let settings = try settings("watch", text)
        #expect(
            settings.output.units == .nautical && settings.output.usesUTC
                && settings.request.minimumInterval == .seconds(10))
        #expect(settings.request.device == "/dev/boat#1" && settings.source.description == "gpsd://pi.local:2947")
        let template = try Invocation.parse(["watch", "--format", "%{lat} # %{lon}"], exists: { _ in false })
        #expect(settings.output.format == template.settings.output.format)
    }

    @Test func `the user's own file in a folder that may not be searched is absent, and one that is named is denied`()
        throws
    {
        func settings(_ line: String, _ environment: [String: String], exists: Bool = false) throws -> Settings {
            try Invocation.parse(
                line.split(separator: " ").map(String.init), environment: environment, exists: { _ in exists },
                read: { (_) throws(SystemFailure) in throw SystemFailure("read", code: EACCES) }
            ).settings
        }
        let home = ["HOME": "/home/other"]
        let obstacle = "cannot read /home/other/.config/locwatch/config: Permission denied"
        let found = try settings("watch pi", home)
        #expect(found.configuration == nil && found.configurationObstacle == obstacle)
        let named: [(String, [String: String])] = [("--config /c pi", home), ("watch pi", ["LOCWATCH_CONFIG": "/c"])]
        for (line, environment) in named {
            let error = try #require(throws: UsageError.self) { try settings(line, environment) }
            #expect(error.code == .denied)
        }
        // The file is there, and only its mode keeps the user from it.
        let error = try #require(throws: UsageError.self) { try settings("watch pi", home, exists: true) }
        #expect(error.message == obstacle)
    }

    @Test func `a user's own file that cannot be found is named with --verbose only`() async throws {
        let scratch = try Scratch()
        let home = scratch.path("loop")
        try FileManager.default.createSymbolicLink(atPath: home, withDestinationPath: home)
        let trial = CommandTrial(environment: ["HOME": home])
        let obstacle = "Too many levels of symbolic links"
        let words = "cannot read \(home)/.config/locwatch/config: \(obstacle); it counts as absent"
        for (line, count) in [("once -v", 1), ("once", 0)] {
            let result = try await trial.run("\(line) $FIXTURES/walk/session.json")
            #expect(result.status == 0)
            #expect(result.errors.components(separatedBy: words).count - 1 == count, "\(result.errors)")
        }
    }

    @Test(arguments: [
        (["XDG_CONFIG_HOME": "/x", "HOME": "/h"], "/x/locwatch/config"),
        (["XDG_CONFIG_HOME": "relative", "HOME": "/h"], "/h/.config/locwatch/config"),
        (["LOCWATCH_CONFIG": "/c", "XDG_CONFIG_HOME": "/x"], "/c"),
        (["LOCWATCH_CONFIG": "", "HOME": "/h"], "/h/.config/locwatch/config"),
    ])
    func `the file is found by the variables`(environment: [String: String], path: String) throws {
        #expect(try settings("", "utc", at: path, environment).configuration == path)
        #expect(try settings("--config /own", "utc", at: "/own", environment).configuration == "/own")
    }

    @Test func `a file that is named must be there`() {
        #expect(throws: UsageError.self) { try settings("", "utc", ["LOCWATCH_CONFIG": "/d"]) }
        #expect(throws: UsageError.self) { try settings("--config /d", "utc") }
    }

    @Test func `a configuration that others can write, or replace in its folder, is refused as a whole`() throws {
        let scratch = try Scratch()
        let path = scratch.path("c")
        try scratch.write("utc", to: "c")
        func refusal() throws -> String? { try ConfigurationText(readingFrom: path).refusal }
        #expect(chmod(path, 0o644) == 0)
        #expect(try refusal() == nil)
        #expect(chmod(path, 0o646) == 0)
        #expect(try refusal() == "other users can write \(path): run chmod go-w on it")
        #expect(chmod(path, 0o644) == 0 && chmod(scratch.url.path, 0o777) == 0)
        #expect(try refusal()?.hasPrefix("other users can replace \(path)") == true)
        let error = try #require(throws: UsageError.self) {
            try Invocation.parse(
                ["watch", "--config", "/c"], exists: { _ in true },
                read: { (_) throws(SystemFailure) in ConfigurationText("", refusal: "other users can write /c") })
        }
        #expect(error.code == .configuration && error.text == "locwatch: other users can write /c\n")
    }

    @Test func `a configuration of more than 64 kB is refused, and not cut`() throws {
        let scratch = try Scratch()
        try scratch.write(String(repeating: "#", count: 65_536), to: "c")
        let path = scratch.path("c")
        #expect(chmod(path, 0o644) == 0)
        #expect(try ConfigurationText(readingFrom: path).refusal == nil)
        try scratch.write(String(repeating: "#", count: 65_537), to: "c")
        #expect(try ConfigurationText(readingFrom: path).refusal == "\(path) has more than 64 kB")
    }

    @Test(arguments: [
        ("watch --csv", "json", "format text"), ("watch -j", "csv", "sky"), ("watch -f waybar", "json", "columns lat"),
        ("stats --plot-file p.svg", "plot", "utc"), ("watch -s -j", "format %{lat}", "csv"),
    ])
    func `of settings that exclude each other the last one counts, on the line and before it`(
        line: String, first: String, second: String
    ) throws {
        let ofLine = try settings("\(line) x.json", "", [:])
        let words = "--" + first.replacing(" ", with: "=")
        let command = line.split(separator: " ")[0]
        var ofBoth = try settings(
            line.replacing(command, with: "\(command) \(words)", maxReplacements: 1) + " x.json", "", [:])
        #expect(ofBoth.output.format == ofLine.output.format && ofBoth.output.plot == ofLine.output.plot)
        ofBoth = try settings("\(line) x.json", "\(first)\n\(second)")
        #expect(ofBoth.output.format == ofLine.output.format && ofBoth.output.plot == ofLine.output.plot)
    }

    @Test func `several options of the file that do not fit are left out one by one, and the others count`() throws {
        let text = "follow\nstates\nall-devices\nfence home=45,7,9\non enter:away=true\nno-header\nutc\ninterval 5s"
        let settings = try settings("export nmea pi", text)
        #expect(settings.fences == [] && settings.reactions.hooks == [] && !settings.reading.follows)
        #expect(settings.output.usesUTC && settings.request.minimumInterval == .seconds(5))
        // Only the hook that needs a fence goes.
        let hooks = try self.hooks("on found=true\non enter:home=true\non lost=true\non exit:home=true")
        #expect(hooks == ["found", "lost"])
    }

    private func hooks(_ text: String) throws -> [String] {
        try settings("watch pi", text).reactions.hooks.map(\.trigger.spelling)
    }

    @Test func `a mistake of the line remains one whatever the file has`() {
        #expect(message("watch --follow --config boat.conf pi", "follow")?.hasPrefix("--follow is for a file") == true)
        #expect(message("once -s --config boat.conf", "csv")?.hasPrefix("once does not take -s") == true)
    }

    @Test func `a broken file does not keep the help from a user, and a fence of the line replaces that of the file`()
        throws
    {
        for line in ["help", "help manual", "version", "completions bash", "once -h"] {
            #expect(try settings(line, "bogus 1").configuration == nil)
        }
        let fences = try settings("watch --fence home=1,2,3", "fence home=45,7,9\nfence b=1,2,3").fences
        #expect(fences.map(\.name) == ["b", "home"])
        #expect(fences.last?.shape == .circle(center: Coordinate(latitude: 1, longitude: 2), radius: 3))
    }

    @Test func `hooks run over a recording at the pace of the line only`() throws {
        #expect(try !settings("watch x.json", "pace max").reactions.runsHooksOnReplay)
        #expect(try settings("watch --pace 1x x.json", "pace max").reactions.runsHooksOnReplay)
        let serving = try settings("serve --pace 10x --control c sim:walk", "pace manual").serving
        #expect(!serving.testing.hasManualClock)
    }
}

extension ConfigurationFileTests {
    func settings(
        _ line: String, _ text: String, at path: String = "/c",
        _ environment: [String: String] = ["LOCWATCH_CONFIG": "/c"]
    ) throws -> Settings {
        try Invocation.of(line, environment, configuration: (path, text)).settings
    }

    func message(_ line: String, _ text: String) -> String? {
        UsageError.message(line, configuration: ("boat.conf", text))
    }

    /// Returns the message about a configuration, which ends the program as a mistake in it.
    func fault(_ text: String, _ line: String = "publish udp://127.0.0.1:1") -> String? {
        UsageError.message("\(line) --config boat.conf", configuration: ("boat.conf", text), code: .configuration)
    }
}
