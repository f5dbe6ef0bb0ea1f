import LocationCore
import Testing

/// Sentences whose text was written by hand; pynmea2 reads more of them in the tests of tracks.
@Suite struct NMEAEncoderTests {
    private let encoder = NMEAEncoder(Set(NMEASentenceType.allCases))
    private let time = Timestamp("2026-11-20T08:56:59.1239Z")

    private func text(_ sentences: [NMEASentence]) -> [String] {
        sentences.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private var location: Location {
        var location = Location(
            coordinate: Coordinate(latitude: -33.8, longitude: -151.2), timestamp: time, altitudeMSL: 12.3456,
            speed: 51.4444, course: 90.126)
        location.quality = .rtkFloat
        location.geoidSeparation = -23.4
        location.magneticVariation = -12.5
        (location.latitudeAccuracy, location.longitudeAccuracy, location.verticalAccuracy) = (3.92, 1.96, 5.88)
        (location[.dgpsAge], location[count: .dgpsStation]) = (1.54, 42)
        (location[.errorEllipseMajor], location[.errorEllipseMinor]) = (2.5, 1.25)
        location[.errorEllipseOrientation] = 33.3
        (location.heading, location.headingMagnetic, location.rateOfTurn) = (77.63, 90.13, -3.27)
        return location
    }

    @Test func `an epoch has each value in its sentences, which a long one rounds`() {
        let first = Satellite(constellation: .gps, number: 3, elevation: 39.6, azimuth: 359.6, signal: 46, isUsed: true)
        let satellites =
            [
                first, Satellite(constellation: .glonass, number: 7, elevation: 10, azimuth: 350, isUsed: true),
                Satellite(prn: 70), Satellite(constellation: .gps, number: 5, elevation: 91, isUsed: true),
            ]
            + [(.gps, 7, false), (.gps, 9, false), (.sbas, 123, false)].map(satellite)
            // The second signal of a satellite is left out, and so is one without a number in NMEA.
            + [first] + [(.imes, 1, true), (.galileo, 5, true), (.beidou, 12, true)].map(satellite)
            + [(.qzss, 2, true), (.navic, 4, true)].map(satellite)
        var dilution = DilutionOfPrecision()
        (dilution.position, dilution.horizontal, dilution.vertical) = (2.34, 1.26, 200)
        let sentences = encoder.sentences(location, used: 12, satellites: satellites, dilution: dilution)
        let expected = [
            "$GNGGA,085659.123,3348.00000,S,15112.00000,W,5,12,1.3,12.3,M,-23.4,M,1.5,0042*71",
            "$GNGSA,A,3,03,05,,,,,,,,,,,2.34,1.26,99.99,1*37",
            "$GNGSA,A,3,71,,,,,,,,,,,,2.34,1.26,99.99,2*34",
            "$GNGSA,A,3,305,,,,,,,,,,,,2.34,1.26,99.99,3*05",
            "$GNGSA,A,3,412,,,,,,,,,,,,2.34,1.26,99.99,4*03",
            "$GNGSA,A,3,02,,,,,,,,,,,,2.34,1.26,99.99,5*37",
            "$GNGSA,A,3,04,,,,,,,,,,,,2.34,1.26,99.99,6*32",
            "$GPGSV,2,1,05,03,40,000,46,05,,,,07,,,,09,,,,0*5D", "$GPGSV,2,2,05,36,,,,0*65",
            "$GLGSV,1,1,02,71,10,350,,70,,,,0*4D", "$GAGSV,1,1,01,05,,,,0*70", "$GBGSV,1,1,01,12,,,,0*75",
            "$GQGSV,1,1,01,02,,,,0*67", "$GIGSV,1,1,01,04,,,,0*79", "$GNVTG,90.13,T,102.63,M,100.000,N,185.200,K,F*08",
            "$GNGLL,3348.000000,S,15112.000000,W,085659.123,A,F*42",
            "$GNGST,085659.123,,2.50,1.25,33.3,2.00,1.00,3.00*52", "$GNZDA,085659.123,20,11,2026,00,00*4B",
            "$GNHDT,77.63,T*2E", "$GNHDM,90.13,M*20", "$GNROT,-3.3,A*02",
            "$GNRMC,085659.123,A,3348.000000,S,15112.000000,W,100.00,90.13,201126,12.5,W,F*06",
        ]
        #expect(text(sentences) == expected.map { "\($0)\r\n" })
    }

    @Test func `an attitude has a sentence for each value that a receiver can have`() {
        let attitude = Attitude(heading: 360, headingMagnetic: 0, pitch: 3, roll: 4, rateOfTurn: 0)
        let sentences = ["$GPHDT,360.00,T*00\r\n", "$GPHDM,0.00,M*05\r\n", "$GPROT,0.0,A*31\r\n"]
        #expect(text(encoder.sentences(attitude)) == sentences)
        let impossible = Attitude(heading: 14_223, headingMagnetic: -1, pitch: 169, rateOfTurn: 1e9)
        #expect(encoder.sentences(impossible).isEmpty && encoder.sentences(Attitude(pitch: 3)).isEmpty)
        #expect(text(NMEAEncoder([.hdm]).sentences(attitude)) == ["$GPHDM,0.00,M*05\r\n"])
    }

    @Test func `a magnetic course is from 0 to 360 degrees`() {
        var location = location
        (location.course, location.magneticVariation) = (5, 12.5)
        let sentence = text([.vtg(NMEAPosition(location, used: nil, hdop: nil))])[0]
        #expect(sentence.hasPrefix("$GPVTG,5.00,T,352.50,M,"))
    }

    @Test func `a sentence has as many decimals as fit into 82 bytes`() {
        var location = location
        location.geoidSeparation = 23.4
        let expected = "$GNGGA,085659.123,3348.00000,S,15112.00000,W,5,12,1.26,12.3,M,23.4,M,1.5,0042*6B"
        #expect(text([.gga(NMEAPosition(location, used: 12, hdop: 1.26), from: .combined)]) == ["\(expected)\r\n"])
        location.geoidSeparation = nil
        let short = "$GNGGA,085659.123,3348.000000,S,15112.000000,W,5,12,1.26,12.346,M,,,1.5,0042*3F"
        #expect(text([.gga(NMEAPosition(location, used: 12, hdop: 1.26), from: .combined)]) == ["\(short)\r\n"])
    }

    private func satellite(_ constellation: Constellation, _ number: Int, _ isUsed: Bool) -> Satellite {
        Satellite(constellation: constellation, number: number, isUsed: isUsed)
    }

    @Test func `an unknown value is an empty field`() {
        var location = Location(coordinate: Coordinate(latitude: 45.0736, longitude: 7.68), fix: .twoD, altitudeMSL: 3)
        location.quality = .differential
        var dilution = DilutionOfPrecision()
        (dilution.position, dilution.horizontal, dilution.vertical) = (2, 1.5, 3)
        let flat = [
            "$GPGGA,,4504.416000,N,00740.800000,E,2,,1.50,,,,,,*48", "$GPGSA,A,2,,,,,,,,,,,,,,1.50,,*2B",
            "$GPGSV,1,1,00,0*65", "$GPVTG,,,,,,,,,D*3A", "$GPGLL,4504.416000,N,00740.800000,E,,A,D*4F",
            "$GPRMC,,A,4504.416000,N,00740.800000,E,,,,,,D*78",
        ]
        let sentences = encoder.sentences(location, used: nil, satellites: [], dilution: dilution)
        #expect(text(sentences) == flat.map { "\($0)\r\n" })
    }

    @Test func `an epoch without a position is void`() {
        let void = [
            "$GPGGA,085659.123,,,,,0,,,,,,,,*7F", "$GPGSA,A,1,,,,,,,,,,,,,,,,*32", "$GPVTG,,,,,,,,,N*30",
            "$GPGLL,,,,,085659.123,V,N*7D", "$GPZDA,085659.123,20,11,2026,00,00*55",
            "$GPRMC,085659.123,V,,,,,,,201126,,,N*4C",
        ]
        #expect(text(encoder.void(at: time)) == void.map { "\($0)\r\n" })
    }
}
