import Foundation

extension Example {
    /// The commands of the README that are no examples of the help, in its order.
    static let ofReadme: [Example] = [
        ("locwatch /dev/ttyACM0", position),
        ("locwatch pi.local", position),
        ("locwatch tcp://plotter.local:10110", position),
        ("locwatch udp://:10110", position),
        ("locwatch stats drive.nmea.gz", figures),
        ("locwatch stats hike.gpx", .ends(printing: "Positions")),
        ("locwatch devices --follow mqtt://broker.example", .shows("van")),
        ("locwatch monitor sim:drive", screen),
        ("locwatch help sources", .ends(printing: "recording, a track")),
        ("locwatch -j", .shows(#""event":"location""#)),
        ("locwatch record trip.json", .writes("trip.json")),
        ("locwatch export json drive.nmea", .ends(printing: #""class":"TPV""#)),
        ("locwatch once -a 20 -t 30s", .ends(printing: "45.05")),
        (
            #"locwatch --fence home=45.0548,7.6865,150 --on 'enter:home=logger "back home"'"#,
            .shows("inside home")
        ),
        ("locwatch serve sim:walk", .shows("serving")),
        ("locwatch help", .ends(printing: "Tests of programs")),
        ("locwatch help COMMAND", .ends(printing: "locwatch")),
    ].map { Example(line: $0.0, steady: $0.1) }

    /// The commands within the text and the tables of the README, and the lines of a block that are run one by one.
    static func linesOfReadme() throws -> Set<String> {
        let text = try String(contentsOf: Locwatch.package.appending(path: "README.md"), encoding: .utf8)
        let parts = text.components(separatedBy: "```")
        var lines: Set<String> = []
        for (index, part) in parts.enumerated() {
            if index.isMultiple(of: 2) {
                lines.formUnion(part.matches(of: /`(locwatch[^`]*)`/).map { String($0.1) })
            } else if parts[index - 1].hasSuffix("<!-- run one by one -->\n") {
                lines.formUnion(
                    part.split(separator: "\n").dropFirst().map {
                        $0.components(separatedBy: " #")[0].trimmingCharacters(in: .whitespaces)
                    })
            }
        }
        return lines
    }
}
