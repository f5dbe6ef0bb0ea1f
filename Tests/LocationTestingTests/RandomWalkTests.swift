import LocationCore
import LocationTesting
import Testing

@Suite struct RandomWalkTests {
    private let walk = Array(RandomWalk(from: Sample.gate, stride: 2, every: .seconds(4), seed: 5).prefix(200))

    @Test func `steps are half to one and a half strides long`() {
        let places = [Sample.gate] + walk.map(\.coordinate)
        for (before, after) in zip(places, places.dropFirst()) {
            #expect((0.999...3.001).contains(before.distance(to: after)))
        }
    }

    @Test func `speed and course agree with the steps`() throws {
        let places = [Sample.gate] + walk.map(\.coordinate)
        for (before, location) in zip(places, walk) {
            let speed = try #require(location.speed)
            #expect(abs(speed * 4 - before.distance(to: location.coordinate)) < 1e-6)
            #expect(try (0..<360).contains(#require(location.course)))
        }
    }

    @Test func `a walk with an interval of zero has no speed`() {
        #expect(RandomWalk(from: Sample.gate, every: .zero, seed: 5).prefix(1).map(\.speed) == [nil])
    }
}
