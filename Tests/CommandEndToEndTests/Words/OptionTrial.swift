import Foundation
import TestSupport
import Testing

/// A command line in which an option or its variable changes the output.
struct OptionTrial: Sendable, CustomTestStringConvertible {
    /// The option's long name.
    let name: String
    /// The value, or `nil` for an option without one.
    let value: String?
    /// The command line, with `@` in the place of the option.
    let line: String
    /// A text that occurs in the output, the errors or the final `exit N` if the option is in effect.
    ///
    /// A command whose option only hides a text must succeed with it.
    let shows: String
    /// A text that occurs there only if the option is not in effect.
    let hides: String?
    /// Whether the command ends by itself without the option.
    let endsWithout: Bool

    init(
        _ name: String, _ value: String? = nil, in line: String, shows: String = "exit 0\n", hides: String? = nil,
        endsWithout: Bool = true
    ) {
        (self.name, self.value, self.line, self.shows, self.hides) = (name, value, line, shows, hides)
        self.endsWithout = endsWithout
    }

    var testDescription: String { "--\(name)" }
    /// The line of a configuration with the option.
    var configuration: String { name + (value.map { " \($0)" } ?? "") }
    var words: String { "--\(name)" + (value.map { "='\($0)'" } ?? "") }

    /// Returns whether the option is in effect when the line is run with the given words and configuration.
    func isInEffect(_ words: String, configuration: String? = nil) async throws -> Bool {
        let folder = try Scratch()
        var environment: [String: String] = [:]
        if let configuration {
            let file = folder.url.appending(path: "configuration")
            try Data("\(configuration)\n".utf8).write(to: file)
            environment["LOCWATCH_CONFIG"] = file.path
        }
        let run = try await Locwatch.run(line.replacing("@", with: words), environment: environment, folder: folder.url)
        let text = "\(run.output)\n\(run.errors)\nexit \(run.code)\n"
        return text.contains(shows) && (hides.map { !text.contains($0) } ?? true)
    }

    /// The place of the option and a recorded walk.
    static let walk = "@ $FIXTURES/walk/session.json"
    private static let watch = "$LW -j --pace max \(walk)"
    private static let show = "$LW --pace max \(walk)"
    private static let csv = "$LW --csv --pace max \(walk)"
    private static let stats = "$LW stats \(walk)"
    private static let serve = "$LW serve \(walk)"

    /// A trial of every option; `OptionTableTests` checks that none is missing.
    static let all: [OptionTrial] = ofSessions + publishing

    private static let ofSessions: [OptionTrial] = [
        // Output
        .init("json", in: show, shows: #"{"event":"start""#),
        .init("format", "%{fix}!", in: show, shows: "\n3D!\n"),
        .init("csv", in: show, shows: "time,lat,lon,"),
        .init("columns", "speed,lat", in: csv, shows: "speed,lat\r\n"),
        .init("no-header", in: csv, hides: "time,lat,lon,"),
        .init("reference", "45.0548,7.6865", in: stats, shows: "error CEP50"),
        .init("states", in: watch, hides: #""event":"location""#),
        .init("sky", in: watch, shows: #""event":"sky""#),
        .init("units", "imperial", in: show, shows: " ft "),
        .init("utc", in: "TZ=Asia/Tokyo \(show)", hides: "18:00:0"),
        .init("precision", "3", in: show, shows: "  45.055 "),
        .init("color", "always", in: show, shows: "\u{1B}[3"),
        .init("plot", in: stats, shows: "Track  "),
        .init(
            "ascii",
            in: "LANG=C.UTF-8 script -qec \"$LW monitor -x 5s --pace max \(walk)\" /dev/null", hides: "●"),
        .init("plot-file", "t.svg", in: "\(stats) >/dev/null; cat t.svg", shows: "<svg"),
        // Limits; the end event has the number of epochs, which is 40 without a limit.
        .init("count", "2", in: watch, shows: #""reason":"count","locations":2}"#),
        .init("timeout", "4s", in: "$LW once @ $FIXTURES/no-fix/session.json", shows: "within 4 s:"),
        .init("duration", "10s", in: watch, shows: #""reason":"duration","locations":12}"#),
        // Selection of positions
        .init("accuracy", "1", in: watch, shows: #""locations":0}"#),
        .init(
            "at", "2026-11-20T09:00:10.5Z", in: "$LW once -f '%{time}' \(walk)", shows: "2026-11-20T09:00:10.500Z\n"),
        .init("average", "10m", in: "$LW once \(walk)", shows: "no standstill of 10 min"),
        .init("max-age", "0s", in: watch, hides: #""time":"2026-11-20T09:00:00.000Z","lat""#),
        .init("fix", "3d", in: "$LW once -j -a 10km @ $FIXTURES/first-fix/session.json", shows: #""mode":3"#),
        .init("distance", "10", in: watch, shows: #""locations":6}"#),
        .init("interval", "10s", in: watch, shows: #""locations":4}"#),
        .init("fence", "home=45.0548,7.6865,1km", in: watch, shows: #""event":"fence""#),
        .init("device", "/nowhere", in: watch, shows: #""locations":0}"#),
        .init(
            "all-devices", in: "$LW -j --pace max @ $FIXTURES/two-devices/session.json",
            shows: #""event":"deviceState""#),
        // Points at 0, 10, 20 and 30 s.
        .init("simplify", "1", in: "$LW export csv -o t.csv \(walk)", shows: "saved 2 points"),
        // Session
        // The program says at the first pause of a recording, of 40 s, that it is played at its own pace.
        .init("pace", "max", in: "timeout 38 $LW \(walk) |& sed /played/q; exit $PIPESTATUS", shows: "exit 0\n"),
        .init("follow", in: "$LW devices \(walk) |& sed /played/q", shows: "recorded pace"),
        .init("stale", "50ms", in: watch, shows: #""silence":0.05"#),
        .init("rate", "5", in: "$LW devices @ gpsd.invalid", shows: "on gpsd.invalid: locwatch devices --rate HERTZ"),
        .init("no-reconnect", in: "$LW -j -x 1s @ localhost:1", shows: #""reason":"failed""#),
        // Files
        .init("output", "u.csv", in: "$LW export csv \(walk)", shows: "saved 40 points in u.csv"),
        .init("force", in: "touch r.json; $LW record @ r.json $FIXTURES/walk/session.json", shows: "exit 0\n"),
        .init(
            "metrics-file", "m.prom", in: "\(show) >/dev/null; cat m.prom", shows: "locwatch_positions_total{device="),
        .init("odometer", "o", in: "\(show) >/dev/null; cat o", shows: #"{"schema":"locwatch-odometer/1","metres":"#),
        .init(
            "fence-state", "s", in: "\(show) --fence home=45.0548,7.6865,1km >/dev/null; cat s",
            shows: #"{"fence":"home","state":"inside","#),
        .init("rotate", "10s", in: "$LW export csv -o '%H%M%S.csv' \(walk)", shows: " files, "),
        .init("on", "found=echo $((6 * 7))", in: show, shows: "locwatch: on found: 42\n"),
        // Serving: a foreign address and a taken port fail at once.
        .init("listen", "192.0.2.7", in: serve, shows: "192.0.2.7", endsWithout: false),
        .init("port", "\(taken)", in: serve, shows: "\(taken)", endsWithout: false),
        .init(
            "token-file", "token",
            in: "echo 0123456789abcdef >token; chmod 600 token; $LW web --port \(free) \(walk) 2>said & "
                + "until grep '#' said || ! kill -0 $!; do sleep .02; done; kill %1",
            shows: "#TOKEN", endsWithout: false),
        .init(
            "tiles", "https://tile.example/{z}/{x}/{y}.png",
            in: "timeout 300 $LW web --port \(free) \(walk) & pid=$!; "
                + untilServed
                + "{ exec 3<>/dev/tcp/127.0.0.1/\(free) && printf 'GET / HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && "
                + "cat <&3 && kill $pid; } 2>/dev/null; wait $pid; exit $?",
            shows: "img-src 'self' https://tile.example;"),
        // The recording has 124 lines, of which two minutes need more rounds than one.
        .init(
            "loop", in: tested("d=\"$LW control -t 5m c\"; $d step 2m; $d status", "--pace manual --control c \(walk)"),
            shows: #""time":120,"#, hides: #""lines":124,"#),
        .init(
            "redate", in: tested("$LW --csv -n 1 localhost:$(<port)", "--pace 1000x \(walk)"), shows: "Z,45.05",
            hides: "2026-11-20T09:00:00"),
        // Tests of programs that read gpsd
        .init("fault", "version=9.87", in: tested(greeting), shows: #""release":"9.87""#),
        .init("script", "s", in: "echo fault version=9.87 >s; " + tested(greeting), shows: #""release":"9.87""#),
        .init("control", "c", in: tested("$LW control c status"), shows: #"{"ok":true,"time":0"#),
        .init("pty", "p", in: tested("ls -l p"), shows: "/dev/pts/"),
        .init("print-port", in: told, shows: "told a port"),
        // General
        .init("report", in: "$LW doctor @ -t 1s localhost:1", shows: "confined  "),
        .init("quiet", in: "$LW record @ r.json $FIXTURES/walk/session.json", hides: "saved "),
        .init("verbose", in: "$LW once \(walk)", shows: "locwatch: found: "),
        .init("help", in: show, shows: "Usage:"),
        .init("version", in: show, shows: "locwatch 0."),
        .init("config", "c", in: "echo units imperial >c; \(show)", shows: " ft "),
        .init("no-config", in: "echo units imperial >c; LOCWATCH_CONFIG=c \(show)", hides: " ft "),
    ]

    /// Returns a line that asks a stand-in at a free port, in real time.
    private static func tested(_ question: String, _ options: String = "@ sim:walk") -> String {
        "$LW serve -q --port 0 --print-port \(options) >port & "
            + "until [ -s port ] || ! kill -0 $!; do sleep .02; done; \(question); kill %1; exit 0"
    }
    private static let greeting = "exec 3<>/dev/tcp/127.0.0.1/$(<port); head -1 <&3"
    private static let told =
        "$LW serve --port 0 @ --fault cut sim:walk >port 2>said & "
        + "until grep -q serving said || ! kill -0 $!; do sleep .02; done; "
        + "sed 's/^[0-9][0-9]*$/told a port/' port; kill %1; wait; exit 0"
    /// Words that wait until the last program in the background serves at the free port, or has ended.
    private static let untilServed =
        "until (: <>/dev/tcp/127.0.0.1/\(free)) 2>/dev/null || ! kill -0 $!; do sleep .02; done; "

    /// A port that is taken while the tests run.
    private static let taken = {
        let reserved = ReservedPort()
        precondition(listen(reserved.descriptor, 1) == 0)
        return reserved.number
    }()
    /// A port at which no other test serves.
    private static let free = ReservedPort().number
}
