import LocationCore
import LocationTesting
import Testing

@Suite struct LocationIntervalTests {
    private let first = Timestamp.testEpoch

    /// The seconds between the times of two positions, those of the session between their arrivals, and the interval.
    @Test(
        arguments: [
            // The receiver's clock counts, also when the positions arrive a little late or early.
            (1, 1.2, 1), (1, 0.1, 1), (0.2, 1.5, 0.2), (10, 11, 10),
            // Positions that were held back arrive together.
            (1, 0.001, 1), (1, 100, 100),
            // A clock that stands, goes back or leaps by a day tells no interval.
            (0, 1, 1), (-5, 1, 1), (86_400, 1, 1), (86_399, 1, 86_399),
        ] as [(Double, Double, Double)])
    func `the receiver's clock tells the interval of two positions unless the session's is far ahead`(
        own: Double, session: Double, interval: Double
    ) {
        var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7))
        location.timestamp = first.advanced(by: .milliseconds(Int(own * 1000)))
        #expect(location.seconds(since: first, session: session) == interval)
    }

    @Test func `without times the session's clock tells the interval, and positions of one moment have an order`() {
        var location = Location(coordinate: Coordinate(latitude: 45, longitude: 7))
        #expect(location.seconds(since: nil, session: 2) == 2)
        #expect(location.seconds(since: first, session: 0) == 1)
        location.timestamp = first
        #expect(location.seconds(since: nil, session: 0) == 0)
    }
}
