import Foundation
import TestSupport
import Testing

@testable import LocationCore

@Suite struct TrigonometryTests {
    private var draw = SplitMix64(seed: 1)

    @Test func `sine and cosine agree with the system library to two units in the last place`() {
        var draw = draw
        for _ in 0..<20_000 {
            let x = draw.uniform(-30...30)
            let angle = Angle(radians: x)
            #expect(unitsApart(angle.sine, sin(x)) <= 2)
            #expect(unitsApart(angle.cosine, cos(x)) <= 2)
        }
    }

    @Test func `the sine of a small angle keeps all its digits`() {
        var draw = draw
        for _ in 0..<5_000 {
            let x = pow(10, draw.uniform(-300 ... -1))
            #expect(unitsApart(Angle(radians: x).sine, sin(x)) <= 1)
            #expect(Angle(radians: -x).sine == -Angle(radians: x).sine)
        }
    }

    @Test func `angles in degrees agree with the system library`() {
        var draw = draw
        for _ in 0..<10_000 {
            let degrees = draw.uniform(-45...45)
            let turned = degrees + 90
            let (angle, next) = (Angle(degrees: degrees), Angle(degrees: turned))
            #expect(unitsApart(angle.sine, sin(degrees * .pi / 180)) <= 3)
            #expect(abs(next.sine - cos(degrees * .pi / 180)) < 4e-16)
            #expect(abs(next.cosine + sin(degrees * .pi / 180)) < 4e-16)
        }
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

    @Test func `the arc tangent agrees with the system library to two units in the last place`() {
        var draw = draw
        for _ in 0..<20_000 {
            let y = draw.normal() * pow(10, draw.uniform(-6...6))
            let x = draw.normal() * pow(10, draw.uniform(-6...6))
            #expect(unitsApart(arcTangent(y, x), atan2(y, x)) <= 2)
        }
    }

    @Test(
        arguments: [
            (0, 0), (0, 1), (0, -1), (-0.0, -1), (-0.0, 1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1),
            (1, -0.0), (1e-300, 1), (1e300, 1e-300), (0.41421356237309503, 1), (0.41421356237309515, 1),
        ] as [(Double, Double)])
    func `the arc tangent is right on the axes and the diagonals`(y: Double, x: Double) {
        #expect(unitsApart(arcTangent(y, x), atan2(y, x)) <= 1)
        #expect(arcTangent(y, x).sign == atan2(y, x).sign)
    }

    @Test func `an angle is recovered from its sine and cosine`() {
        var draw = draw
        for _ in 0..<1_000 {
            let degrees = draw.uniform(-180...180)
            let angle = Angle(degrees: degrees)
            #expect(abs(angle.degrees - degrees) < 1e-13)
            #expect(abs(Angle(towards: 7 * angle.sine, 7 * angle.cosine).degrees - degrees) < 1e-13)
        }
    }

    /// Returns the difference of two numbers in units in the last place.
    private func unitsApart(_ one: Double, _ other: Double) -> Double {
        abs(one - other) / max(one.ulp, other.ulp)
    }
}
