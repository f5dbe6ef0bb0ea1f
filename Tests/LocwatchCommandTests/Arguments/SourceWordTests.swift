import Foundation
@testable import LocationPublishing
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocwatchArguments

@Suite struct SourceWordTests {
    private static let files: Set<String> = ["drive.json", "localhost", "sim:walk", "10.0.0.1"]

    @Test(arguments: [
        ("pi", "gpsd://pi:2947"), ("pi:2948", "gpsd://pi:2948"), ("pi:gpsd", "gpsd://pi:gpsd"),
        (":2948", "gpsd://localhost:2948"), ("pi:2947:/dev/ttyUSB0", "gpsd://pi:2947/dev/ttyUSB0"),
        ("pi::/dev/ttyUSB0", "gpsd://pi:2947/dev/ttyUSB0"), ("pi:2947:gps0", "gpsd://pi:2947:gps0"),
        ("[::1]", "gpsd://[::1]:2947"), ("[::1]:2948", "gpsd://[::1]:2948"),
        ("[fe80::1%eth0]:2947:/dev/gps0", "gpsd://[fe80::1%eth0]:2947/dev/gps0"),
        ("192.168.1.5", "gpsd://192.168.1.5:2947"), ("gpsd://", "gpsd://localhost:2947"),
        ("gpsd://pi", "gpsd://pi:2947"), ("gpsd://pi:2948/", "gpsd://pi:2948"),
        ("gpsd://pi/dev/ttyACM0", "gpsd://pi:2947/dev/ttyACM0"), ("gpsd://[::1]:1/dev/a", "gpsd://[::1]:1/dev/a"),
        ("gpsd://pi:2947:/dev/ttyUSB0", "gpsd://pi:2947/dev/ttyUSB0"), ("gpsd://localhost", "gpsd://localhost:2947"),
        ("gpsd", "gpsd://gpsd:2947"), ("gpsd:2948", "gpsd://gpsd:2948"), ("/dev/ttyACM0", "serial:/dev/ttyACM0"),
        ("serial:/dev/ttyACM0", "serial:/dev/ttyACM0"), ("serial:/tmp/pty?speed=9600", "serial:/tmp/pty?speed=9600"),
        ("/dev/ttyACM0?speed=9600", "serial:/dev/ttyACM0?speed=9600"), ("-", "replay:-"),
        ("drive.json", "replay:drive.json"), ("localhost", "replay:localhost"), ("./none", "replay:./none"),
        ("a/b.json", "replay:a/b.json"), ("/tmp/x", "replay:/tmp/x"), ("replay:/dev/null", "replay:/dev/null"),
        ("replay:pi", "replay:pi"), ("replay:-", "replay:-"), ("drive2.json", "replay:drive2.json"),
        ("none.gpx", "replay:none.gpx"), ("/dev/fd/63", "replay:/dev/fd/63"), ("/dev/stdin", "replay:/dev/stdin"),
        ("NONE.KML", "replay:NONE.KML"), ("gpx", "gpsd://gpx:2947"), ("sim:walk", "sim:walk"),
        ("sim:walk?", "sim:walk"), ("pi:", "gpsd://pi:2947"),
    ])
    func `a word names the source of a session`(word: String, full: String) throws {
        #expect(try SourceWord(word, exists: SourceWordTests.files.contains).description == full)
    }

    @Test(arguments: [
        ("mqtt://broker", "mqtt://broker:1883/owntracks/+/+"), ("mqtts://broker/", "mqtts://broker:8883/owntracks/+/+"),
        ("mqtt://anna@broker:18/fleet/#", "mqtt://anna@broker:18/fleet/#"),
        ("mqtt://[::1]/a/+/b", "mqtt://[::1]:1883/a/+/b"), ("mqtt://a%40b@pi/#", "mqtt://a%40b@pi:1883/#"),
        ("mqtt://pi/$share/g/owntracks/+/+", "mqtt://pi:1883/$share/g/owntracks/+/+"),
        ("tcp://pi", "tcp://pi:10110"), ("udp://", "udp://:10110"), ("ntrip://pi/M", "ntrip://pi:2101/M"),
    ])
    func `a fleet has a broker and a filter, and a stream the usual port of its protocol`(
        word: String, full: String
    ) throws {
        let source = try SourceWord(word, exists: { _ in true })
        let isFleet = word.hasPrefix("mqtt")
        #expect(source.description == full && source.isLive)
        #expect(source.isFleet == isFleet && (source.stream == nil) == isFleet)
        #expect(try self.source(full) == source)
    }

    /// Returns a source of this machine.
    private func existing(_ word: String) throws -> SourceWord {
        try SourceWord(word) { FileManager.default.fileExists(atPath: $0) }
    }

    @Test func `a link to a terminal is a receiver wherever it is`() throws {
        let scratch = try Scratch()
        let terminal = try PseudoTerminal()
        let link = scratch.path("gps.dev")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: terminal.path)
        #expect(try existing(link).serialPath == link)
        #expect(try existing("\(link)?speed=9600").description == "serial:\(link)?speed=9600")
        // From the working directory, which the tests do not change.
        let folder = FileManager.default.currentDirectoryPath
        let up = String(repeating: "../", count: folder.split(separator: "/").count)
        #expect(try existing(up + link.dropFirst()).serialPath == "\(folder)/\(up)\(link.dropFirst())")
    }

    @Test func `a link to a file is a recording`() throws {
        let scratch = try Scratch()
        let (link, file) = (scratch.path("gps.log"), try scratch.write("", to: "gps.json").path)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        #expect(try existing(link).recording != nil)
        try FileManager.default.removeItem(atPath: file)
        #expect(try existing(link).recording != nil, "a link that leads nowhere is a missing file")
    }

    @Test(
        arguments: [
            ("localhost", ["confinable", "endpoint"]), ("/dev/ttyACM0", ["line", "serial line"]),
            ("/dev/ttyACM0?corrections=ntrip://anna@caster/M", ["corrections", "line", "password", "serial line"]),
            ("tcp://ship", ["stream"]), ("ntrip://anna@caster/M", ["password", "stream"]),
            ("sim:walk", ["line", "simulated"]), ("-", ["confinable", "recording"]), ("/tmp/", ["recording"]),
            ("mqtt://broker/fleet/#", ["confinable", "fleet", "names", "password"]),
        ] as [(String, [String])])
    func `a source can do what its kind declares, and nothing else`(word: String, abilities: [String]) throws {
        let source = try source(word)
        let all: [(String, Bool)] = [
            ("confinable", source.isConfinable), ("corrections", source.corrections != nil),
            ("endpoint", source.endpoint != nil), ("fleet", source.fleet != nil), ("line", source.isLine),
            ("names", source.isFleet), ("password", source.takesPassword),
            ("recording", source.recording != nil && !source.isLive), ("serial line", source.serialPath != nil),
            ("simulated", source.isSimulated), ("stream", source.stream != nil),
        ]
        #expect(all.filter(\.1).map(\.0) == abilities)
        #expect(try source.scenario().map { _ in true } == (source.isSimulated ? true : nil))
    }

    @Test func `the files of TLS are parameters of a fleet that has TLS`() throws {
        let word = "mqtts://broker/fleet/#?ca-file=/etc/ca.pem&cert=a.pem,b.pem"
        let source = try source(word)
        #expect(source.certificates == ["/etc/ca.pem", "a.pem", "b.pem"])
        #expect(source.fleet?.filter == "fleet/#")
        #expect(try self.source(source.description) == source)
        let plain = #expect(throws: UsageError.self) { try self.source("mqtt://broker/#?ca-file=x") }
        #expect(plain?.message.contains("unexpected parameter \"ca-file\"") == true)
        for wrong in ["ca-file=", "cert=", "cert=a,b,c", "cert=a,", "cafile=x"] {
            #expect(throws: UsageError.self, "\(wrong)") { try self.source("mqtts://broker/#?\(wrong)") }
        }
    }

    @Test func `a speed follows the name of a track, unless a file has that name`() throws {
        let scratch = try Scratch()
        let path = try scratch.write("", to: "ride.gpx").path
        for word in ["\(path)?speed=36km/h", "replay:\(path)?speed=10", "none.gpx?speed=10", "-?speed=10"] {
            let source = try SourceWord(word, exists: { $0 == path })
            #expect(source.recording != nil && source.description.hasSuffix("?speed=10.0"), "\(source)")
        }
        let odd = try scratch.write("", to: "ride?speed=x.gpx").path
        #expect(try SourceWord(odd, exists: { $0 == odd }).recording?.path == odd)
        #expect(throws: UsageError.self) { try SourceWord("\(path)?speed=fast", exists: { $0 == path }) }
        #expect(throws: UsageError.self) { try source("none.gpx?sped=1") }
    }

    @Test(arguments: [("3", 3), ("0.5", 0.5), ("36km/h", 10), ("3m/s", 3), ("0", nil), ("-3", nil), ("3m", nil)])
    func `a speed without a unit is in metres per second`(text: String, expected: Double?) {
        #expect(SpeedText.read(text) == expected)
    }

    /// Returns the source of a word where no file exists.
    private func source(_ word: String) throws(UsageError) -> SourceWord {
        try SourceWord(word, exists: { _ in false })
    }

    @Test(arguments: [
        "::1": "in brackets", "gpsd://::1": "in brackets", "fe80::1%eth0": "in brackets", "fe80::1": "in brackets",
        "[::1": "host:port", "[::1]x": "host:port", "pi:0": "1 to 65535", "pi:65536": "1 to 65535",
        "pi:1:": "host:port:device", "a b": "host:port",
        "http://pi/": "gpsd://, serial:, tcp://, udp://, ntrip://, replay:, raw:, sim:, mqtt:// and mqtts://",
        "serial:": "full path", "serial:ttyACM0": "full path", "serial:/dev/a?speed=1": "300, 1200",
        "serial:/dev/a?baud=9600": "only speed and corrections", "/dev/a?baud=9600": "only speed and corrections",
        // Before, this named a device whose full form was refused.
        "/dev/://u@h/?lat=%{lat:.5}": "only speed and corrections", "replay:": "expected a file name",
        "raw:": "as in raw:drive.nmea", "tcp://": "host", "tcp://pi/x": "a host and a port only",
        "udp://anna@:1": "a host and a port only", "ntrip://pi": "a mountpoint", "ntrip://pi/": "a mountpoint",
        "tcp://pi:0": "port", "ntrip://pi/a\u{1B}": "a mountpoint", "sim:": "standstill",
        "sim:wlak": "did you mean sim:walk?",
        "sim:walk?lta=1": "unknown option \"lta\" (did you mean lat?); the options of sim:walk are lat, lon",
        "sim:walk?loop": "speed, noise, rate and corrections",
        "sim:a.gpx?lat=1&lon=2": "the options of sim:a.gpx are speed, noise, rate, corrections and loop",
        "sim:walk?lat=1": "lat and lon belong together", "sim:walk?lat=90&lon=1": "expected degrees from -89 to 89",
        "sim:walk?lat=nan&lon=1": "expected degrees", "sim:walk?lon=181&lat=1": "expected degrees from -180 to 180",
        "sim:walk?rate=0": "invalid value \"0\" for rate: expected a whole number from 1 to 10",
        "sim:walk?rate=11": "1 to 10", "sim:walk?rate": "rate needs a value: a whole number",
        "sim:walk?speed=5knots": "expected a speed in metres per second such as 14, 50km/h",
        "sim:walk?speed=0km/h": "more than 0", "sim:walk?speed=1e9km/h": "a speed", "sim:walk?noise=2km": "up to 1km",
        "sim:walk?noise=-1m": "a length", "sim:a.gpx?loop=1": "expected loop without a value",
        "sim:walk?\u{1B}[2J=1": "unknown option", "\u{1B}[2J://x": "unknown scheme \\x1b[2J;",
        "gpsd://pi:x!": "host:port", "pi\u{1B}": "host:port", "mqtt://": "host", "mqtt:///x": "host",
        "mqtt://pi:0/x": "port", "mqtt://pi/a//b": "empty part", "mqtt://pi/a/": "empty part",
        "mqtt://pi/a+/b": "whole part", "mqtt://pi/#/a": "last part", "mqtt://pi/a\u{1B}": "control character",
        "mqtt://::1/x": "brackets", "mqtt://anna:secret@broker/x": "LOCWATCH_PASSWORD",
        "ntrip://anna:secret@caster/x": "LOCWATCH_PASSWORD", "tcp://anna:secret@pi": "LOCWATCH_PASSWORD",
    ])
    func `the error for a malformed word shows the valid form, and neither a password nor a control character`(
        word: String, hint: String
    ) throws {
        let message = try #require(throws: UsageError.self) { try source(word) }.message
        #expect(message.contains(hint) && !message.contains("\u{1B}") && !message.contains("secret"), "\(message)")
    }

    @Test(arguments: [
        "gpsd://localhost:2947", "gpsd://[::1]:2948", "gpsd://pi:2947/dev/ttyUSB0", "gpsd://pi:2947:gps0",
        "serial:/dev/ttyACM0", "serial:/dev/ttyACM0?speed=9600", "replay:drive.json", "replay:-", "raw:drive.nmea",
        "raw:-", "replay:\u{301}drive.json", "sim:tunnel",
        "sim:walk?lat=48.2&lon=16.37&speed=5km/h&noise=3m&rate=10", "sim:drive.gpx", "sim:/tmp/a.kml?speed=30mph&loop",
        "sim:walk?speed=3",
        "tcp://pi:10110", "tcp://[::1]:7", "udp://:10110", "udp://239.1.2.3:5000", "ntrip://anna@pi:2101/MOUNT",
    ])
    func `the full form of a word parses to the same source`(word: String) throws {
        #expect(try source(word).description == word)
    }
}
