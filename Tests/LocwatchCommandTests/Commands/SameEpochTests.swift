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

    /// Returns some columns of a command's CSV.
    private func columns(_ names: [String], _ arguments: [String]) async throws -> [[String]] {
        let lines = try await CommandTrial().run(arguments).lines.map {
            $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let header = try #require(lines.first)
        let places = try names.map { try #require(header.firstIndex(of: $0)) }
        return lines.dropFirst().map { line in places.map { line[$0] } }
    }

    @Test func `watch and export count the same satellites and segments`() async throws {
        let scratch = try Scratch()
        let file = try scratch.write(Self.recording, to: "parts.json").path
        let names = ["time", "lat", "used", "seen", "segment"]
        let watched = try await columns(names, ["watch", "--csv", "--pace", "max", file])
        let exported = try await columns(names, ["export", "csv", file])
        #expect(watched.map { Array($0.dropFirst(2)) } == exported.map { Array($0.dropFirst(2)) })
        #expect(exported.dropFirst().allSatisfy { $0[2...3] == ["4", "9"] }, "\(exported)")
        #expect(exported.map { $0[4] } == ["1", "1", "1", "1", "2", "2", "2"])
    }

    @Test func `--device leaves out nothing of a track without receivers, in each command`() async throws {
        let scratch = try Scratch()
        let text = "time,lat,lon\n" + (0..<9).map { "2026-01-01T00:00:0\($0)Z,45.00\($0),7\n" }.joined()
        let file = try scratch.write(text, to: "track.csv").path
        for command in [["export", "csv"], ["watch", "--csv", "--pace", "max"]] {
            let rows = try await columns(["lat"], command + ["--device", "/dev/ttyUSB0", file])
            #expect(rows.count == 9, "\(command)")
        }
    }
}
