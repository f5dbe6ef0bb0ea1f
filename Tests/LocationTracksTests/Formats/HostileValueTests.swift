import LocationCore
import TestSupport
import Testing

@testable import LocationTracks

/// Values that no receiver reports, but that a provider outside this package can.
struct HostileValueTests {
    private static let values = [
        0, -91, 1e19, -9e18, 1e300, -1e300, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        1e-300, -400, 8848.86, 1e11,
    ]

    /// Returns the statistics of a session whose reports have a value wherever there is a number.
    private func statistics(_ value: Double) -> TrackStatistics {
        var session = MadeUpSession.standing(at: Coordinate(latitude: 45, longitude: 7), points: 30)
        for index in session.locations.indices {
            session.locations[index].horizontalAccuracy = value
            session.locations[index].verticalAccuracy = value
            session.locations[index].altitudeMSL = index % 2 == 0 ? value : -value
            session.locations[index].speed = value
        }
        let satellite = Satellite(
            constellation: .gps, number: 3, elevation: value, azimuth: value, signal: value, isUsed: true)
        var sky = SkyView(satellites: [satellite], device: "a")
        sky.dilution.horizontal = value
        let view = TrackedUpdate.update(LocationUpdate(.satellites(sky), at: MadeUpSession.moment(0)))
        return TrackStatistics(session.updates.flatMap { [view, $0] })
    }

    @Test(arguments: values)
    func `a picture of any value is valid and small, and has heights below 10¹² m`(_ value: Double) throws {
        let plot = TrackPlot(statistics(value), title: "x")
        let svg = plot.svg()
        #expect(svg.count < 200_000)
        let scratch = try Scratch()
        _ = try Tool.output(of: ["xmllint", "--noout", scratch.write(svg, to: "x.svg")])
        let text = plot.terminal(columns: 80, colour: false)
        let lines = text.split(separator: "\n")
        #expect(!lines.isEmpty && lines.allSatisfy { $0.count <= 80 })
        #expect(text.contains("Height") == (value.magnitude < 1e12))
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
