import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

@Suite struct TrackPlotTests {
    static let sessions: [String: [TrackedUpdate]] = [
        "everything": MadeUpSession.everything(),
        // More positions than are drawn as dots.
        "standing": MadeUpSession.standing(at: Coordinate(latitude: 45, longitude: 7), points: 3100).updates,
        "dateline": MadeUpSession.standing(at: Coordinate(latitude: -17, longitude: 180), points: 100).updates,
        "one": MadeUpSession.standing(at: Coordinate(latitude: 90, longitude: 0), points: 1).updates,
        "none": [],
    ]

    private static let plots = sessions.mapValues {
        TrackPlot(TrackStatistics($0), title: "drive.json <recorded> & \"shown\"")
    }

    private func plot(_ name: String) throws -> TrackPlot { try #require(Self.plots[name]) }

    /// The folder in which the pictures are kept for inspection, if any.
    private static let gallery = ProcessInfo.processInfo.environment["LOCWATCH_PICTURES"]

    @Test(arguments: ["everything", "standing", "dateline", "one", "none"])
    func `a picture is valid SVG that librsvg draws, in which each transformation is a translation`(
        _ name: String
    ) throws {
        let scratch = try Scratch()
        let plot = try plot(name)
        // The themes differ in the colours only, whatever the session; those of a long one take seconds.
        let themed = Self.gallery == nil ? "dateline" : "everything"
        let themes: [(TrackPlot.Theme, String)] = name == themed ? [(.light, "-light"), (.dark, "-dark")] : []
        for (theme, suffix) in [(.automatic, "")] + themes {
            let bytes = plot.svg(theme)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("time since the beginning") == !plot.strips.isEmpty)
            let moves = text.components(separatedBy: "transform=\"").dropFirst().map { $0.prefix { $0 != "\"" } }
            let groups = ["<g ", "<g>"].map { text.components(separatedBy: $0).count - 1 }
            #expect(moves.count == groups.reduce(0, +) && moves.isEmpty == (name == "none"))
            for move in moves { #expect(move.wholeMatch(of: /translate\(-?[0-9.]+ -?[0-9.]+\)/) != nil, "\(move)") }
            let file = try scratch.write(bytes, to: "\(name)\(suffix).svg")
            #expect(try Tool.output(of: ["xmllint", "--noout", file]).isEmpty)
            _ = try Tool.output(of: ["rsvg-convert", file, "-o", file + ".png"])
            let picture = FileManager.default.contents(atPath: file + ".png") ?? Data()
            #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            if let gallery = Self.gallery {
                try picture.write(to: URL(filePath: "\(gallery)/\(name)\(suffix).png"))
                try Data(bytes).write(to: URL(filePath: "\(gallery)/\(name)\(suffix).svg"))
            }
        }
    }

    @Test(arguments: [30, 40, 60, 79, 80, 100, 132, 200])
    func `a terminal picture uses the available width`(_ columns: Int) throws {
        let text = try plot("everything").terminal(columns: columns, colour: false)
        let widths = text.split(separator: "\n").map(\.count)
        #expect(widths.allSatisfy { $0 <= max(40, columns) })
        #expect((widths.max() ?? 0) > max(40, columns) - 3)
        let titles = text.split(separator: "\n").filter { $0.contains("Track") }
        #expect(titles.contains { $0.contains("Scatter") } == (columns >= 80), "beside each other from 80 columns on")
        let words = [
            "Track", "Scatter", "Satellites", "State", "accuracy", "signal", "Speed", "Height", "CEP50", "CEP95",
        ]
        #expect(words.filter { !text.contains($0) } == [])
        if let gallery = Self.gallery {
            try text.write(toFile: "\(gallery)/\(columns).txt", atomically: true, encoding: .utf8)
        }
    }

    @Test func `the pictures of a session are as in their files`() throws {
        let plot = try plot("everything")
        try GoldenFile("everything.svg").expect(String(decoding: plot.svg(), as: UTF8.self))
        try GoldenFile("wide.txt").expect(plot.terminal(columns: 132, colour: false))
        try GoldenFile("colours.txt").expect(plot.terminal(columns: 60, colour: true))
        try GoldenFile("ascii.txt").expect(plot.terminal(columns: 100, colour: false, isASCII: true))
    }

    @Test(arguments: [(nil, "Height above the ellipsoid, m"), (48.2, "Height above the sea, m")])
    func `the height above the ellipsoid is drawn if none above the sea is known`(separation: Double?, title: String) {
        let statistics = TrackStatistics(3) { second in
            with(MadeUpSession.moving(Double(second))) {
                ($0.altitudeHAE, $0.altitudeMSL) = (240, separation.map { 240 - $0 })
            }
        }
        let titles = TrackPlot(statistics, title: "").strips.map(\.title)
        #expect(titles == ["State", "Reported horizontal accuracy, m", "Speed, m/s", title])
    }

    @Test func `colours do not change the text of a terminal picture`() throws {
        let plain = try plot("everything").terminal(columns: 80, colour: false)
        let coloured = try plot("everything").terminal(columns: 80, colour: true)
        #expect(coloured.replacing(/\u{1B}\[[0-9]+m/, with: "").replacing(/[ ]+\n/, with: "\n") == plain)
        #expect(try plot("none").terminal(columns: 80, colour: true).isEmpty)
    }

    @Test func `the track of a picture has a segment for each part of the way, with all of its points`() {
        let statistics = TrackStatistics(MadeUpSession.everything())
        #expect(statistics.history.segments.count == 2)
        #expect(statistics.history.segments.reduce(0) { $0 + $1.count } == statistics.epochs)
    }

    @Test func `a session with very many changes of state is drawn to its end`() {
        let found = LocationState.found(Location(coordinate: Coordinate(latitude: 1, longitude: 1)))
        let lost = LocationState.searching(.noFix(seen: 3, used: 0, best: nil))
        var history = TrackHistory()
        // Found for most of the first half, and lost for most of the second one.
        for second in 0..<20_000 {
            let isFound = (second % 4 != 0) == (second < 10_000)
            let change = StateChange(
                from: isFound ? lost : found, to: isFound ? found : lost, at: MadeUpSession.moment(second),
                lasted: .zero)
            history.process(change, at: change.moment)
        }
        #expect(history.states.count <= 4096)
        let pairs = zip(history.states, history.states.dropFirst())
        #expect(pairs.allSatisfy { $0.start < $1.start && $0.state != $1.state })
        func share(of state: TrackHistory.StateKind, _ range: Range<Int>) -> Double {
            let ends = history.states.dropFirst().map(\.start) + [.seconds(20_000)]
            let times = zip(history.states, ends).filter { $0.0.state == state }.map { part, end in
                max(.zero, min(end, .seconds(range.upperBound)) - max(part.start, .seconds(range.lowerBound)))
            }
            return times.reduce(.zero, +) / .seconds(range.count)
        }
        #expect(share(of: .found, 0..<10_000) > 0.7 && share(of: .searching, 10_000..<20_000) > 0.7)
    }
}
