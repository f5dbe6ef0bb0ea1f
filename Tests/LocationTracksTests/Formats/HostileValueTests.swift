import Foundation
import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// Values that no receiver reports, but that a provider outside this package can.
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
                statistics.process(
                    .transition(
                        StateChange(from: .searching(.starting), to: .found(location), at: moment, lasted: .zero)))
            }
            statistics.process(.update(LocationUpdate(.satellites(sky), at: moment)))
            statistics.process(.update(LocationUpdate(.location(location), at: moment)))
        }
        return statistics
    }

    @Test(arguments: values)
    func `a picture of any value is valid and small`(_ value: Double) throws {
        let plot = TrackPlot(statistics(value), title: "x")
        let svg = plot.svg()
        #expect(svg.count < 200_000)
        let scratch = try Scratch()
        _ = try OracleProgram.run(["xmllint", "--noout", scratch.write(svg, to: "x.svg")])
        let lines = plot.terminal(columns: 80, colour: false).split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 80 })
    }

    @Test(arguments: values)
    func `a distribution of many equal values has their median`(_ value: Double) throws {
        var distribution = Distribution()
        for _ in 0...Distribution.exactLimit { distribution.process(value) }
        distribution.process(1)
        distribution.process(-1)
        let median = try #require(distribution.median)
        #expect(abs(median - value) <= max(abs(value) * 0.006, 1e-6))
    }

    @Test(arguments: values)
    func `an axis has few marks for any value`(_ value: Double) {
        #expect(RoundNumber.marks(upTo: value, every: RoundNumber.below(value / 5)).count <= 20)
        #expect(RoundNumber.marks(upTo: value, every: 0) == [0])
    }
}
