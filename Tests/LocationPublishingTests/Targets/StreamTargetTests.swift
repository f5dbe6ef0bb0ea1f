import Foundation
import LocationCore
import LocationPublishing
import Testing

@Suite struct StreamTargetTests {
    @Test func `a chart plotter gets GGA and RMC with checksums and line ends`() {
        let datagrams = NMEATarget().datagrams(for: Records.record())
        #expect(datagrams.count == 1)
        let lines = Records.text(datagrams[0]).components(separatedBy: "\r\n")
        #expect(lines.count == 3 && lines[2].isEmpty)
        #expect(lines[0].hasPrefix("$GPGGA,120000.250,4507.407407,N,00730.000000,W,1,12,"), "\(lines[0])")
        #expect(lines[1].hasPrefix("$GPRMC,120000.250,A,4507.407407,N,00730.000000,W,27.0"), "\(lines[1])")
        #expect(lines.allSatisfy { $0.utf8.count <= 80 })
    }

    @Test func `after a loss the sentences are void, so that no plotter keeps the position`() {
        let lines = Records.text(NMEATarget().datagrams(for: Records.record(.lost))[0]).components(separatedBy: "\r\n")
        let gga = lines[0].components(separatedBy: ",")
        let rmc = lines[1].components(separatedBy: ",")
        #expect(gga[2] == "" && gga[6] == "0")
        #expect(rmc[2] == "V" && rmc[3] == "")
    }

    @Test func `Cursor on Target has the height above the ellipsoid and the time at which it is stale`() {
        let datagrams = CursorOnTargetTarget(name: "van").datagrams(for: Records.record())
        #expect(
            datagrams.map(Records.text) == [
                #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?><event version="2.0" uid="locwatch-van""#
                    + #" type="a-f-G-U-C" how="m-g" time="2026-03-01T12:00:00.250Z" start="2026-03-01T12:00:00.250Z""#
                    + #" stale="2026-03-01T12:00:30.250Z"><point lat="45.1234568" lon="-7.5000000" hae="289.3" ce="4.2""#
                    + #" le="7.5"/><detail><contact callsign="van"/><track course="181.0" speed="13.9"/>"#
                    + #"<precisionlocation geopointsrc="GPS" altsrc="GPS"/></detail></event>"#
            ])
        #expect(CursorOnTargetTarget(name: "van").datagrams(for: Records.record(.lost)).isEmpty)
    }

    @Test func `hostile values make XML that parses`() {
        let target = CursorOnTargetTarget(name: Records.name)
        for datagram in target.datagrams(for: Records.hostile()) {
            #expect(XMLParsing.isValid(datagram), "\(Records.text(datagram))")
            #expect(Records.text(datagram).contains(#"hae="9999999.0" ce="9999999.0" le="9999999.0""#))
        }
        for datagram in NMEATarget().datagrams(for: Records.hostile()) {
            #expect(datagram.allSatisfy { $0 < 0x7F })
        }
    }
}

/// A check of XML by counting its brackets and quotes, because the parser of Foundation is another library.
private enum XMLParsing {
    static func isValid(_ bytes: [UInt8]) -> Bool {
        var isInside = false
        var isQuoted = false
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "<"):
                if isInside { return false }
                isInside = true
            case UInt8(ascii: ">"):
                if !isInside || isQuoted { return false }
                isInside = false
            case UInt8(ascii: "\""): if isInside { isQuoted.toggle() }
            case 0..<0x20: return false
            default: break
            }
        }
        return !isInside && !isQuoted
    }
}
