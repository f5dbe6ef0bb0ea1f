import GPSDSimulation
import LocwatchArguments
import LocwatchTerminal

/// The simulated receivers and their options, as the help and the manual page describe them.
enum SimulationHelp {
    /// The receivers, each with what it shows.
    static let rows: [(term: String, meaning: String)] = ReceiverScenario.all.map { ("sim:\($0.name)", $0.summary) }

    static let introduction =
        "A simulated receiver writes NMEA to a pseudo terminal, which a private gpsd reads like any other receiver, so "
        + "that everything can be tried without hardware."

    static let rule =
        "Options follow the name, as in 'sim:walk?rate=5&noise=3m' (quoted, because of the &). lat and lon are for the "
        + "named receivers, loop is for a track."

    /// Returns the text of `locwatch help sim`.
    static func text(width: Int) -> String {
        var lines = Paragraph.lines("locwatch SOURCE sim:NAME: simulated receivers", width: width) + [""]
        lines += Paragraph.lines(introduction, width: width) + ["", "Receivers:"]
        lines += Paragraph.table(rows, column: 20, width: width)
        lines += Paragraph.table([("sim:FILE.gpx", "moves along a track")], column: 20, width: width)
        lines += ["", "Options:"] + Paragraph.table(SimulationOption.rows, column: 20, width: width)
        lines += [""] + Paragraph.lines(rule, width: width)
        return lines.joined(separator: "\n") + "\n"
    }
}
