import Foundation
import LocationCore
import Testing

@testable import LocationTracks

/// Values that no receiver has, as a provider of somebody else can give them.
struct HostileValueTests {
    private static let values = [
        0, -91, 1e19, -9e18, 1e300, -1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        1e-300,
    ]

    private func statistics(_ value: Double) -> TrackStatistics {
        var statistics = TrackStatistics()
        let updates = MadeUpSession.standing(at: Coordinate(latitude: 45, longitude: 7), points: 30).locations
        for (second, location) in updates.enumerated() {
            var location = location
            location.horizontalAccuracy = value
            location.verticalAccuracy = value
            location.altitudeMSL = second % 2 == 0 ? value : -value
            location.speed = value
            let satellite = Satellite(
                constellation: .gps, number: 3, elevation: value, azimuth: value, signal: value, isUsed: true)
            var sky = SkyView(satellites: [satellite], device: "a")
            sky.dilution.horizontal = value
            let moment = MadeUpSession.moment(second)
            if second == 0 {
                statistics.take(
                    .transition(
                        Transition(from: .searching(.starting), to: .found(location), at: moment, lasted: .zero)))
            }
            statistics.take(.update(LocationUpdate(.satellites(sky), at: moment)))
            statistics.take(.update(LocationUpdate(.location(location), at: moment)))
        }
        statistics.finish()
        return statistics
    }

    @Test(arguments: values)
    func `pictures of any value are drawn, and stay small`(_ value: Double) throws {
        let plot = TrackPlot(statistics(value), title: "x")
        let svg = plot.svg()
        #expect(svg.count < 200_000)
        let scratch = try Scratch()
        _ = try Oracle.run(["xmllint", "--noout", scratch.write(svg, to: "x.svg")])
        let lines = plot.terminal(columns: 80, colour: false).split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: values)
    func `many of any value have a median, in bounded memory`(_ value: Double) throws {
        var distribution = Distribution()
        for _ in 0...Distribution.exactLimit { distribution.take(value) }
        distribution.take(1)
        distribution.take(-1)
        let median = try #require(distribution.median)
        #expect(abs(median - value) <= max(abs(value) * 0.006, 1e-6))
    }

    @Test(arguments: values)
    func `the marks of an axis are few`(_ value: Double) {
        #expect(RoundNumber.marks(upTo: value, every: RoundNumber.below(value / 5)).count <= 20)
        #expect(RoundNumber.marks(upTo: value, every: 0) == [0])
    }
}
