import Testing

@testable import LocationCore

@Suite struct GridTests {
    /// Tests/Oracles/grid_vectors.py writes the table.
    @Test func `UTM agrees with PROJ to 0.1 mm, MGRS with GEOTRANS to 1 m, and locators with another program`() throws {
        for fields in try oracleRows("grid_vectors.tsv") {
            let (latitude, longitude) = (try #require(Double(fields[0])), try #require(Double(fields[1])))
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            let place = UTMPosition(coordinate)
            #expect(MaidenheadLocator.text(of: coordinate) == fields[2], "\(coordinate)")
            // There are no more fields outside the grid.
            #expect(place?.zone == Int(fields[3]), "\(coordinate)")
            guard let place, let easting = Double(fields[4]), let northing = Double(fields[5]) else { continue }
            #expect(abs(place.easting - easting) < 1e-4 && abs(place.northing - northing) < 1e-4, "\(coordinate)")
            // Within a millimetre of the border between two metres, either reference is right.
            if [easting, northing].contains(where: { abs($0 - $0.rounded()) < 1e-3 }) { continue }
            #expect(GridReference.text(of: place) == fields[6], "\(coordinate)")
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
