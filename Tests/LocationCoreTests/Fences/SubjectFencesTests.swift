@testable import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct SubjectFencesTests {
    private let home: Fence
    private let inside = Coordinate(latitude: 45, longitude: 7)
    private let outside = Coordinate(latitude: 45.1, longitude: 7)

    init() throws { home = try .circle() }

    private func location(_ device: String?, _ coordinate: Coordinate) -> Location {
        Location(coordinate: coordinate, device: device, horizontalAccuracy: 3)
    }

    private func words(_ events: [FenceEvent]) -> [String] { events.map { "\($0.device ?? "-") \($0.kind.rawValue)" } }

    @Test func `a position takes the same time in a fleet of any size`() {
        /// Returns the shortest time of 200 positions among several tries, in a fleet of this size.
        func time(of size: Int) -> Duration {
            var fences = SubjectFences(FenceMonitor(fences: [home], dwellAfter: .seconds(300)))
            func report(_ name: String, at moment: Moment) {
                _ = fences.update(location(name, inside), at: moment, of: name)
            }
            for number in 0..<size { report("d\(number)", at: moment(0)) }
            return [1.0, 2, 3, 4, 5].map { second in
                threadTime {
                    for number in 0..<200 { report("d\(number)", at: moment(second)) }
                }
            }.min() ?? .zero
        }
        // A copy of the monitors for each position would take a hundred times as long.
        #expect(time(of: 40_000) < time(of: 400) * 30)
    }

    @Test func `a session with one position has one monitor for all receivers`() {
        var fences = SubjectFences(FenceMonitor(fences: [home]))
        _ = fences.update(location("/dev/ttyACM0", outside), at: moment(1))
        #expect(words(fences.update(location("/dev/ttyUSB0", inside), at: moment(2))) == ["- enter"])
    }

    @Test func `each device of a fleet has its own anchor`() throws {
        var fences = SubjectFences(FenceMonitor(fences: [try Fence(name: "anchor", shape: .anchor(radius: 40))]))
        func place(_ metres: Double) -> Coordinate { inside.destination(distance: metres, bearing: 90) }
        for (device, metres) in [("a", 0.0), ("b", 1000), ("a", 30)] {
            _ = fences.update(location(device, place(metres)), at: moment(0), of: device)
        }
        func distance(_ device: String, _ metres: Double) -> Double? {
            fences.monitor(of: device).places(from: place(metres))[0].distance
        }
        #expect(distance("a", 30).map { abs($0 - 30) < 0.01 } == true)
        #expect(distance("b", 990).map { abs($0 - 10) < 0.01 } == true)
        #expect(distance("c", 0) == nil)
    }
}
