import Testing

@testable import LocationCore

@Suite struct GridTests {
    /// A place, with what other programs make of it; Tests/Oracles/grid_vectors.py writes the table.
    private struct Row {
        let coordinate: Coordinate
        let locator: String
        let zone: Int
        let easting: Double
        let northing: Double
        let reference: String

        init(_ fields: [String]) throws {
            coordinate = Coordinate(
                latitude: try #require(Double(fields[0])), longitude: try #require(Double(fields[1])))
            (locator, zone) = (fields[2], try #require(Int(fields[3])))
            (easting, northing) = (try #require(Double(fields[4])), try #require(Double(fields[5])))
            reference = fields[6]
        }
    }

    private static func rows() throws -> [Row] { try oracleRows("grid_vectors.tsv").map(Row.init) }

    @Test func `UTM agrees with PROJ to 0.1 mm`() throws {
        for row in try Self.rows() {
            let place = try #require(UTMPosition(row.coordinate), "\(row)")
            #expect(place.zone == row.zone, "\(row)")
            #expect(abs(place.easting - row.easting) < 1e-4 && abs(place.northing - row.northing) < 1e-4, "\(row)")
        }
    }

    @Test func `MGRS agrees with GEOTRANS to 1 m`() throws {
        for row in try Self.rows() {
            let place = try #require(UTMPosition(row.coordinate), "\(row)")
            // Within a millimetre of the border between two metres, either reference is right.
            if [row.easting, row.northing].contains(where: { abs($0 - $0.rounded()) < 1e-3 }) { continue }
            #expect(GridReference.text(of: place) == row.reference, "\(row)")
        }
    }

    @Test func `locators agree with another program`() throws {
        for row in try Self.rows() {
            #expect(MaidenheadLocator.text(of: row.coordinate) == row.locator, "\(row.coordinate)")
        }
    }

    @Test(
        arguments: [
            (90.0, 0.0, "JR09ax", nil), (-90, 180, "AA00aa", nil), (0, 180, "AJ00aa", "01N 166021 0"),
            (0, -180, "AJ00aa", "01N 166021 0"), (84, 0, "JR04aa", "31X 465005 9329005"),
            (-80, 0, "JB00aa", "31C 441868 1116915"), (84.0000001, 0, "JR04aa", nil),
            (-1e-15, 180.0.nextDown, "AJ00aa", "01N 166021 0"),
        ] as [(Double, Double, String, String?)])
    func `the poles, the date line and the limits of the grid are handled`(
        _ latitude: Double, _ longitude: Double, _ locator: String, _ utm: String?
    ) {
        let place = Coordinate(latitude: latitude, longitude: longitude)
        #expect(MaidenheadLocator.text(of: place) == locator)
        #expect(UTMPosition(place)?.text == utm)
    }
}
