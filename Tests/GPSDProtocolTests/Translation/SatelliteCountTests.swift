import Foundation
import LocationCore
import TestSupport
import Testing

@testable import GPSDProtocol

/// Tests of the number of satellites of receivers with several bands, of which gpsd lists the signals.
///
/// gpsd 3.22 lists the signals of NMEA 4.11, and later releases those of u-blox receivers, whose list by satellites comes before.
@Suite struct SatelliteCountTests {
    /// Returns the views of the satellites in a text of reports.
    private static func skies(_ text: String, listsSatellites: Bool = true) -> [SkyView] {
        skies(Array(text.utf8), listsSatellites: listsSatellites)
    }

    private static func skies(_ bytes: [UInt8], listsSatellites: Bool = true) -> [SkyView] {
        var stream = GPSDStream(listsSatellites: listsSatellites)
        return (stream.updates(of: bytes) + stream.lastUpdates()).compactMap(\.event.skyView)
    }

    /// Returns the numbers of satellites seen and used, and of signals.
    private static func counts(_ sky: SkyView) -> [Int?] { [sky.seen, sky.used, sky.signals] }

    private static func sky(_ list: [String], _ fields: String = "", second: Int? = nil) -> String {
        let time = second.map { #","time":"2026-11-20T09:00:0\#($0).000Z""# } ?? ""
        return #"{"class":"SKY","device":"/dev/a"\#(time)\#(fields),"satellites":[\#(list.joined(separator: ","))]}"#
    }

    /// Returns the report of a signal of a satellite.
    private static func signal(
        _ gnss: Int, _ number: Int, _ band: Int? = nil, _ strength: Double = 40, isUsed: Bool = true,
        place: String = #","el":30.0,"az":60.0"#
    ) -> String {
        let band = band.map { #","sigid":\#($0)"# } ?? ""
        return #"{"PRN":\#(gnss * 100 + number),"gnssid":\#(gnss),"svid":\#(number)\#(band)\#(place),"#
            + #""ss":\#(strength),"used":\#(isUsed)}"#
    }

    @Test func `a receiver of two bands has as many satellites as there are different ones, and more signals`() throws {
        let text = try String(contentsOfFile: SampleRecording.twoBands.path, encoding: .utf8)
        // The list by signals says that eight satellites are used, and the one of the sentences after it that four are.
        #expect(Self.skies(text).map(Self.counts).first == [10, 4, 14])
        for sky in Self.skies(text) where sky.satellites != nil {
            let satellites = try #require(sky.satellites)
            let names = satellites.map { "\($0.constellation?.name ?? "") \($0.number ?? 0)" }
            #expect(sky.seen == Set(names).count && sky.seen == sky.distinctSatellites?.count)
            let used = zip(names, satellites).compactMap { $1.isUsed ? $0 : nil }
            #expect(sky.used == Set(used).count && sky.used == sky.distinctSatellites?.count { $0.isUsed })
            #expect(sky.signals == satellites.count)
        }
    }

    @Test(arguments: SampleRecording.all + [SampleRecording.twoBands])
    func `a session that does not list satellites counts the same`(recording: SampleRecording) throws {
        let bytes = try Array(Data(contentsOf: URL(filePath: recording.path)))
        let (listed, counted) = (Self.skies(bytes), Self.skies(bytes, listsSatellites: false))
        #expect(listed.map(\.seen) == counted.map(\.seen))
        #expect(listed.map(\.used) == counted.map(\.used))
        #expect(counted.allSatisfy { $0.satellites == nil })
    }

    @Test func `in one epoch the list by signals counts, whether it comes before or after the one by satellites`() {
        let satellites = Self.sky(
            [Self.signal(0, 1, isUsed: false), Self.signal(0, 2), Self.signal(3, 9)], #","nSat":3,"uSat":2"#, second: 1)
        let signals = Self.sky(
            [Self.signal(0, 1, isUsed: false), Self.signal(0, 1, 7), Self.signal(0, 2), Self.signal(0, 2, 7)],
            #","nSat":4,"uSat":3"#, second: 1)
        for text in ["\(satellites)\n\(signals)\n", "\(signals)\n\(satellites)\n"] {
            #expect(Self.skies(text).map(Self.counts) == [[3, 3, 5]], "\(text)")
        }
    }

    @Test func `a list of NMEA with the numbers of signals has each satellite once, also without constellations`() {
        let bands = [(1, nil, true), (2, nil, false), (1, 7, false), (2, 7, false), (3, 7, true)]
        let named = bands.map { Self.signal(0, $0.0, $0.1, isUsed: $0.2) }
        let bare = bands.map { number, band, isUsed in
            #"{"PRN":\#(number)\#(band.map { #","sigid":\#($0)"# } ?? ""),"ss":40.0,"used":\#(isUsed)}"#
        }
        for list in [named, bare] {
            #expect(Self.skies(Self.sky(list, #","nSat":5,"uSat":2"#) + "\n").map(Self.counts) == [[3, 2, 5]])
        }
    }

    @Test func `two systems with the same numbers are different satellites`() {
        let list = [Self.signal(0, 5), Self.signal(2, 5), Self.signal(6, 5)]
        #expect(Self.skies(Self.sky(list) + "\n").map(Self.counts) == [[3, 3, 3]])
    }

    @Test func `the signals of a second band in a list of its own are added, and those of another protocol are not`() {
        let first = Self.sky([Self.signal(3, 34, nil, 41), Self.signal(3, 25, nil, 45, isUsed: false)])
        let second = Self.sky([Self.signal(3, 34, 4, 35, isUsed: false)])
        #expect(Self.skies("\(first)\n\(second)\n").map(Self.counts) == [[2, 1, 3]])
        // The E1 and E5b of Galileo are 3 and 4 in gpsd's reading of NMEA, and 0 and 4 in that of UBX.
        let sentences = Self.sky([Self.signal(2, 4, 3, 31), Self.signal(2, 4, 4, 18)])
        let messages = Self.sky([Self.signal(2, 4, nil, 18), Self.signal(2, 4, 4, 31)])
        #expect(Self.skies("\(sentences)\n\(messages)\n").map(Self.counts) == [[1, 1, 2]])
    }

    @Test func `the list that counts takes the places in the sky that only another one has`() throws {
        let satellites = Self.sky([Self.signal(0, 1)])
        let signals = Self.sky([Self.signal(0, 1, nil, 41, place: ""), Self.signal(0, 1, 7, 35, place: "")])
        for text in ["\(satellites)\n\(signals)\n", "\(signals)\n\(satellites)\n"] {
            let list = try #require(Self.skies(text).first?.satellites)
            #expect(list.map(\.signal) == [41, 35] && list.map(\.elevation) == [30, 30], "\(text)")
            #expect(list.map(\.azimuth) == [60, 60])
        }
    }

    @Test func `a satellite has the place of its first signal if a receiver writes zeros beside the second`() throws {
        let list = [Self.signal(0, 6, nil, 40), Self.signal(0, 6, 7, 45, place: #","el":0.0,"az":0.0"#)]
        let satellite = try #require(Self.skies(Self.sky(list) + "\n").first?.distinctSatellites?.first)
        #expect(satellite.signal == 45 && satellite.elevation == 30 && satellite.azimuth == 60)
    }

    @Test func `satellites without a number, which gpsd leaves out of its list, count if the list is by satellites`() {
        let list = [Self.signal(0, 1), Self.signal(0, 2, isUsed: false)]
        let unknown = Self.sky(list, #","nSat":5,"uSat":3"#)
        #expect(Self.skies(unknown + "\n").map(Self.counts) == [[5, 3, 2]])
        let signals = Self.sky(list + [Self.signal(0, 1, 7)], #","nSat":5,"uSat":3"#)
        #expect(Self.skies(signals + "\n").map(Self.counts) == [[2, 1, 3]])
    }

    @Test func `the count of a GGA, which ends at twelve, does not replace that of the list`() {
        let list = Self.sky((1...20).map { Self.signal(0, $0) }, #","nSat":20,"uSat":20"#)
        let count = #"{"class":"SKY","device":"/dev/a","hdop":0.62,"uSat":12}"#
        #expect(Self.skies("\(list)\n\(count)\n").map(Self.counts) == [[20, 20, 20]])
        #expect(Self.skies("\(list)\n\(count)\n").first?.dilution.horizontal == 0.62)
        let searching = Self.sky((1...20).map { Self.signal(0, $0, isUsed: false) }, #","nSat":20,"uSat":0"#)
        #expect(Self.skies("\(searching)\n\(count)\n").map(Self.counts) == [[20, 12, 20]], "none is marked yet")
    }

    @Test func `an entry that gpsd repeats within a list is one signal`() {
        let list = [Self.signal(0, 15, nil, 50), Self.signal(0, 16, nil, 32), Self.signal(0, 15, nil, 50)]
        #expect(Self.skies(Self.sky(list, #","nSat":3,"uSat":3"#) + "\n").map(Self.counts) == [[2, 2, 2]])
    }
}
