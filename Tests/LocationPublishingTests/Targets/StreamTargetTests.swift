import Foundation
import FoundationXML
import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct NMEATargetTests {
    let target = NMEATarget()

    @Test func `an epoch has each usual sentence, with the values that are known`() {
        var location = Samples.location
        location.latitudeAccuracy = 3.92
        location.longitudeAccuracy = 1.96
        var sky = SkyView(satellites: [
            Satellite(constellation: .gps, number: 5, elevation: 45, azimuth: 120, signal: 40, isUsed: true),
            Satellite(constellation: .glonass, number: 6, elevation: 20, azimuth: 359.8),
            Satellite(constellation: .galileo, number: 3, elevation: 10, azimuth: 10, signal: 30, isUsed: true),
        ])
        sky.dilution.horizontal = 0.9
        sky.dilution.vertical = 1.4
        sky.dilution.position = 1.7
        let record = PublishRecord(.moved, created: Samples.time, location: location, sky: sky)
        #expect(
            target.datagrams(for: record).map(text) == [
                "$GNGGA,092725.400,4503.000000,N,00740.800000,E,1,02,0.90,241.300,M,48.000,M,,*77\r\n",
                "$GNGSA,A,3,05,,,,,,,,,,,,1.70,0.90,1.40,1*0E\r\n",
                "$GNGSA,A,3,303,,,,,,,,,,,,1.70,0.90,1.40,3*39\r\n",
                "$GPGSV,1,1,01,05,45,120,40,0*57\r\n",
                "$GLGSV,1,1,01,70,20,000,,0*4D\r\n",
                "$GAGSV,1,1,01,03,10,010,30,0*45\r\n",
                "$GNVTG,181.40,T,,,7.581,N,14.040,K,A*58\r\n",
                "$GNGST,092725.400,,,,,2.00,1.00,3.83*4D\r\n",
                "$GNZDA,092725.400,20,03,2026,00,00*40\r\n",
                "$GNRMC,092725.400,A,4503.000000,N,00740.800000,E,7.581,181.40,200326,,,A*44\r\n",
            ])
    }

    @Test(arguments: [Samples.record(.lost), Samples.record(.lost, nil), Samples.record(.moved, nil)])
    func `after a loss all are void and without a time, or a chart would keep the position`(record: PublishRecord) {
        #expect(
            target.datagrams(for: record).map(text) == [
                "$GPGGA,,,,,,0,,,,,,,,*66\r\n",
                "$GPGSA,A,1,,,,,,,,,,,,,,,,*32\r\n",
                "$GPVTG,,,,,,,,,N*30\r\n",
                "$GPRMC,,V,,,,,,,,,,N*53\r\n",
            ])
    }

    @Test func `only the chosen sentences are sent`() {
        let target = NMEATarget([.rmc, .gga, .gll])
        #expect(target.datagrams(for: Samples.record()).map { text($0).prefix(6) } == ["$GPGGA", "$GPGLL", "$GPRMC"])
        #expect(
            target.datagrams(for: Samples.record(.lost)).map { text($0).prefix(6) } == ["$GPGGA", "$GPGLL", "$GPRMC"])
    }

    @Test func `an event at a fence changes nothing`() {
        let record = Samples.record(.fence(.exit, name: "x"))
        for target: any StreamTarget in [
            target, FileTarget(nil), CursorOnTargetTarget(callsign: "pi", interval: .zero),
        ] {
            #expect(target.datagrams(for: record).isEmpty)
        }
    }

    @Test func `no sentence is longer than 82 bytes, with numbers of any kind`() {
        let sentences = Samples.hostileRecords.flatMap { target.datagrams(for: $0) }
        #expect(!sentences.isEmpty)
        for sentence in sentences {
            #expect(sentence.count <= 82)
            #expect(sentence.suffix(2) == [13, 10] && sentence.first == UInt8(ascii: "$"))
            #expect(sentence.dropLast(2).allSatisfy { 0x20..<0x7F ~= $0 })
            let checksum = sentence.dropFirst().dropLast(5).reduce(0, ^)
            #expect(text(Array(sentence.suffix(5).prefix(3))) == String(format: "*%02X", checksum))
        }
    }

    @Test func `a sentence that is too long without decimals loses values`() {
        var location = Samples.location
        location.altitudeMSL = 12_345_678
        location.geoidSeparation = -1234.5
        location.speed = 1e15
        location.magneticVariation = -12.5
        location[.dgpsAge] = 1.5
        location[count: .dgpsStation] = 42
        location.quality = .rtkFixed
        let sentences = target.datagrams(for: Samples.record(.moved, location, used: 12)).map(text)
        #expect(sentences.first?.contains(",4,12,,12345678.0,M,-1234.5,M,,*") == true, "\(sentences)")
        #expect(sentences.last?.contains(",E,1943844492440604.8,,200326,,,R*") == true, "\(sentences)")
    }
}

@Suite struct CursorOnTargetTargetTests {
    let target = CursorOnTargetTarget(callsign: "pi", interval: .seconds(10))

    @Test func `a position is one event`() {
        #expect(
            target.datagrams(for: Samples.record()).map(text) == [
                #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><event version="2.0" uid="locwatch-pi" "#
                    + #"type="a-f-G-U-C" how="m-g" time="2026-03-20T09:27:25.400Z" "#
                    + #"start="2026-03-20T09:27:25.400Z" stale="2026-03-20T09:27:55.400Z">"#
                    + #"<point lat="45.05" lon="7.68" hae="289.3" ce="4.2" le="7.5"/>"#
                    + #"<detail><contact callsign="pi"/><track course="181.4" speed="3.9"/>"#
                    + #"<precisionlocation geopointsrc="GPS" altsrc="GPS"/></detail></event>"#
            ])
    }

    @Test func `unknown errors and heights are the number that stands for unknown`() {
        let event = target.datagrams(for: Samples.record(.found, Samples.bare(90, 180))).map(text).first ?? ""
        #expect(event.contains(#"<point lat="90.0" lon="180.0" hae="9999999.0" ce="9999999.0" le="9999999.0"/>"#))
        #expect(!event.contains("<track"))
    }

    @Test func `the height above the ellipsoid is computed if it was not reported`() {
        var location = Samples.location
        location.altitudeHAE = nil
        #expect(
            target.datagrams(for: Samples.record(.moved, location)).map(text).first?.contains(#"hae="289.3""#) == true)
        location.geoidSeparation = nil
        #expect(
            target.datagrams(for: Samples.record(.moved, location)).map(text).first?.contains(#"hae="9999999.0""#)
                == true)
    }

    @Test func `a loss has no event, so that the position becomes stale`() {
        #expect(target.datagrams(for: Samples.record(.lost)).isEmpty)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func `any interval makes a time`(interval: Duration) {
        let target = CursorOnTargetTarget(callsign: "a", interval: interval)
        #expect(target.datagrams(for: Samples.record()).count == 1)
    }

    @Test(arguments: Samples.hostileNames)
    func `every event is well-formed, with numbers and names of any kind`(name: String) throws {
        let target = CursorOnTargetTarget(callsign: name, interval: .seconds(1))
        for location in Samples.hostileLocations {
            let event = try #require(target.datagrams(for: Samples.record(.moved, location)).first)
            #expect(XMLParser(data: Data(event)).parse(), "\(text(event))")
        }
    }
}

@Suite struct FileTargetTests {
    @Test func `a position is its JSON, or the text of a template with visible characters`() throws {
        var location = Samples.location
        location.device = "/dev/tty\u{1b}A"
        let record = Samples.record(.moved, location)
        #expect(FileTarget(nil).datagrams(for: record) == [RecordJSON.encode(record) + [0x0A]])
        let target = FileTarget(try PublishTemplate(#"%{lat:.3}\t%{device}"#))
        #expect(target.datagrams(for: record).map(text) == ["45.050\t/dev/tty\\x1bA\n"])
    }

    @Test(arguments: [Samples.record(.lost), Samples.record(.lost, nil), Samples.record(.moved, nil)])
    func `a loss has no position, not even the last one`(record: PublishRecord) throws {
        let json = FileTarget(nil).datagrams(for: record).map(text)
        #expect(json.count == 1 && json[0].hasPrefix(#"{"event":"lost","#) && !json[0].contains("lat"))
        #expect(FileTarget(try PublishTemplate("%{lat}")).datagrams(for: record) == [[]])
    }
}
