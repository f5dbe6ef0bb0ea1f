import LocationCore
import LocationTracks
import Testing

@testable import LocwatchCommand

struct StatisticsTextTests {
    private func text(_ style: TextStyle = TextStyle(), _ statistics: TrackStatistics = StatisticsSession.statistics)
        -> String
    {
        StatisticsText(style: style, localTime: LocalTime { _ in 3600 }).text(
            statistics, of: .recording(path: "drive.json"))
    }

    @Test func `figures are a word on the left and numbers on the right, in 80 columns`() throws {
        #expect(text().split(separator: "\n").allSatisfy { $0.count < 80 })
        try Golden.expect(text(), is: "stats.txt")
    }

    @Test func `figures keep to ASCII, imperial units and minutes of arc where that is wanted`() throws {
        let text = text(TextStyle(degrees: .minutes, units: .imperial, glyphs: .ascii))
        #expect(text.utf8.allSatisfy { $0 < 0x7F })
        try Golden.expect(text, is: "stats-imperial.txt")
    }

    @Test func `figures in colour are the same figures`() {
        let colored = text(TextStyle(usesColor: true))
        #expect(colored != text())
        #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == text())
    }

    @Test func `a session of which nothing was heard has no figures but that`() {
        #expect(
            text(TextStyle(), TrackStatistics()) == """
                Session       drive.json
                              nothing heard
                Positions     0 instants in 0 reports
                First fix     none

                """)
    }

    @Test func `of many gaps the first are told and the others counted`() {
        var statistics = TrackStatistics()
        let place = ScriptedSession.location(0)
        for round in 0..<14 {
            let lost = LocationState.searching(.noDevice)
            for (from, to, after) in [(lost, LocationState.found(place), 0.0), (.found(place), lost, 5)] {
                statistics.take(
                    .transition(
                        Transition(
                            from: from, to: to, at: ScriptedSession.moment(Double(round * 10) + after),
                            lasted: .seconds(5))))
            }
        }
        statistics.pass(ScriptedSession.moment(140))
        let lines = text(TextStyle(), statistics).split(separator: "\n").map(String.init)
        #expect(lines.filter { $0.hasSuffix("for 5 s: no receiver") }.count == 10)
        #expect(lines.contains("              and 4 more"))
    }
}
