import Foundation
import TestSupport
import Testing

@testable import LocationCore

@Suite struct TrigonometryTests {
    private var draw = SplitMix64(seed: 1)

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

    @Test func `the origin has no direction`() {
        for x in [0, -0.0] { #expect(arcTangent(0, x).sign == .plus && arcTangent(-0.0, x) == 0) }
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
