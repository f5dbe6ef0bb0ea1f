import Foundation
import LocationCore
import Testing

@Suite struct FenceTests {
    static let center = Coordinate(latitude: 45, longitude: 7)
    static let triangle = [
        center.destination(distance: 500, bearing: 0), center.destination(distance: 500, bearing: 120),
        center.destination(distance: 500, bearing: 240),
    ]

    @Test(arguments: [(0, 100), (40, 60), (100, 0), (130, -30), (5_000, -4_900)] as [(Double, Double)])
    func `the border of a circle is one radius from its centre`(metres: Double, inside: Double) throws {
        let fence = try Fence(name: "home", shape: .circle(center: Self.center, radius: 100))
        let point = Self.center.destination(distance: metres, bearing: 77)
        #expect(abs(fence.signedDistanceInside(point) - inside) < 1e-5)
    }

    @Test func `the border of a polygon consists of straight edges`() throws {
        let fence = try Fence(name: "field", shape: .polygon(Self.triangle))
        // The sides of an equilateral triangle are half as far from its centre as the corners.
        #expect(abs(fence.signedDistanceInside(Self.center) - 250) < 0.1)
        #expect(abs(fence.signedDistanceInside(Self.center.destination(distance: 700, bearing: 120)) + 200) < 0.1)
        #expect(abs(fence.signedDistanceInside(Self.center.destination(distance: 700, bearing: 180)) + 450) < 0.1)
    }

    @Test(
        arguments: [
            (.circle(center: center, radius: 100), 200), (.anchor(radius: 40), 80),
            // A side of 1 km; the circle of the same area has a diameter of 1,128.4 m.
            (.polygon([45, 135, 225, 315].map { center.destination(distance: 707.107, bearing: $0) }), 1128.4),
        ] as [(Fence.Shape, Double)])
    func `a fix needs an accuracy as good as the size of the fence`(shape: Fence.Shape, metres: Double) throws {
        #expect(abs(try Fence(name: "x", shape: shape).coarsestAccuracy - metres) < 1)
    }

    @Test(arguments: [0, -1, .nan, .infinity] as [Double])
    func `a circle needs a positive finite radius`(radius: Double) {
        #expect(throws: InvalidValue("the radius \(radius) is not a positive number of metres")) {
            try Fence(name: "x", shape: .circle(center: Self.center, radius: radius))
        }
    }

    @Test(
        arguments: [
            ([], "a polygon needs three different vertices, and this one has 0"),
            (
                [triangle[0], triangle[1], triangle[0], triangle[1]],
                "a polygon needs three different vertices, and this one has 2"
            ),
            ([(45, 7), (46, 7), (47, 7)].map(Coordinate.init), "the polygon encloses no area"),
            (
                [(80, 0), (80, 120), (80, -120)].map(Coordinate.init),
                "the polygon goes around a pole, so it has no inside"
            ),
            (
                [(-80, 0), (-80, -120), (-80, 120)].map(Coordinate.init),
                "the polygon goes around a pole, so it has no inside"
            ),
        ] as [([Coordinate], String)])
    func `a polygon without an inside is rejected`(vertices: [Coordinate], reason: String) {
        #expect(throws: InvalidValue(reason)) { try Fence(name: "x", shape: .polygon(vertices)) }
    }

    @Test(
        arguments: [
            (
                .circle(center: center, radius: 100),
                #"{"center":{"latitude":45,"longitude":7},"dwellAfter":1.5,"margin":5,"name":"home","radius":100}"#
            ),
            (
                .polygon([(45, 7), (46, 7), (45, 8)].map(Coordinate.init)),
                #"""
                {"dwellAfter":1.5,"margin":5,"name":"home","polygon":[{"latitude":45,"longitude":7},\#
                {"latitude":46,"longitude":7},{"latitude":45,"longitude":8}]}
                """#
            ),
            (.anchor(radius: 40), #"{"anchor":40,"dwellAfter":1.5,"margin":5,"name":"home"}"#),
        ] as [(Fence.Shape, String)])
    func `a fence has this form as JSON, and is read back`(shape: Fence.Shape, json: String) throws {
        var fence = try Fence(name: "home", shape: shape)
        fence.dwellAfter = .milliseconds(1500)
        fence.margin = 5
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(String(decoding: try encoder.encode(fence), as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(Fence.self, from: Data(json.utf8)) == fence)
    }

    @Test(
        arguments: [
            (#"{"name":"a","center":{"latitude":1,"longitude":2},"radius":3}"#, true),
            (#"{"name":"a","center":{"latitude":1,"longitude":2},"radius":-3}"#, false),
            (#"{"name":"a","center":{"latitude":1,"longitude":2}}"#, false),
            (#"{"name":"a","polygon":[{"latitude":1,"longitude":2}]}"#, false),
            (#"{"name":"a"}"#, false), (#"{"name":"a","anchor":3,"dwellAfter":1e300}"#, false),
        ])
    func `decoding rejects a fence that encloses nothing or has an impossible time`(json: String, good: Bool) {
        let read = try? JSONDecoder().decode(Fence.self, from: Data(json.utf8))
        #expect((read != nil) == good)
    }
}
