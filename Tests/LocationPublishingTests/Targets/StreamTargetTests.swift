import Foundation
import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct NMEATargetTests {
    let target = NMEATarget()

    @Test func `a position is a GGA and an RMC`() {
        #expect(
            target.datagrams(for: Samples.record(used: 9)).map(text) == [
                "$GPGGA,092725.400,4503.000000,N,00740.800000,E,1,09,,241.300,M,48.000,M,,*75\r\n",
                "$GPRMC,092725.400,A,4503.000000,N,00740.800000,E,7.581,181.40,200326,,,A*5A\r\n",
            ])
    }

    @Test(arguments: [Samples.record(.lost), Samples.record(.lost, nil), Samples.record(.moved, nil)])
    func `after a loss both are void, or a chart would keep the position`(record: PublishRecord) {
        #expect(
            target.datagrams(for: record).map(text) == [
                "$GPGGA,092725.400,,,,,0,,,,,,,,*77\r\n", "$GPRMC,092725.400,V,,,,,,,200326,,,N*47\r\n",
            ])
    }

    @Test func `an event at a fence has no sentence`() {
        #expect(target.datagrams(for: Samples.record(.fence(.exit, name: "x"))).isEmpty)
    }

    @Test func `no sentence is longer than 82 bytes, with numbers of any kind`() {
        for record in Samples.hostileRecords {
            for sentence in target.datagrams(for: record) {
                #expect(sentence.count <= 82)
                #expect(sentence.suffix(2) == [13, 10] && sentence.first == UInt8(ascii: "$"))
                #expect(sentence.dropLast(2).allSatisfy { 0x20..<0x7F ~= $0 })
                let checksum = sentence.dropFirst().dropLast(5).reduce(0, ^)
                #expect(text(Array(sentence.suffix(5).prefix(3))) == String(format: "*%02X", checksum))
            }
        }
    }

    @Test func `what makes a sentence too long is left out`() {
        var location = Samples.location
        location.altitudeMSL = 12_345_678
        location.geoidSeparation = -1234.5
        location.speed = 1e15
        let sentences = target.datagrams(for: Samples.record(.moved, location, used: 12)).map(text)
        #expect(sentences.first?.contains(",12,,12345678.000,M,,,,*") == true)
        #expect(sentences.last?.contains(",E,,,200326,,,A*") == true)
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
        #expect(target.datagrams(for: Samples.record(.fence(.enter, name: "x"))).isEmpty)
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.max)])
    func `any interval makes a time`(interval: Duration) {
        let target = CursorOnTargetTarget(callsign: "a", interval: interval)
        #expect(target.datagrams(for: Samples.record()).count == 1)
    }

    @Test(arguments: Samples.hostileNames)
    func `every event is well-formed, with numbers and names of any kind`(name: String) throws {
        let target = CursorOnTargetTarget(callsign: name, type: name, interval: .seconds(1))
        for location in Samples.hostileLocations {
            let event = try #require(target.datagrams(for: Samples.record(.moved, location)).first)
            #expect(Elements(event).names == ["event", "point", "detail", "contact"] + Elements(event).rest)
        }
    }
}

/// The names of the elements of an XML text, and whether its quotes and brackets match.
private struct Elements {
    var names: [String] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")), let close = rest.firstIndex(of: UInt8(ascii: ">")) {
            let tag = text(Array(rest[(open + 1)..<close]))
            rest = rest[(close + 1)...]
            guard tag.utf8.filter({ $0 == UInt8(ascii: "\"") }).count.isMultiple(of: 2),
                tag.unicodeScalars.allSatisfy({ $0.value >= 0x20 })
            else { return }
            if !tag.hasPrefix("?"), !tag.hasPrefix("/") { names.append(String(tag.prefix { $0.isLetter })) }
        }
    }

    /// The names after the first four, if they are those that may follow.
    var rest: [String] {
        let rest = Array(names.dropFirst(4))
        return rest == ["precisionlocation"] || rest == ["track", "precisionlocation"] ? rest : ["malformed"]
    }
}
