import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession
@testable import LocwatchTerminal

/// A receiver of two bands, of which gpsd lists signals: ten satellites with fourteen signals, of which a fix uses four
/// satellites, as each output shows it.
@Suite(.serialized, .withClocks) struct TwoBandsTests {
    private static let source = "--pace max \(SampleRecording.twoBands.path)"

    private static func run(_ line: String) async throws -> CommandTrial.Result {
        try await CommandTrial().run("\(line) \(source)")
    }

    @Test func `JSON counts satellites, and their signals apart from them`() async throws {
        let result = try await Self.run("watch -q -j --sky")
        let places = try result.objects("location").map { [$0["used"] as? Int, $0["seen"] as? Int] }
        #expect(places == [[4, 10], [4, 10]])
        let sky = try #require(try result.objects("sky").first)
        #expect(["seen", "used", "signals"].map { sky[$0] as? Int } == [10, 4, 14])
        #expect((sky["satellites"] as? [[String: Any]])?.count == 14, "each signal keeps its band, strength and use")
    }

    @Test func `text, CSV, templates and bars count satellites`() async throws {
        let text = try await Self.run("watch -q --sky")
        #expect(text.output.contains("10 seen, 4 used, best 45 dB-Hz"), "\(text)")
        #expect(text.output.contains("GPS 2/3 SBAS 0/1 Galileo 1/3 BeiDou 1/3"))
        #expect(text.lines(with: "44.068").allSatisfy { $0.hasSuffix(" 4/10") }, "\(text)")
        #expect(text.output.contains("3D fix after 1 s, 4/10 satellites"))
        let records = try await Self.run("watch -q --csv --columns used,seen")
        #expect(records.lines == ["used,seen", "4,10", "4,10"])
        let template = try await Self.run("watch -q -f %{used}/%{seen}")
        #expect(template.lines == ["4/10", "4/10"])
        let bar = try await Self.run("watch -q -f waybar")
        #expect(bar.output.contains("10 satellites seen, 4 used, best 45 dB-Hz"), "\(bar)")
    }

    @Test func `CSV of satellites has a record for each signal`() async throws {
        let lines = try await Self.run("watch -q --csv --sky").lines
        #expect(lines.contains("2025-07-31T19:33:34.000Z,,GPS,8,8,,37,282,42,1"))
        #expect(lines.contains("2025-07-31T19:33:34.000Z,,GPS,8,8,7,37,282,20,1"))
    }

    @Test func `statistics count satellites`() async throws {
        let statistics = try #require(try await Self.run("stats -j").objects("stats").first)
        for (key, count) in [("seen", 10.0), ("used", 4)] {
            let figures = try #require(statistics[key] as? [String: Any])
            #expect(figures["min"] as? Double == count && figures["max"] as? Double == count, "\(key): \(figures)")
        }
    }

    @Test func `GGA, GSA and GSV have each satellite once, with its strongest signal`() async throws {
        let lines = try await Self.run("export nmea -o -").lines
        #expect(lines.contains { $0.hasPrefix("$GNGGA,193335.000,4404.131240,N,12118.848090,W,1,04,") })
        #expect(lines.contains { $0.hasPrefix("$GNGSA,A,3,02,08,,,,,,,,,,,") })
        let gps = "$GPGSV,1,1,04,02,24,310,29,08,37,282,41,28,01,165,31,44,39,174,41,0*6B"
        #expect(lines.contains(gps) && lines.contains { $0.hasPrefix("$GAGSV,1,1,03,") })
        #expect(lines.contains { $0.hasPrefix("$GBGSV,1,1,03,") })
    }

    @Test func `a track counts satellites`() async throws {
        #expect(try await Self.run("export gpx -o -").output.contains("<sat>4</sat>"))
    }

    /// Two signals of a satellite of which the weaker one is used, and two of another one that is not used.
    private static let sky = SkyView(
        satellites: [(1, 40.0, false, 0), (1, 35, true, 7), (2, 30, false, 0), (2, 42, false, 7)].map {
            number, signal, isUsed, band in
            with(Satellite(constellation: .gps, number: number, signal: signal, isUsed: isUsed)) {
                $0.signalBand = band
            }
        }, device: "/dev/ttyACM0")

    @Test func `the monitor has one mark and one bar for each satellite`() {
        let update = LocationUpdate(.satellites(Self.sky), at: 1)
        let state = MonitorSamples.state([MonitorSamples.status(), MonitorSamples.location(1), update], at: 2)
        #expect(state.picture.marks.map(\.label) == ["G01", "G02"])
        #expect(state.picture.marks.map(\.signal) == [40, 42] && state.picture.marks.map(\.isUsed) == [true, false])
    }

    @Test func `metrics count satellites, and have the strength of each signal`() {
        var metrics = SessionMetrics()
        metrics.process(.update(LocationUpdate(.satellites(Self.sky), at: 1), .current), SessionView())
        let text = metrics.text.text
        for line in [
            #"locwatch_satellites_seen{device="/dev/ttyACM0",gnss="GPS"} 2"#,
            #"locwatch_satellites_used{device="/dev/ttyACM0",gnss="GPS"} 1"#,
            #"locwatch_satellite_signal_dbhz{device="/dev/ttyACM0",gnss="GPS",sv="1",signal="7"} 35"#,
        ] { #expect(text.contains(line + "\n"), "\(text)") }
    }
}
