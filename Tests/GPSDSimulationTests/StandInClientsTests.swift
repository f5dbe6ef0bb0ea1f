import GPSDSimulation
import GPSDProtocol
import TestSupport
import Testing

/// Tests of the stand-in with Debian's own clients of gpsd; `RelayTests` has others.
struct StandInClientsTests {
    @Test func `gpsdecode reads the session back from the output of gpspipe -r`() throws {
        let sky =
            #"{"class":"SKY","device":"/dev/ttyUSB0","hdop":0.90,"vdop":1.40,"pdop":1.70,"satellites":["#
            + #"{"PRN":5,"gnssid":0,"svid":5,"el":45.0,"az":120.0,"ss":40.0,"used":true},"#
            + #"{"PRN":7,"gnssid":0,"svid":7,"el":15.0,"az":20.0,"ss":30.0,"used":false}]}"#
        let lines = RecordedText.positions(5).flatMap { [$0, sky] }
        let standIn = try paced(.max, RecordedText.session(lines))
        let tool = try Tool("sh", ["-c", "gpspipe -r -n 38 127.0.0.1:\(standIn.port) | grep '^\\$' | gpsdecode -j"])
        #expect(tool.status == 0)
        let reports = tool.output.split(whereSeparator: \.isNewline).map(String.init)
        let positions = reports.filter { $0.hasPrefix(#"{"class":"TPV""#) && $0.contains(#""mode":3"#) }
        // gpsd needs the first epoch to learn where an epoch ends.
        #expect(positions.count >= 4)
        #expect(positions.last?.contains(#""time":"2026-03-01T08:00:04.000Z""#) == true)
        #expect(positions.last?.contains(#""lat":45.0736140"#) == true)
        #expect(positions.last?.contains(#""altMSL":263.9000"#) == true)
        let skies = reports.filter { $0.hasPrefix(#"{"class":"SKY""#) }
        #expect(skies.last?.contains(#""hdop":0.90"#) == true)
        #expect(
            skies.last?.contains(#"{"PRN":5,"el":45.0,"az":120.0,"ss":40.0,"used":true,"gnssid":0,"svid":5}"#) == true)
        #expect(
            skies.last?.contains(#"{"PRN":7,"el":15.0,"az":20.0,"ss":30.0,"used":false,"gnssid":0,"svid":7}"#) == true)
    }
}
