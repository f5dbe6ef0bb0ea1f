import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchTerminal

@Suite struct StatisticsTextTests {
    private func text(_ style: TextStyle = TextStyle(), _ statistics: TrackStatistics = StatisticsSession.statistics)
        -> String
    {
        StatisticsText(
            statistics: statistics, source: .recording(path: "drive.json"), localTime: LocalTime { _ in 3600 }
        ).text(in: style)
    }

    @Test func `statistics have labels on the left and figures on the right, within 80 columns`() throws {
        #expect(text().split(separator: "\n").allSatisfy { $0.count <= 80 })
        try Golden.expect(text(), is: "stats.txt")
    }

    @Test func `statistics follow the chosen units, degrees and ASCII`() throws {
        let text = text(TextStyle(degrees: .minutes, units: .imperial, glyphs: .ascii))
        #expect(text.utf8.allSatisfy { $0 < 0x7F })
        try Golden.expect(text, is: "stats-imperial.txt")
    }

    @Test func `colour does not change the text of statistics`() {
        let colored = text(TextStyle(usesColor: true))
        #expect(colored != text())
        #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == text())
    }

    @Test func `an empty session has a line that says so, and no other statistics`() {
        #expect(
            text(TextStyle(), TrackStatistics()) == """
                Session       drive.json
                              no reports
                Positions     0 epochs
                First fix     none

                """)
    }

    @Test func `the first ten gaps are listed and the rest are counted`() {
        var statistics = TrackStatistics()
        let place = ScriptedSession.location(0)
        for round in 0..<14 {
            let lost = LocationState.searching(.noDevice)
            for (from, to, after) in [(lost, LocationState.found(place), 0.0), (.found(place), lost, 5)] {
                let moment = ScriptedSession.moment(Double(round * 10) + after)
                statistics.process(.transition(StateChange(from: from, to: to, at: moment, lasted: .seconds(5))))
            }
        }
        statistics.pass(ScriptedSession.moment(140))
        let lines = text(TextStyle(), statistics).split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasSuffix("for 5 s: gpsd has no receiver") }.count == 10)
        #expect(lines.contains("              and 4 more"))
    }
}
