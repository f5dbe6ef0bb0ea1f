import Testing

@testable import LocationCore

@Suite struct TrigonometryTests {
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
}
