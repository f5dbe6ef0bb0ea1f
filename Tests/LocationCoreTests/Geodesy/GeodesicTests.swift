import Foundation
import TestSupport
import Testing

@testable import LocationCore

@Suite struct GeodesicTests {
    @Test(arguments: GeodesicVector.classes)
    func `distances match GeographicLib to a hundredth of a millimetre`(kind: String) throws {
        for vector in try #require(GeodesicVector.table.get()[kind]) {
            #expect(abs(vector.start.distance(to: vector.end) - vector.distance) < 1e-5, "\(vector)")
            #expect(abs(vector.end.distance(to: vector.start) - vector.distance) < 1e-5, "\(vector)")
            #expect(abs(Geodesic(from: vector.start, to: vector.end).distance - vector.distance) < 1e-5, "\(vector)")
        }
    }

    // Antipodal points have several shortest paths, and coincident points have no direction.
    @Test(arguments: GeodesicVector.classes.filter { !["antipodal", "equatorial", "coincident"].contains($0) })
    func `bearings match GeographicLib to a hundredth of a millimetre at the far end`(kind: String) throws {
        for vector in try #require(GeodesicVector.table.get()[kind]) {
            let geodesic = Geodesic(from: vector.start, to: vector.end)
            let lever = min(vector.distance, 1e6)
            #expect(radiansApart(geodesic.initialBearing, vector.initial) * lever < 1e-5, "\(vector)")
            #expect(vector.start.bearing(to: vector.end) == geodesic.initialBearing)
        }
    }

    // Newton's method alone converges to another geodesic here, of 12 to 16,000 km or of 12.
    @Test(arguments: [
        (-9.9104, 9.9088, 179.9073, 20_002_963.455132, 171.047609484),
        (-11.75651, 11.75564, 179.8753, 20_002_402.064443, 167.826593501),
        (-0.00721, 0.00707, 179.8155, 20_000_774.765919, 162.189350308),
        (8.223398621246332, -8.221774065604738, 179.95864910159113, 20_003_594.386887, 3.961923138),
    ])
    func `the geodesic between nearly antipodal points matches GeographicLib`(
        from: Double, to: Double, turn: Double, distance: Double, bearing: Double
    ) {
        let way = Geodesic(
            from: Coordinate(latitude: from, longitude: 0), to: Coordinate(latitude: to, longitude: turn))
        #expect(abs(way.distance - distance) < 1e-5)
        #expect(abs(way.initialBearing - bearing) < 1e-7)
    }

    @Test(arguments: GeodesicVector.classes)
    func `a geodesic leads to its end within a hundredth of a millimetre, by bearings from 0 to 360 degrees`(
        kind: String
    ) throws {
        for vector in try #require(GeodesicVector.table.get()[kind]) {
            let geodesic = Geodesic(from: vector.start, to: vector.end)
            let there = vector.start.destination(distance: geodesic.distance, bearing: geodesic.initialBearing)
            #expect(there.distance(to: vector.end) < 1e-5, "\(vector)")
            let bearing = geodesic.initialBearing
            #expect((0..<360).contains(bearing) && bearing.sign == .plus, "\(vector)")
            let oracle = vector.start.destination(distance: vector.distance, bearing: vector.initial)
            #expect(oracle.distance(to: vector.end) < 1e-5, "\(vector)")
        }
    }

    @Test func `the chord is as accurate as documented up to its limits`() {
        var draw = SplitMix64(seed: 2)
        for _ in 0..<3_000 {
            let start = anywhere(&draw)
            let far = Geodesic.lengthLimit * draw.uniform(0.5...0.9999)
            let end = start.destination(distance: far, bearing: draw.uniform(0...360))
            let exact = GeodesicInverse(from: start, to: end)
            #expect(abs(SurfacePoint(start).distance(to: SurfacePoint(end)) - exact.distance) < 2e-6)

            let near = Geodesic.directionLimit * draw.uniform(0.1...0.9999)
            let neighbour = start.destination(distance: near, bearing: draw.uniform(0...360))
            let way = GeodesicInverse(from: start, to: neighbour)
            let offset = SurfacePoint(start).offset(to: SurfacePoint(neighbour))
            #expect(radiansApart(offset.course, way.initial.degrees) * near < 1e-5)
            #expect(abs(offset.length - way.distance) < 2e-6)
        }
    }

    @Test(arguments: [1e-12, 1e-9, 1e-6, 1e-3, 0.1, 1, 3])
    func `a geodesic to the neighbourhood of the antipodes ends at its target`(spread: Double) {
        var draw = SplitMix64(seed: 3)
        for _ in 0..<300 {
            let start = anywhere(&draw)
            let end = Coordinate(
                latitude: min(90, max(-90, -start.latitude + draw.uniform(-spread...spread))),
                longitude: remainder(start.longitude + 180 + draw.uniform(-spread...spread), 360))
            let way = Geodesic(from: start, to: end)
            #expect(way.distance > 19_000_000 && way.distance < 20_003_932)
            let there = start.destination(distance: way.distance, bearing: way.initialBearing)
            #expect(there.distance(to: end) < 1e-4, "\(start) \(end)")
        }
    }

    @Test(
        arguments: [
            // Half a meridian, a quarter of one, and the longest part of the equator that is a shortest path.
            (90, 0, -90, 0, 20_003_931.4586254), (0, 0, 90, 77, 10_001_965.7293127),
            (0, 0, 0, 90, 10_018_754.1713946), (0, -90, 0, 90, 20_003_931.4586254),
            (0, 179.5, 0, -179.5, 111_319.4907932), (90, 10, 90, -170, 0), (-90, 180, -90, 0, 0),
            (12, 180, 12, -180, 0), (0, 0, 0, 0, 0),
        ] as [(Double, Double, Double, Double, Double)])
    func `distances between special points match their known values`(
        lat1: Double, lon1: Double, lat2: Double, lon2: Double, metres: Double
    ) {
        let distance = Coordinate(latitude: lat1, longitude: lon1)
            .distance(to: Coordinate(latitude: lat2, longitude: lon2))
        #expect(abs(distance - metres) < 1e-6)
    }

    @Test func `a bearing barely west of north is 0 instead of 360`() {
        let way = Geodesic(from: Coordinate(latitude: 0, longitude: 1e-18), to: Coordinate(latitude: 10, longitude: 0))
        #expect(way.initialBearing == 0)
    }

    @Test func `a negative distance leads backwards`() {
        let start = Coordinate(latitude: 45, longitude: 7)
        let back = start.destination(distance: -5_000, bearing: 30)
        let ahead = start.destination(distance: 5_000, bearing: 210)
        #expect(back.distance(to: ahead) < 1e-7)
    }

    @Test func `a destination at an infinite distance traps`() async {
        await #expect(processExitsWith: .failure) {
            _ = Coordinate(latitude: 45, longitude: 7).destination(distance: .infinity, bearing: 0)
        }
    }

    @Test func `a full circle along the equator or a meridian returns to the start`() {
        let onEquator = Coordinate(latitude: 0, longitude: 170)
        #expect(onEquator.destination(distance: 2 * .pi * 6_378_137, bearing: 90).distance(to: onEquator) < 1e-6)
        let start = Coordinate(latitude: 45, longitude: 7)
        #expect(start.destination(distance: 2 * 20_003_931.4586254, bearing: 0).distance(to: start) < 1e-6)
    }

    @Test func `longitudes of destinations lie within ±180 degrees`() {
        var draw = SplitMix64(seed: 4)
        for _ in 0..<1_000 {
            let start = anywhere(&draw)
            let there = start.destination(distance: draw.uniform(-1e9...1e9), bearing: draw.uniform(-1e4...1e4))
            #expect(abs(there.longitude) <= 180 && abs(there.latitude) <= 90)
        }
        let overDateLine = Coordinate(latitude: 10, longitude: 179.999).destination(distance: 1_000, bearing: 90)
        #expect(overDateLine.longitude < -179.99)
    }

    @Test(
        arguments: [
            (0, 0, 1), (90, 1, 0), (180, 0, -1), (270, -1, 0), (-90, -1, 0), (-180, 0, -1), (360, 0, 1), (720, 0, 1),
            (360e9 + 90, 1, 0), (-360e9 - 180, 0, -1),
        ] as [(Double, Double, Double)])
    func `right angles are exact`(degrees: Double, sine: Double, cosine: Double) {
        let angle = Angle(degrees: degrees)
        #expect(angle.sine == sine)
        #expect(angle.cosine == cosine)
    }

    @Test func `the origin has no direction`() {
        for x in [0, -0.0] { #expect(arcTangent(0, x).sign == .plus && arcTangent(-0.0, x) == 0) }
    }

    private func radiansApart(_ one: Double, _ other: Double) -> Double { abs(remainder(one - other, 360)) * .pi / 180 }

    private func anywhere(_ draw: inout SplitMix64) -> Coordinate {
        Coordinate(latitude: asin(draw.uniform(-1...1)) * 180 / .pi, longitude: draw.uniform(-180...180))
    }
}
