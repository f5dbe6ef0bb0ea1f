import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchPrinting
@testable import LocwatchSession

/// A receiver that reports its satellites once, and then twenty positions: those of more than ten seconds later have none.
@Suite(.serialized, .withClocks) struct OutdatedSatellitesTests {
    private static let session = session(20)

    private static func session(_ positions: Int) -> String {
        let satellites = (1...9).map {
            #"{"PRN":\#($0),"gnssid":0,"svid":\#($0),"el":30,"az":60,"ss":40,"used":\#($0 < 8)}"#
        }
        let sky =
            #"{"class":"SKY","device":"/dev/ttyUSB0","hdop":1.2,"nSat":9,"uSat":7,"satellites":["#
            + satellites.joined(separator: ",") + "]}"
        return RecordedText.session([sky] + RecordedText.positions(positions))
    }

    /// The positions of the first ten seconds, and those of the others.
    private static let (fresh, old) = (0...10, 11...19)

    private static func run(_ line: String) async throws -> CommandTrial.Result {
        try await CommandTrial.run("\(line) --pace max @", reading: session)
    }

    @Test func `JSON, CSV and templates show no satellites that are older than ten seconds`() async throws {
        let counts = try await Self.run("watch -q -j").objects("location").map { $0["used"] as? Int }
        #expect(counts == Self.fresh.map { _ in 7 } + Self.old.map { _ in nil })
        let records = try await Self.run("watch -q --csv --columns used,seen,hdop").lines.dropFirst()
        #expect(Array(records) == Self.fresh.map { _ in "7,9,1.2" } + Self.old.map { _ in ",," })
        let values = try await Self.run("watch -q -f %{used}/%{seen}").lines
        #expect(values == Self.fresh.map { _ in "7/9" } + Self.old.map { _ in "-/-" })
    }

    @Test func `text shows no satellites that are older than ten seconds`() async throws {
        let lines = try await Self.run("watch -q").lines(with: "m/s")
        #expect(lines.map { $0.contains(" 7/9") } == Self.fresh.map { _ in true } + Self.old.map { _ in false })
    }

    @Test func `bars show no satellites that are older than ten seconds`() async throws {
        let line = "watch -q -f waybar --pace max @"
        let fresh = try await CommandTrial.run(line, reading: Self.session(9)).lines
        #expect(fresh.last?.contains("9 satellites seen, 7 used") == true, "\(fresh)")
        let old = try await CommandTrial.run(line, reading: Self.session).lines
        #expect(old.last?.contains("3D fix") == true && old.last?.contains("satellites") == false, "\(old)")
    }

    @Test(arguments: ["gpx", "csv", "nmea"])
    func `tracks and sentences have no satellites that are older than ten seconds`(format: String) async throws {
        let text = try await CommandTrial.run("export \(format) @ -o -", reading: Self.session).output
        let words = ["gpx": "<sat>7</sat>", "csv": ",7,9,", "nmea": ",1,07,1.2"][format] ?? ""
        #expect(text.components(separatedBy: words).count - 1 == Self.fresh.count, "\(text)")
    }

    /// The updates of a session with satellites at its beginning and positions for twenty seconds.
    private static let updates: [LocationUpdate] = {
        let satellite = Satellite(
            constellation: .gps, number: 5, elevation: 40, azimuth: 90, signal: 40, isUsed: true)
        let sky = SkyView(satellites: [satellite], device: "/dev/ttyACM0")
        return [LocationUpdate(.satellites(sky), at: 0)]
            + (0..<20).map { LocationUpdate(.location(ScriptedSession.location(Double($0))), at: Double($0)) }
    }()

    @Test func `the monitor shows no satellites that are older than ten seconds`() {
        let updates = [MonitorSamples.status()] + Self.updates
        let fresh = MonitorSamples.state(Array(updates.prefix(9)), at: 8)
        #expect(fresh.positionSky?.used == 1 && fresh.picture.marks.count == 1)
        let old = MonitorSamples.state(updates, at: 20)
        #expect(old.positionSky == nil && old.picture.marks.isEmpty && old.sky?.seen == nil)
        #expect(old.screen(columns: 120, rows: 40).contains("no satellites yet"))
    }

    @Test func `metrics have no satellites that are older than ten seconds`() {
        func text(_ count: Int) -> String {
            var (metrics, tracker) = (SessionMetrics(), Tracker())
            tracker.play(Array(Self.updates.prefix(count))) { metrics.process($0, $1) }
            return metrics.text.text
        }
        let series = "locwatch_satellites_used{"
        #expect(text(10).contains(series) && !text(20).contains(series))
        #expect(!text(20).contains("locwatch_satellite_signal_dbhz{"))
    }

    @Test func `a new reader of the page gets no satellites that are older than ten seconds`() {
        func lines(_ count: Int) -> String {
            var (state, tracker) = (WebState(.standard, Settings()), Tracker())
            tracker.play(Array(Self.updates.prefix(count))) { _ = state.process($0, $1) }
            return state.lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        }
        #expect(lines(10).contains(#""event":"sky""#) && lines(10).contains(#""used":1"#))
        #expect(!lines(20).contains(#""event":"sky""#) && !lines(20).contains(#""used":1"#))
    }
}
