import GPSDSimulation
import TestSupport
import Testing

/// Tests of the NMEA sentences that a stand-in makes from a recording's reports.
struct StandInSentencesTests {
    private static let sky =
        #"{"class":"SKY","device":"/dev/ttyUSB0","hdop":0.90,"vdop":1.40,"pdop":1.70,"satellites":["#
        + #"{"PRN":5,"gnssid":0,"svid":5,"el":45.0,"az":120.0,"ss":40.0,"used":true},"#
        + #"{"PRN":70,"gnssid":6,"svid":6,"el":20.0,"az":359.8,"ss":0.0,"used":false},"#
        + #"{"PRN":303,"gnssid":2,"svid":3,"az":10.0,"ss":33.4,"used":true}]}"#

    private func sentences(
        of reports: [String], _ watch: String = #"{"enable":true,"nmea":true}"#, count: Int, redates: Bool = false
    ) throws -> [String] {
        let standIn = try byHand(reports) { $0.redates = redates }
        let client = try SocketClient.watching(standIn.port, "?WATCH=\(watch);")
        standIn.sendRest()
        let lines = client.lines(count)
        #expect(client.isQuiet)
        return lines
    }

    /// Returns sentences without their checksums, which must be right.
    private func bodies(of sentences: [String]) -> [String] {
        sentences.map { sentence in
            let parts = sentence.split(separator: "*")
            #expect(
                parts.count == 2 && Int(parts[1], radix: 16) == parts[0].utf8.dropFirst().reduce(0) { $0 ^ Int($1) })
            return String(parts[0])
        }
    }

    @Test(arguments: [#"{"enable":true,"nmea":true}"#, #"{"enable":true,"raw":1}"#, #"{"enable":true,"raw":2}"#])
    func `a client that watches NMEA or raw data receives sentences made from the reports`(watch: String) throws {
        #expect(
            try bodies(of: sentences(of: [Self.sky, RecordedText.position(7)], watch, count: 10)) == [
                "$GPGSV,1,1,01,05,45,120,40,0", "$GLGSV,1,1,01,70,20,000,,0", "$GAGSV,1,1,01,03,,010,33,0",
                "$GNGGA,080007.000,4504.417020,N,00740.825860,E,1,02,0.90,263.900,M,,,,",
                "$GNGSA,A,3,05,,,,,,,,,,,,1.70,0.90,1.40,1", "$GNGSA,A,3,303,,,,,,,,,,,,1.70,0.90,1.40,3",
                "$GNVTG,142.30,T,,,2.333,N,4.320,K,A", "$GNGST,080007.000,,,,,,,4.69",
                "$GNZDA,080007.000,01,03,2026,00,00",
                "$GNRMC,080007.000,A,4504.417020,N,00740.825860,E,2.333,142.30,010326,,,A",
            ])
    }

    @Test func `the report of an attitude gives the sentences of its values`() throws {
        let report = #"{"class":"ATT","device":"/dev/ttyUSB0","heading":244.280,"mheading":241.5,"rot":-3.7,"pitch":1}"#
        let impossible = #"{"class":"ATT","device":"/dev/ttyUSB0","heading":14223.000,"pitch":169.000}"#
        #expect(
            try bodies(of: sentences(of: [impossible, report], count: 3)) == [
                "$GPHDT,244.28,T", "$GPHDM,241.50,M", "$GPROT,-3.7,A",
            ])
    }

    @Test func `the sentences of a report without a fix hold no position`() throws {
        let report = #"{"class":"TPV","device":"/dev/ttyUSB0","mode":1,"time":"2026-03-01T08:00:07.000Z"}"#
        #expect(
            try bodies(of: sentences(of: [report], count: 5)) == [
                "$GPGGA,080007.000,,,,,0,,,,,,,,", "$GPGSA,A,1,,,,,,,,,,,,,,,,", "$GPVTG,,,,,,,,,N",
                "$GPZDA,080007.000,01,03,2026,00,00", "$GPRMC,080007.000,V,,,,,,,010326,,,N",
            ])
    }

    @Test func `a recording's own sentences are sent unless its times are shifted`() throws {
        let sentence = "$GPGGA,080000.00,4504.4,N,00740.8,E,1,09,1.0,239.0,M,48.0,M,,*68"
        #expect(try sentences(of: [sentence, RecordedText.position(0)], count: 1) == [sentence])
        let remade = try sentences(of: [sentence, RecordedText.position(0)], count: 6, redates: true)
        #expect(remade.first?.hasPrefix("$GPGGA,080000.123,") == true)
        #expect(remade.last?.contains(",150127,") == true)
    }

    @Test func `a client receives only the sentences of its device, and none if it watches JSON`() throws {
        let reports = [RecordedText.position(0, device: "/dev/ttyACM1"), RecordedText.position(1)]
        let watch = #"{"enable":true,"nmea":true,"device":"/dev/ttyUSB0"}"#
        #expect(try sentences(of: reports, watch, count: 6).first?.hasPrefix("$GPGGA,080001.000,") == true)
        #expect(try sentences(of: reports, #"{"enable":true,"json":true}"#, count: 2) == reports)
    }
}
