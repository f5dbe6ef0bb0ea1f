import Foundation
import TestSupport

/// An example of the help or a command of the README, and the state that shows that it works; `ReadmeCommandsTests` runs the blocks of
/// the README.
struct Example: Hashable, CustomStringConvertible {
    /// The state that shows that an example works.
    enum Steady: Hashable {
        /// It ends with one of these exit codes, after it has printed a text that a regular expression describes.
        case ends(printing: String, codes: Set<Int> = [0])
        /// It shows a text that a regular expression describes, and goes on until Ctrl-C.
        case shows(String)
        /// It has written a file whose name has this ending, and goes on until Ctrl-C.
        case writes(String)
    }

    let line: String
    let steady: Steady

    /// The name of the command.
    var command: String {
        let words = line.split(separator: " ")
        let isNamed = words.count > 1 && words[1].allSatisfy(\.isLetter) && words[1] != "drive"
        return isNamed ? String(words[1]) : "watch"
    }

    var description: String { line }

    static let position = Steady.shows(#"45\.\d+ +7\.\d+"#)
    static let screen = Steady.shows("FOUND  3D")
    static let figures = Steady.ends(printing: "Availability")
    private static let answer = Steady.ends(printing: #""ok":true"#)
    private static let page = Steady.shows(#"http://localhost:\d+/ shows"#)
    // An object of jq has more lines than the screen, which shows the lower ones.
    private static let object = Steady.shows(#""eph": \d"#)

    /// The examples of the help of each command, in the order of its commands.
    static let all: [Example] = [
        ("locwatch", position),
        (#"locwatch -j | jq 'select(.event=="location")'"#, object),
        ("locwatch -f '%{clock} %{lat} %{lon}'", .shows(#"\d\d:\d\d:\d\d 45\.\d+ 7\.\d+"#)),
        ("locwatch -s pi.local", .shows("found")),
        ("locwatch --fence home=45.0703,7.6869,150", .shows("inside home")),
        ("locwatch --fence home=45.0703,7.6869,150 --on 'enter:home=lamp on'", .shows("inside home")),
        ("locwatch --fence anchor=here,40,margin=5 --on 'exit:anchor=logger dragging'", .shows("inside anchor")),
        ("locwatch -q -f waybar", .shows(#""class":"found""#)),
        ("locwatch sim:tunnel", position),
        ("locwatch drive.json", position),
        ("locwatch -f '%{lat} %{lon}'", .shows(#"45\.\d+ 7\.\d+"#)),
        ("locwatch -f '%{clock} %{alt:.0} %{units}' --units imperial", .shows(#"\d\d:\d\d:\d\d \d+ ft"#)),

        ("locwatch once", .ends(printing: "45.05")),
        ("locwatch once -a 10 -t 30s", .ends(printing: "45.05")),
        ("locwatch once -f 'geo:%{lat},%{lon}'", .ends(printing: #"geo:45\.\d+,7\.\d+"#)),
        ("locwatch once -f '%{osm}'", .ends(printing: "https://.*45")),
        ("locwatch once --fence home=45.0703,7.6869,150", .ends(printing: "45.05")),
        ("locwatch once --at '2026-11-20 09:00:21' drive.json", .ends(printing: "45.05")),
        ("locwatch once --at - --csv drive.json", .shows("reading times")),
        ("locwatch once --average 2h -a 1", .shows("waiting for a standstill")),
        ("locwatch once --to mqtt://broker.example/owntracks/anna/boat", .ends(printing: "45.05")),

        ("locwatch stats drive.json", figures),
        ("locwatch stats -x 10m", .shows("Availability")),
        ("locwatch stats --plot-file drive.svg drive.json", figures),
        ("locwatch stats --reference 45.0703,7.6869,264 drive.json", figures),

        ("locwatch time", .shows(#"[-+]?\d+(\.\d+)? ?m?s"#)),
        ("locwatch time -x 1h --plot-file clock.svg", .shows(#"[-+]?\d+(\.\d+)? ?m?s"#)),
        (#"locwatch time -j | jq 'select(.event=="clock").offset'"#, .shows(#"-?\d\.\d+"#)),

        ("locwatch monitor", screen),
        ("locwatch monitor pi.local", screen),
        ("locwatch monitor --fence home=45.0703,7.6869,150", screen),
        ("locwatch monitor mqtt://broker/fleet/#", .shows("1 device")),
        ("locwatch monitor --pace 10x drive.json", screen),

        ("locwatch devices", .ends(printing: "RECEIVER")),
        ("locwatch devices --follow", .shows("reporting|found")),
        ("locwatch devices --follow mqtt://broker.local", .shows("van")),
        // The receiver is that of a stand-in, whose driver cannot change the rate.
        ("locwatch devices --rate show", .ends(printing: "Hz; gpsd cannot change it")),
        ("locwatch devices --rate 5", .ends(printing: "gpsd cannot change the rate", codes: [69])),

        ("locwatch doctor", .ends(printing: "ok ")),
        ("locwatch doctor pi.local", .ends(printing: "ok ")),
        ("locwatch doctor mqtt://broker.example/owntracks/anna/boat", .ends(printing: "ok ")),
        ("locwatch doctor --report", .ends(printing: "ok ")),
        // It tells what is missing for the way to GeoClue, which a test of its own tries.
        ("locwatch doctor geoclue", .ends(printing: #"checking[\s\S]*geoclue"#, codes: [0, 69, 75, 77])),

        ("locwatch record drive.json", .writes(".json")),
        ("locwatch record -x 10m drive.json pi.local", .writes(".json")),

        ("locwatch publish mqtt://broker.example/owntracks/anna/boat", .shows("connected")),
        ("locwatch publish mqtt+ha://homeassistant.local", .shows("connected")),
        ("locwatch publish tcp-listen://:10110", .shows("connected")),
        ("locwatch publish 'file:/run/user/1000/position?format=%{lat} %{lon}' -q", .writes("position")),
        ("locwatch publish --config /etc/locwatch/boat.conf --check", .ends(printing: "mqtt")),

        ("locwatch web", page),
        ("locwatch web --pace 10x drive.json", page),
        ("locwatch web --tiles streets.mbtiles", page),
        ("locwatch web --listen 0.0.0.0:8080 --token-file token", .shows("TOKEN")),

        ("locwatch serve drive.json", .shows("serving")),
        ("locwatch serve --loop --redate --port 2948 drive.json", .shows("serving")),
        ("locwatch serve --loop --redate drive.gpx", .shows("serving")),
        ("locwatch serve udp://:10110", .shows("serving")),
        ("locwatch serve 'mqtt://broker.example/owntracks/+/+' --device boat", .shows("serving")),
        ("locwatch serve --listen 192.0.2.1 pi.local", .shows("serving")),
        ("locwatch serve sim:drive --fault lose=10s/1m --fault restart@30s", .shows("serving")),
        ("locwatch serve sim:walk --port 0 --print-port --pace manual --control gps.sock", .shows("serving")),

        ("locwatch control gps.sock wait clients 1", answer),
        ("locwatch control gps.sock step 1h", answer),
        ("locwatch control gps.sock move -33.86,151.21", answer),
        ("locwatch control gps.sock fault garbage=20/5s~7", answer),
        ("locwatch control gps.sock requests", answer),

        ("locwatch export gpx drive.json -o drive.gpx", .ends(printing: "saved 40 points")),
        ("locwatch export gpx -o '%Y-%m-%d.gpx' --rotate day", .writes(".gpx")),
        ("locwatch export gpx -o '%Y-%m-%d-%H%M.gpx' --rotate stop", .writes(".gpx")),
        ("locwatch export csv drive.json | head", .ends(printing: #"45\.05"#)),
        ("locwatch export csv --columns time,lat,lon drive.json", .ends(printing: #"45\.05"#)),

        ("locwatch completions bash >~/.local/share/bash-completion/completions/locwatch", .ends(printing: "")),
        ("locwatch completions zsh >~/.zfunc/_locwatch", .ends(printing: "")),
        ("locwatch completions fish >~/.config/fish/completions/locwatch.fish", .ends(printing: "")),

        ("locwatch help once", .ends(printing: "locwatch help sources")),
        ("locwatch help schema", .ends(printing: #""event""#)),
        ("locwatch help manual | man -l -", .ends(printing: #"LOCWATCH\(1\)"#)),

        ("locwatch version", .ends(printing: #"locwatch \d"#)),
        ("locwatch version -v", .ends(printing: #"locwatch \d"#)),
    ].map { Example(line: $0.0, steady: $0.1) }

    /// The command lines of the examples in the help of each command and topic.
    static func linesOfHelp() throws -> Set<String> {
        let topics = try Tool(Locwatch.program, ["__complete", "fish", "locwatch help "]).output
            .split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }.filter { $0 != "manual" }
        let lines = try topics.flatMap { name in
            let help = try Tool(Locwatch.program, ["help", name]).output.components(separatedBy: "\nExamples:\n")
            let examples = help.dropFirst().first?.components(separatedBy: "\n\n").first ?? ""
            return examples.split(separator: "\n").reduce(into: [String]()) { lines, text in
                let command = text.dropFirst(2).description.components(separatedBy: "  ")[0]
                if text.hasPrefix("  locwatch") {
                    lines.append(command)
                } else if !text.hasPrefix("   "), !text.hasPrefix("  cgps"), !lines.isEmpty {
                    // A long line goes on in the next one.
                    lines[lines.count - 1] += " " + command
                }
            }
        }
        return Set(lines)
    }
}
