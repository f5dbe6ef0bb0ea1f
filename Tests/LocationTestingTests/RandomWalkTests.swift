import LocationCore
import LocationTesting
import Testing

@Suite struct RandomWalkTests {
    private let walk = Array(RandomWalk(from: Sample.gate, stride: 2, every: .seconds(4), seed: 5).prefix(200))

    @Test func `steps are half to one and a half strides long, and speed and course agree with them`() throws {
        for (before, location) in zip([Sample.gate] + walk.map(\.coordinate), walk) {
            let step = before.distance(to: location.coordinate)
            #expect(try (0.999...3.001).contains(step) && abs(#require(location.speed) * 4 - step) < 1e-6)
            #expect(try (0..<360).contains(#require(location.course)))
        }
    }

    @Test func `a walk with an interval of zero has no speed`() {
        #expect(RandomWalk(from: Sample.gate, every: .zero, seed: 5).prefix(1).map(\.speed) == [nil])
    }
}
