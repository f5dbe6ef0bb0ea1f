import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession

@Suite(.serialized, .withClocks) struct DoctorReportTests {
    private static let machine = with(PretendedMachine()) {
        $0.candidates = ["/dev/ttyACM0"]
        $0.units["gpsd.socket"] = UnitState(active: "active")
        $0.daemons[0].arguments = GPSDArguments(commandLine: "gpsd\0-n\0")
        $0.user.groups = ["ada"]
    }

    private static let lines = [
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"tcp://ada:secret@lovelace.example:7000","driver":"NMEA0183"}]}"#,
        #"{"class":"DEVICES","devices":[]}"#,
        #"{"class":"TPV","device":"/home/ada/gps","mode":3,"lat":45.0548149,"lon":7.6865212}"#,
        #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"lat":45.0548150,"lon":7.6865213,"alt":239.1}"#,
        #"{"class":"SKY","satellites":[{"PRN":7,"el":4}]}"#,
    ]

    private func report(_ line: String) async throws -> CommandTrial.Result {
        let clock = ManualClock()
        let script: [ScriptStep] = [
            .searching(.connected(release: "3.22")), .location(ScriptedSession.location(1)), .wait(.seconds(2)),
            .location(ScriptedSession.location(2)),
        ]
        var trial = CommandTrial(
            provider: ScriptedLocationSource(script, clock: clock), clock: clock, environment: ["HOME": "/home/ada"])
        trial.machine = Self.machine
        return try await trial.run(line)
    }

    @Test func `the report has versions, programs, devices and findings, without positions and names`() async throws {
        let result = try await report("doctor --report")
        let text = result.output
        for words in [
            "system    Debian GNU/Linux 12 (bookworm), Linux 6.1.0 x86_64", "gpsd      3.22 (/usr/sbin/gpsd)",
            "runs      as gpsd, with -n", "gpsd.socket active", "device    /dev/ttyACM0 (root:dialout, mode 660)",
            "ok     programs", "fix",
        ] { #expect(text.contains(words), "\(words) in \(text)") }
        for secret in ["45.0", "7.68", "239.1", "ada", "lovelace", "secret"] {
            #expect(!text.contains(secret), "\(text)")
        }
    }

    @Test func `gpsd's messages are in full if they are about programs and receivers, and without values if not`() {
        let updates = Self.lines.map { LocationEvent.line(Array($0.utf8)) }
        let conversation = Observation.of(telling: updates).conversation
        let redaction = Redaction(.standard, Self.machine, environment: [:])
        let text = redaction.text(TextBuffer.text { conversation.put(into: &$0) })
        for words in [
            "messages of gpsd\n", #"{"class":"VERSION","release":"3.22""#, "tcp://HOST", "  1 DEVICES\n",
            "  2 TPV: device mode lat lon alt\n", "  1 SKY: satellites\n",
        ] { #expect(text.contains(words), "\(words) in \(text)") }
        for secret in ["45.0", "7.68", "239.1", "ada", "lovelace", "secret"] {
            #expect(!text.contains(secret), "\(text)")
        }
    }

    @Test func `the report is for a session of a gpsd or a receiver, and is not JSON`() async throws {
        for line in ["doctor --report geoclue", "doctor --report mqtt://host/a/b", "doctor --report --json"] {
            #expect(try await report(line).status == 64, "\(line)")
        }
    }

    @Test func `names are whole words, also in host names and addresses`() {
        let machine = with(PretendedMachine()) { $0.user.name = "pi" }
        let redaction = Redaction(.of("spi.local"), machine, environment: ["SUDO_USER": "eve"])
        #expect(
            redaction.text("pi, pin /home/pi/x spi.local lovelace.example lovelace.local eve@x http://a:b@c.d/e?pi")
                == "USER, pin /home/USER/x HOST HOST HOST.local USER@x http://HOST/e?USER")
        let root = Redaction(
            .standard, with(PretendedMachine()) { $0.user.name = "root" }, environment: ["HOME": "/root"])
        #expect(root.text("root:dialout gpsd localhost") == "root:dialout gpsd localhost")
    }

    @Test(arguments: [
        ("ntrip://user:pass/word@caster/MOUNT", "ntrip://HOST/MOUNT"),
        ("ntrip://user:a,b;c?d@e/f@caster:2101/MOUNT, held by gpsd", "ntrip://HOST/MOUNT, held by gpsd"),
        (
            #"{"path":"ntrip://u:p'a\"s s@caster/M"},{"path":"tcp://a:1"} joe@b"#,
            #"{"path":"ntrip://HOST/M"},{"path":"tcp://HOST"} joe@b"#
        ),
        (#"{"path":"ntrip:\/\/user:word@caster\/M"}"#, #"{"path":"ntrip://HOST/M"}"#),
        ("tcp://a:1 and\nuser@b", "tcp://HOST and\nuser@b"), ("tcp://user:pass/wo", "tcp://HOST/wo"),
    ])
    func `of an address in the report all up to the last at sign is left out`(text: String, shown: String) {
        #expect(Redaction(.standard, Self.machine, environment: [:]).text(text) == shown)
    }

    @Test(arguments: [
        ("2001:db8::7", "HOST"), ("no gpsd at 2001:db8::7: connection refused", "no gpsd at HOST: connection refused"),
        ("[2001:db8::7]:2947", "[HOST]:2947"), ("gpsd at fe80::1%eth0.", "gpsd at HOST"),
        ("::ffff:192.0.2.7, x", "HOST, x"),
        ("from 2001:DB8:1:2:3:4:5:6.", "from HOST."),
        ("at 12:34:56, 02:00:5e:10:00:00", "at 12:34:56, 02:00:5e:10:00:00"),
        ("[::1]:2947 and [::]:7", "[::1]:2947 and [::]:7"), ("a::zone d: e", "a::zone d: e"),
    ])
    func `the report has no address with colons but those of every machine`(text: String, shown: String) {
        #expect(Redaction(.of("[2001:db8::7]"), Self.machine, environment: [:]).text(text) == shown)
    }

    @Test(arguments: [
        (#"Unrecognized request '?X={\"path\":\"ntrip://u:p@h\"}'"#, "Unrecognized request (…)"),
        ("Can't perform ?DEVICE with no devices attached", "Can't perform ?DEVICE with no devices attached"),
        (#"Can't open 'secret"#, "Can't open (…)"), (#"invalid \"secret\", refused"#, "invalid (…), refused"),
    ])
    func `the report has an error of gpsd without what it quotes`(message: String, shown: String) {
        var conversation = ReportedConversation()
        conversation.process(Array(#"{"class":"ERROR","message":"\#(message)"}"#.utf8))
        let text = TextBuffer.text { conversation.put(into: &$0) }
        #expect(text.contains(#"{"class":"ERROR","message":"\#(shown)"}"#), "\(text)")
    }

    @Test func `messages without end are cut`() {
        var conversation = ReportedConversation()
        for number in 0..<1000 {
            conversation.process(Array(#"{"class":"ERROR","message":"\#(String(repeating: "x", count: 5000))"}"#.utf8))
            conversation.process(Array(#"{"class":"C\#(number)","a\#(number)":1}"#.utf8))
            conversation.process(Array(#"{"class":"TPV","a\#(number)":1}"#.utf8))
        }
        for broken in ["", "{", #"{"class"#, #"{"class":"\"#, "]]]", "\u{0}"] {
            conversation.process(Array(broken.utf8))
        }
        let text = TextBuffer.text { conversation.put(into: &$0) }
        #expect(text.utf8.count < 60_000 && text.contains("and more of these"))
    }
}
