import GPSDSimulation
import LocwatchArguments
import LocwatchTerminal

/// The simulated receivers and their options, as the help and the manual page describe them.
enum SimulationHelp {
    /// The receivers, each with what it shows.
    static let rows: [(term: String, meaning: String)] = ReceiverScenario.all.map { ("sim:\($0.name)", $0.summary) }

    /// Returns the text of `locwatch help sim`.
    static func text(width: Int) -> String {
        let paragraphs = ManualText.paragraphs(of: "SIMULATED RECEIVERS")
        var lines = Paragraph.lines("locwatch SOURCE sim:NAME: simulated receivers", width: width) + [""]
        lines += Paragraph.lines(paragraphs[0], width: width) + ["", "Receivers:"]
        lines += Paragraph.table(rows, column: 20, width: width)
        lines += Paragraph.table([("sim:FILE.gpx", "moves along a track")], column: 20, width: width)
        lines += ["", "Options:"] + Paragraph.table(SimulationOption.rows, column: 20, width: width)
        lines += [""] + Paragraph.lines(paragraphs[1], width: width)
        return lines.joined(separator: "\n") + "\n"
    }
}
