import TestSupport
import Testing

@testable import LocationCore

@Suite struct PlaceCodeTests {
    /// Tests/Oracles/place_codes.py writes the table.
    @Test func `codes and their middles agree with programs of others`() throws {
        for fields in try oracleRows("place_codes.tsv") {
            let place = try #require(coordinate(fields[0], fields[1]))
            #expect(PlusCode.text(of: place) == fields[2], "\(place)")
            #expect(PlusCode.text(of: place, length: 11) == fields[3], "\(place)")
            #expect(try distance(fields[3], from: coordinate(fields[4], fields[5])) < 1e-6, "\(place)")
            #expect(Geohash.text(of: place) == fields[6], "\(place)")
            #expect(try distance("geohash:\(fields[6])", from: coordinate(fields[7], fields[8])) < 1e-6, "\(place)")
            // Either case of the last pair is a locator.
            let locator = MaidenheadLocator.text(of: place, length: 10)
            #expect(locator.lowercased() == fields[9].lowercased(), "\(place)")
            guard let corner = coordinate(fields[11], fields[12]) else { continue }
            // The other program returns the corner, and here it is the middle of a square metre.
            #expect(try distance(fields[10], from: corner) < 1, "\(place)")
        }
    }

    private func coordinate(_ latitude: String, _ longitude: String) -> Coordinate? {
        guard let latitude = Double(latitude), let longitude = Double(longitude) else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    private func distance(_ text: String, from place: Coordinate?) throws -> Double {
        try PlaceText.read(text).distance(to: #require(place))
    }

    @Test(
        arguments: [
            (20.375, 2.775, 6, "7FG49Q00+"), (20.3700625, 2.7821875, 10, "7FG49QCJ+2V"),
            (20.3701125, 2.782234375, 11, "7FG49QCJ+2VX"), (20.3701135, 2.78223535156, 13, "7FG49QCJ+2VXGJ"),
            (-41.2730625, 174.7859375, 10, "4VCPPQGP+Q9"), (0.5, -179.5, 4, "62G20000+"), (90, 1, 4, "CFX30000+"),
            (90, 1, 10, "CFX3X2X2+X2"), (1, 180, 4, "62H20000+"), (-90, -180, 2, "22000000+"),
        ] as [(Double, Double, Int, String)])
    func `plus codes are those of the specification, at the pole and the date line too`(
        _ latitude: Double, _ longitude: Double, _ length: Int, _ code: String
    ) {
        #expect(PlusCode.text(of: Coordinate(latitude: latitude, longitude: longitude), length: length) == code)
    }

    @Test(arguments: PlaceCode.allCases)
    func `a code of each length stands for a rectangle that has the place in it`(code: PlaceCode) throws {
        var generator = SplitMix64(seed: 5)
        var places = (0..<200).map { _ in
            Coordinate(
                latitude: .random(in: -90...90, using: &generator),
                longitude: .random(in: -180...180, using: &generator))
        }
        places += [(90, 180), (-90, -180), (90, -180), (-90, 180), (0, 0), (89.9999999, 179.9999999)]
            .map { Coordinate(latitude: $0, longitude: $1) }
        for length in code.lengths {
            for place in places {
                let text = code.text(of: place, length: length)
                let area =
                    switch code {
                    case .geohash: try Geohash.area(of: text)
                    case .maidenhead: try MaidenheadLocator.area(of: text)
                    case .pluscode: try PlusCode.area(of: text)
                    }
                // The date line is the western edge of the first rectangle and the eastern one of the last.
                let east = (place.longitude - area.west).truncatingRemainder(dividingBy: 360)
                let slack = 1e-9
                #expect(-slack...area.height + slack ~= place.latitude - area.south, "\(text) \(place)")
                #expect(-slack...area.width + slack ~= east, "\(text) \(place)")
                #expect(code.text(of: area.center, length: length) == text)
            }
        }
    }

    @Test(arguments: [(0.0, 0.0, "s0000"), (45, 90, "y0000"), (-45, -90, "60000")] as [(Double, Double, String)])
    func `a place on the border of two geohashes has the one in the northeast`(
        latitude: Double, longitude: Double, code: String
    ) {
        #expect(Geohash.text(of: Coordinate(latitude: latitude, longitude: longitude), length: 5) == code)
    }

    @Test func `UTM and MGRS lead back to the place, over the whole grid`() throws {
        let (rows, columns) = (97, 116)
        // Steps that share no factor with the number of places lead to places all over the grid.
        for step in 0..<Coverage.cases(rows * columns) {
            let number = step * 4999 % (rows * columns)
            let place = Coordinate(
                latitude: -79.9 + 1.7 * Double(number / columns), longitude: -179.9 + 3.1 * Double(number % columns))
            let grid = try #require(UTMPosition(place))
            #expect(try #require(grid.coordinate()).distance(to: place) < 1e-5, "\(place)")
            #expect(try PlaceText.read(grid.text).distance(to: place) < 0.71, "\(place)")
            let reference = GridReference.text(of: grid)
            #expect(try PlaceText.read(reference).distance(to: place) < 0.72, "\(reference)")
            #expect(try PlaceText.read(reference.lowercased()).distance(to: place) < 0.72, "\(reference)")
        }
    }
}
