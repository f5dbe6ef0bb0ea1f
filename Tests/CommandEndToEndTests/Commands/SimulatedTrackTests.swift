import Foundation
import TestSupport
import Testing

/// Tests of a simulated receiver on a track, through NMEA and a real gpsd.
@Suite(.serialized, .alone) struct SimulatedTrackTests {
    @Test func `a program behind gpsd sees the positions of the track`() async throws {
        let folder = try Scratch()
        // A line to the north, without times, which a speed of 10 m/s gives them.
        let points = (0...50).map {
            "<trkpt lat='\(48 + Double($0) / 1000)' lon='16.25'><ele>\(200 + $0)</ele></trkpt>"
        }.joined()
        try "<gpx><trk><trkseg>\(points)</trkseg></trk></gpx>"
            .write(to: folder.url.appending(path: "north.gpx"), atomically: true, encoding: .utf8)
        let run = try await Locwatch.run(
            "$LW -q -n 10 -t 60s --csv --columns lat,lon,alt,course,speed,mode 'sim:north.gpx?speed=36km/h&rate=5'",
            folder: folder.url)
        try #require(run.code == 0, "\(run.errors)")
        let rows = run.output.split(whereSeparator: \.isNewline).dropFirst().map {
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }
        #expect(rows.count == 10)
        let latitudes = rows.compactMap { Double($0[0]) }
        // An epoch at 5 Hz is 2 m, and NMEA has five decimals of a minute.
        #expect(zip(latitudes, latitudes.dropFirst()).allSatisfy { $0 < $1 })
        #expect(
            latitudes.allSatisfy { 48...48.05 ~= $0 } && rows.allSatisfy { abs((Double($0[1]) ?? 0) - 16.25) < 1e-6 })
        let full = try #require(rows.last)
        let altitude = try #require(Double(full[2])), latitude = try #require(latitudes.last)
        #expect(abs(altitude - 200 - (latitude - 48) * 1000) < 0.2)
        #expect(full[3] == "0" && abs((Double(full[4]) ?? 0) - 10) < 0.05)
    }
}
