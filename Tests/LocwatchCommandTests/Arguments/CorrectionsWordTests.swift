import LocationGPSD
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .alone) struct CorrectionsWordTests {
    private func parse(_ words: String, environment: [String: String] = [:]) throws(UsageError) -> Invocation {
        try Invocation.parse(
            words.split(separator: " ").map(String.init), environment: environment, exists: { _ in false })
    }

    private func message(_ words: String) -> String {
        let error = #expect(throws: UsageError.self) { try parse(words) }
        return error?.message ?? "none"
    }

    @Test(arguments: [
        ("ntrip://anna@caster.example/MOUNT", "ntrip://anna@caster.example:2101/MOUNT"),
        ("ntrip://caster.example:80/A.B-1", "ntrip://caster.example:80/A.B-1"),
        ("tcp://[::1]:5015", "tcp://[::1]:5015"), ("./rtcm", "./rtcm"), ("/run/rtcm", "/run/rtcm"),
    ])
    func `a caster, a server or a pipe gives corrections`(word: String, full: String) throws {
        for command in [
            "", "once", "record x.json", "export gpx", "stats", "monitor", "web", "serve", "time", "doctor", "devices",
        ] {
            let settings = try parse("\(command) /dev/ttyACM0?corrections=\(word)").settings
            #expect(settings.source.source.corrections.map { "\($0)" } == full, "\(command)")
        }
        #expect(try parse("sim:rtk?corrections=\(word)").source.source.corrections != nil)
    }

    @Test(arguments: [
        ("ntrip://caster.example", "mountpoint"), ("ntrip:///MOUNT", "host"), ("tcp://base.example", "port is missing"),
        ("tcp://base.example:5015/x", "a host and a port only"), ("udp://:5015", "expected a caster"),
        ("caster.example", "expected a caster"), ("http://caster/M", "expected a caster"), ("", "expected a caster"),
    ])
    func `what cannot give corrections is an error that says what can`(word: String, part: String) throws {
        let error = #expect(throws: UsageError.self) {
            try Invocation.parse(["/dev/ttyACM0?corrections=\(word)"], exists: { _ in false })
        }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "-")")
        #expect(error?.code == .usage)
    }

    @Test(arguments: [
        "sim:rtk", "sim:wlk", "serial:x", "serial:/dev/a?speed=1", "localhost", "x.json", "mqtts://h/#", "udp://:10110",
    ])
    func `a password in the URL is not repeated, whatever else is wrong with the word`(source: String) {
        let mark = source.contains("?") ? "&" : "?"
        let message = message("\(source)\(mark)corrections=ntrip://anna:hunter2@caster.example/MOUNT")
        #expect(message.contains("LOCWATCH_PASSWORD") && !message.contains("hunter2"), "\(message)")
    }

    @Test func `a speed of the line and corrections can both be given`() throws {
        let source = try parse("/dev/ttyACM0?speed=9600&corrections=.%2Fa%26b").source
        #expect(source.source.corrections.map { "\($0)" } == "./a&b")
        #expect(source.description == "serial:/dev/ttyACM0?speed=9600&corrections=.%2Fa%26b")
        #expect(message("/dev/ttyACM0?caster=ntrip://h/M").contains("only speed and corrections can follow the ?"))
    }

    @Test(arguments: ["localhost", "pi.local:2948", "udp://:10110", "mqtts://broker/#"])
    func `another source takes no corrections`(source: String) {
        #expect(message("\(source)?corrections=ntrip://caster.example/MOUNT") != "none")
    }

    @Test func `the password is that of the caster, and of no target`() throws {
        let environment = ["LOCWATCH_PASSWORD": "hunter2"]
        let words = "/dev/ttyACM0?corrections=ntrip://anna@caster.example/MOUNT"
        #expect(try parse(words, environment: environment).settings.plan.password == "hunter2")
        #expect(try parse(words + " --password-file x").settings.publishing.passwordFile == "x")
        let open = "/dev/ttyACM0?corrections=ntrip://caster.example/MOUNT"
        #expect(try parse(open, environment: environment).settings.plan.password == nil)
        #expect(message(open + " --password-file x").contains("--password-file is for a broker"))
        let both = message("publish mqtt://joe@broker.example/a \(words)")
        #expect(both.contains("one password cannot be for the caster of the corrections and for a TARGET"))
        #expect(throws: Never.self) { try parse("publish mqtt://broker.example/a \(words)") }
    }
}
