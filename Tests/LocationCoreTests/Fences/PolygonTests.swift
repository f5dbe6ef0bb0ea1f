import Foundation
import TestSupport
import Testing

@testable import LocationCore

@Suite struct PolygonTests {
    static let square = corners([(45, 7), (45, 7.01), (45.01, 7.01), (45.01, 7)])
    static let acrossDateLine = corners([(-17, 179.9), (-17, -179.8), (-16.8, -179.8), (-16.8, 179.9)])
    static let hollowU = corners([(0, 0), (0, 3), (3, 3), (3, 2), (1, 2), (1, 1), (3, 1), (3, 0)])
    static let wide = corners([
        (-10, -170), (-10, -60), (-10, 60), (-10, 170), (10, 170), (10, 60), (10, -60), (10, -170),
    ])
    static let figureEight = corners([(0, 0), (2, 2), (2, 0), (0, 2)])

    @Test(
        arguments: [
            (square, 45.005, 7.005, true), (square, 45.005, 6.999, false), (square, 45.005, 7.011, false),
            (square, 44.999, 7.005, false), (square, 45.011, 7.005, false), (square, -45.005, 7.005, false),
            (square, 45.005, -172.995, false), (square.reversed(), 45.005, 7.005, true),
            (square + square.prefix(1), 45.005, 7.005, true), (square + square.prefix(1), 45.005, 7.02, false),
            (acrossDateLine, -16.9, 180, true), (acrossDateLine, -16.9, -180, true),
            (acrossDateLine, -16.9, 179.95, true), (acrossDateLine, -16.9, -179.85, true),
            (acrossDateLine, -16.9, 179.8, false), (acrossDateLine, -16.9, -179.7, false),
            (acrossDateLine, -16.9, 0, false),
            (hollowU, 2, 0.5, true), (hollowU, 2, 1.5, false), (hollowU, 2, 2.5, true), (hollowU, 0.5, 1.5, true),
            (wide, 0, 0, true), (wide, 0, 169, true), (wide, 0, -169, true), (wide, 0, 175, false),
            (wide, 0, -175, false), (wide, 11, 0, false),
            // Its western end is a turn and half a degree from the point.
            (Array(wide[4...] + wide[..<4]), 0, -169.5, true),
            (figureEight, 0.5, 1, true), (figureEight, 1.5, 1, true), (figureEight, 1, 0.2, false),
            ([], 45, 7, false), ([Coordinate(latitude: 45, longitude: 7)], 45, 7, false),
            (Array(square.prefix(2)), 45, 7.005, false),
        ] as [([Coordinate], Double, Double, Bool)])
    func `a point is inside or outside`(polygon: [Coordinate], latitude: Double, longitude: Double, inside: Bool) {
        #expect(Coordinate(latitude: latitude, longitude: longitude).isInside(polygon: polygon) == inside)
    }

    @Test(arguments: [square, acrossDateLine, hollowU])
    func `rotating the list of vertices yields the same polygon`(polygon: [Coordinate]) {
        var draw = SplitMix64(seed: 6)
        for _ in 0..<200 {
            let point = Coordinate(
                latitude: polygon[0].latitude + draw.uniform(-0.5...3.5),
                longitude: remainder(polygon[0].longitude + draw.uniform(-0.5...3.5), 360))
            let turned = Array(polygon[2...] + polygon[..<2])
            #expect(point.isInside(polygon: turned) == point.isInside(polygon: polygon))
        }
    }

    @Test(
        arguments: [-80, -60, -16, 0, 45, 70, 88] as [Double],
        [(0, 0.5), (179.99, 50), (-180, 5)] as [(Double, Double)])
    func `the distance to the border matches the nearest of many sampled points`(
        latitude: Double, place: (longitude: Double, kilometres: Double)
    ) throws {
        var draw = SplitMix64(seed: 7)
        let center = Coordinate(latitude: latitude, longitude: place.longitude)
        let size = place.kilometres * 1000
        let polygon = (0..<7).map {
            center.destination(distance: size * draw.uniform(0.3...1), bearing: Double($0) * 360 / 7)
        }
        for _ in 0..<4 {
            let point = center.destination(distance: size * draw.uniform(0...2), bearing: draw.uniform(0...360))
            let distance = try #require(point.signedDistance(toBorderOf: polygon))
            let sampled = sampled(polygon, from: point, steps: 120)
            // The nearest point is searched in a plane, with an error up to 0.8 % over tens of kilometres near a pole.
            let tolerance = abs(latitude) >= 70 ? 1.01 : 1.0001
            // Between two sampled points the border can be slightly nearer.
            #expect(abs(distance) <= sampled * tolerance && abs(distance) > sampled - size / 120)
            #expect((distance > 0) == point.isInside(polygon: polygon))
        }
    }

    @Test func `the distance to an edge on the far side of the earth takes the short way`() throws {
        let point = Coordinate(latitude: -25, longitude: 17)
        let polygon = corners([(19, 136), (5, 161), (-17, -142), (-54, 163)])
        let distance = abs(try #require(point.signedDistance(toBorderOf: polygon)))
        #expect(abs(distance - sampled(polygon, from: point, steps: 1500)) < 1000)
    }

    /// Returns the distance to the nearest of many points on a border, as many on each edge.
    private func sampled(_ polygon: [Coordinate], from point: Coordinate, steps: Int) -> Double {
        zip(polygon, polygon[1...] + polygon[..<1]).reduce(.infinity) { least, edge in
            (0..<steps).reduce(least) { least, step in
                let part = Double(step) / Double(steps)
                let place = Coordinate(
                    latitude: edge.0.latitude + part * (edge.1.latitude - edge.0.latitude),
                    longitude: remainder(edge.0.longitude + part * longitudeDifference(edge.0, edge.1), 360))
                return min(least, point.distance(to: place))
            }
        }
    }

    @Test func `the distance to a straight edge is exact`() throws {
        let inside = Coordinate(latitude: 45.005, longitude: 7.001)
        let toWest = inside.distance(to: Coordinate(latitude: 45.005, longitude: 7))
        #expect(abs(try #require(inside.signedDistance(toBorderOf: Self.square)) - toWest) < 1e-4)
        let outside = Coordinate(latitude: 45.012, longitude: 7.012)
        let toCorner = outside.distance(to: Coordinate(latitude: 45.01, longitude: 7.01))
        #expect(outside.signedDistance(toBorderOf: Self.square) == -toCorner)
    }

    @Test func `the distance to a polygon around most of the earth takes the short way`() throws {
        let toEast = Coordinate(latitude: 0, longitude: 179).distance(to: Coordinate(latitude: 0, longitude: 170))
        for (longitude, polygon) in [(179.0, Self.wide), (-179, Self.wide), (179, Self.wide.reversed())] {
            let point = Coordinate(latitude: 0, longitude: longitude)
            #expect(abs(try #require(point.signedDistance(toBorderOf: polygon)) + toEast) < 1)
            let turned = Array(polygon[4...] + polygon[..<4])
            #expect(abs(try #require(point.signedDistance(toBorderOf: turned)) + toEast) < 1)
        }
    }

    @Test func `a single vertex has a distance, an empty polygon has none`() throws {
        let point = Coordinate(latitude: 45, longitude: 7)
        let vertex = Coordinate(latitude: 45.1, longitude: 7.1)
        #expect(point.signedDistance(toBorderOf: [vertex]) == -point.distance(to: vertex))
        #expect(point.signedDistance(toBorderOf: []) == nil)
    }
}

private func corners(_ degrees: [(Double, Double)]) -> [Coordinate] {
    degrees.map { Coordinate(latitude: $0.0, longitude: $0.1) }
}
