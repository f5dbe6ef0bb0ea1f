import Testing

@testable import LocationCore

/// A coordinate with its grid references; Tests/Oracles/grid_vectors.py writes the table.
private struct GridVector {
    var coordinate: Coordinate
    var maidenhead: String
    /// The UTM position and the MGRS reference, or `nil` outside the grid.
    var utm: (zone: Int, easting: Double, northing: Double, mgrs: String)?

    static func table() throws -> [GridVector] {
        try oracleRows("grid_vectors.tsv").map { fields in
            let (latitude, longitude) = (try #require(Double(fields[0])), try #require(Double(fields[1])))
            var vector = GridVector(
                coordinate: Coordinate(latitude: latitude, longitude: longitude), maidenhead: fields[2])
            if let zone = Int(fields[3]), let easting = Double(fields[4]), let northing = Double(fields[5]) {
                vector.utm = (zone, easting, northing, fields[6])
            }
            return vector
        }
    }
}

@Suite struct GridTests {
    @Test func `UTM agrees with PROJ to a tenth of a millimetre`() throws {
        for vector in try GridVector.table() {
            let place = UTMPosition(vector.coordinate)
            #expect(place?.zone == vector.utm?.zone, "\(vector.coordinate)")
            guard let place, let utm = vector.utm else { continue }
            #expect(abs(place.easting - utm.easting) < 1e-4, "\(vector.coordinate)")
            #expect(abs(place.northing - utm.northing) < 1e-4, "\(vector.coordinate)")
        }
    }

    @Test func `MGRS references agree with GEOTRANS to the metre`() throws {
        for vector in try GridVector.table() {
            let reference = UTMPosition(vector.coordinate)?.mgrs
            guard let utm = vector.utm else {
                #expect(reference == nil)
                continue
            }
            // Within a millimetre of the border between two metres, either reference is right.
            if [utm.easting, utm.northing].contains(where: { abs($0 - $0.rounded()) < 1e-3 }) { continue }
            #expect(reference == utm.mgrs, "\(vector.coordinate)")
        }
    }

    @Test func `Maidenhead locators agree with another program`() throws {
        for vector in try GridVector.table() {
            #expect(vector.coordinate.maidenhead == vector.maidenhead, "\(vector.coordinate)")
        }
    }

    @Test(
        arguments: [
            (90.0, 0.0, "JR09ax", nil), (-90, 180, "AA00aa", nil), (0, 180, "AJ00aa", "01N 166021 0"),
            (0, -180, "AJ00aa", "01N 166021 0"), (84, 0, "JR04aa", "31X 465005 9329005"),
            (-80, 0, "JB00aa", "31C 441868 1116915"), (84.0000001, 0, "JR04aa", nil),
        ] as [(Double, Double, String, String?)])
    func `the poles, the date line and the limits of the grid are handled`(
        _ latitude: Double, _ longitude: Double, _ locator: String, _ utm: String?
    ) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(place.maidenhead == locator)
        #expect(UTMPosition(place)?.text == utm)
    }
}
