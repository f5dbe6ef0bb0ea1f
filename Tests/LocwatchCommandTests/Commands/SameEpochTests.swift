import Foundation
import TestSupport
import Testing

/// The values of one epoch, which the commands must agree about.
@Suite(.serialized, .alone) struct SameEpochTests {
    /// A receiver whose satellites are reported in two parts of six and three, without times, and whose time steps back once.
    private static let recording: String = {
        func satellites(_ numbers: ClosedRange<Int>, system: Int) -> String {
            numbers.map { #"{"PRN":\#($0),"gnssid":\#(system),"svid":\#($0),"ss":30,"used":\#($0 % 2 == 0)}"# }
                .joined(separator: ",")
        }
        var lines = [#"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/gps","driver":"NMEA0183"}]}"#]
        for (index, second) in [1, 2, 3, 4, 3, 5, 6].enumerated() {
            lines += [
                #"{"class":"TPV","device":"/dev/gps","mode":3,"time":"2026-01-01T00:00:0\#(second).000Z","#
                    + #""lat":45.00\#(index),"lon":7,"altMSL":100,"eph":5}"#,
                #"{"class":"SKY","device":"/dev/gps","nSat":6,"uSat":3,"satellites":[\#(satellites(1...6, system: 0))]}"#,
                #"{"class":"SKY","device":"/dev/gps","nSat":3,"uSat":1,"satellites":[\#(satellites(11...13, system: 6))]}"#,
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }()

    /// Returns some columns of a command's CSV for a file with a text.
    private func columns(
        _ names: [String], _ line: String, reading text: String, as name: String
    ) async throws -> [[String]] {
        let lines = try await CommandTrial.run(line, reading: text, as: name).lines.map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let header = try #require(lines.first)
        let places = try names.map { try #require(header.firstIndex(of: $0)) }
        return lines.dropFirst().map { line in places.map { line[$0] } }
    }

    @Test(arguments: ["watch --csv --pace max", "export csv"])
    func `watch and export count the same satellites and segments`(command: String) async throws {
        let names = ["used", "seen", "segment"]
        let rows = try await columns(names, "\(command) @", reading: Self.recording, as: "parts.json")
        #expect(rows == ["1", "1", "1", "1", "2", "2", "2"].map { ["4", "9", $0] })
    }

    @Test(arguments: ["export csv", "watch --csv --pace max"])
    func `--device leaves out nothing of a track without receivers, in each command`(command: String) async throws {
        let text = "time,lat,lon\n" + (0..<9).map { "2026-01-01T00:00:0\($0)Z,45.00\($0),7\n" }.joined()
        let line = "\(command) --device /dev/ttyUSB0 @"
        #expect(try await columns(["lat"], line, reading: text, as: "track.csv").count == 9)
    }
}
