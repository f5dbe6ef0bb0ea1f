import LocationGPSD
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite struct CorrectionsWordTests {
    @Test(arguments: [
        ("ntrip://anna@caster.example/MOUNT", "ntrip://anna@caster.example:2101/MOUNT"),
        ("ntrip://caster.example:80/A.B-1", "ntrip://caster.example:80/A.B-1"),
        ("tcp://[::1]:5015", "tcp://[::1]:5015"), ("./rtcm", "./rtcm"), ("/run/rtcm", "/run/rtcm"),
    ])
    func `a caster, a server or a pipe gives corrections`(word: String, full: String) throws {
        for command in [
            "", "once", "record x.json", "export gpx", "stats", "monitor", "web", "serve", "time", "doctor", "devices",
        ] {
            let source = try Invocation.of("\(command) /dev/ttyACM0?corrections=\(word)").source
            #expect(source.corrections.map { "\($0)" } == full, "\(command)")
        }
        #expect(try Invocation.of("sim:rtk?corrections=\(word)").source.corrections != nil)
    }

    @Test(arguments: [
        ("ntrip://caster.example", "mountpoint"), ("ntrip:///MOUNT", "host"), ("tcp://base.example", "port is missing"),
        ("tcp://base.example:5015/x", "a host and a port only"), ("udp://:5015", "expected a caster"),
        ("caster.example", "expected a caster"), ("http://caster/M", "expected a caster"), ("", "expected a caster"),
    ])
    func `what cannot give corrections is an error that says what can`(word: String, part: String) throws {
        let error = #expect(throws: UsageError.self) { try Invocation.of("/dev/ttyACM0?corrections=\(word)") }
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "-")")
        #expect(error?.code == .usage)
    }

    @Test(arguments: [
        "sim:rtk", "sim:wlk", "serial:x", "serial:/dev/a?speed=1", "localhost", "x.json", "mqtts://h/#", "udp://:10110",
    ])
    func `a password in the URL is not repeated, whatever else is wrong with the word`(source: String) {
        let mark = source.contains("?") ? "&" : "?"
        let line = "\(source)\(mark)corrections=ntrip://anna:hunter2@caster.example/MOUNT"
        let message = UsageError.message(line) ?? ""
        #expect(message.contains("LOCWATCH_PASSWORD") && !message.contains("hunter2"), "\(message)")
    }

    @Test func `a speed of the line and corrections can both be given`() throws {
        let source = try Invocation.of("/dev/ttyACM0?speed=9600&corrections=.%2Fa%26b").source
        #expect(source.corrections.map { "\($0)" } == "./a&b")
        #expect(source.description == "serial:/dev/ttyACM0?speed=9600&corrections=.%2Fa%26b")
        let wrong = UsageError.message("/dev/ttyACM0?caster=ntrip://h/M")
        #expect(wrong?.contains("only speed and corrections can follow the ?") == true)
    }

    @Test(arguments: ["localhost", "pi.local:2948", "udp://:10110", "mqtts://broker/#"])
    func `another source takes no corrections`(source: String) {
        #expect(UsageError.message("\(source)?corrections=ntrip://caster.example/MOUNT") != nil)
    }

    @Test func `the password is that of the caster, and of no target`() throws {
        let environment = ["LOCWATCH_PASSWORD": "hunter2"]
        let words = "/dev/ttyACM0?corrections=ntrip://anna@caster.example/MOUNT"
        #expect(try Invocation.of(words, environment).settings.reading.password == "hunter2")
        #expect(try Invocation.of(words + " --password-file x").settings.publishing.passwordFile == "x")
        let open = "/dev/ttyACM0?corrections=ntrip://caster.example/MOUNT"
        #expect(try Invocation.of(open, environment).settings.reading.password == nil)
        #expect(UsageError.message(open + " --password-file x")?.contains("--password-file is for a broker") == true)
        let both = UsageError.message("publish mqtt://joe@broker.example/a \(words)")
        #expect(both?.contains("one password cannot be for the caster of the corrections and for a TARGET") == true)
        #expect(UsageError.message("publish mqtt://broker.example/a \(words)") == nil)
    }
}
