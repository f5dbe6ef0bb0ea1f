import LocationCore
import LocationTesting
import Testing

/// Tests of the reduction to one view of the satellites per epoch.
@Suite struct SkySettlerTests {
    private static func moment(_ milliseconds: Int) -> Moment {
        Moment(elapsed: .milliseconds(milliseconds), wall: .testEpoch.advanced(by: .milliseconds(milliseconds)))
    }

    private static func sky(
        _ numbers: [Int]?, at milliseconds: Int, time: Int? = nil, device: String = "/dev/a",
        set: (inout SkyView) -> Void = { _ in }
    ) -> LocationUpdate {
        var sky = SkyView(
            satellites: numbers?.map { Satellite(constellation: .gps, number: $0, isUsed: $0 < 10) }, device: device)
        sky.timestamp = time.map { .testEpoch.advanced(by: .seconds($0)) }
        set(&sky)
        return LocationUpdate(.satellites(sky), at: moment(milliseconds))
    }

    private static func position(at milliseconds: Int, revision: Int = 0, device: String = "/dev/a") -> LocationUpdate {
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), device: device)
        location.revision = revision
        return LocationUpdate(.location(location), at: moment(milliseconds))
    }

    /// Returns the settled views and the number of updates that were processed before each.
    private static func settled(
        _ updates: [LocationUpdate], interval: Duration? = nil
    ) -> [(after: Int, sky: SkyView)] {
        var settler = SkySettler(interval: interval)
        var settled: [(after: Int, sky: SkyView)] = []
        for (index, update) in updates.enumerated() {
            settler.process(update) { if case .satellites(let sky) = $0.event { settled.append((index, sky)) } }
        }
        settler.finish { if case .satellites(let sky) = $0.event { settled.append((updates.count, sky)) } }
        return settled
    }

    @Test func `the parts of an epoch are one view with all satellites and dilutions`() throws {
        let settled = Self.settled([
            Self.sky([1], at: 0), Self.sky([1, 2], at: 10) { $0.dilution.vertical = 2 }, Self.sky([11, 12], at: 20),
            Self.sky(nil, at: 30) { $0.dilution.horizontal = 1 }, Self.position(at: 40),
            Self.position(at: 50, revision: 1), Self.sky([3], at: 60),
        ])
        #expect(settled.map(\.after) == [4, 7])
        let sky = try #require(settled.first?.sky)
        #expect(sky.satellites?.compactMap(\.number) == [1, 2, 11, 12])
        #expect((sky.seen, sky.used) == (4, 2))
        #expect((sky.dilution.horizontal, sky.dilution.vertical) == (1, 2))
        #expect(settled.last?.sky.satellites?.count == 1)
    }

    @Test func `parts without end make a list of bounded length`() {
        let settled = Self.settled((0..<2000).map { Self.sky([$0], at: 0) })
        #expect(settled.map { $0.sky.satellites?.count } == [256])
        #expect(settled.first?.sky.satellites?.last?.number == 1999, "the newest are kept")
    }

    @Test func `counts of the receiver are kept if its list only grows`() {
        let settled = Self.settled([
            Self.sky([1], at: 0) { $0.seen = 9 }, Self.sky([1, 2], at: 10) { ($0.seen, $0.used) = (12, 5) },
        ])
        #expect(settled.map(\.sky.seen) == [12] && settled.map(\.sky.used) == [5])
    }

    @Test func `a view is settled by a later time, by 300 ms, and by the loss of the position`() {
        #expect(Self.settled([Self.sky([1], at: 0, time: 0), Self.sky([2], at: 10, time: 1)]).map(\.after) == [1, 2])
        #expect(Self.settled([Self.sky([1], at: 0), Self.sky([2], at: 299)]).map(\.after) == [2])
        #expect(Self.settled([Self.sky([1], at: 0), Self.sky([2], at: 300)]).map(\.after) == [1, 2])
        let loss = LocationUpdate(.searching(.noFix(seen: 1, used: 0, best: nil), device: "/dev/a"), at: Self.moment(1))
        #expect(Self.settled([Self.sky([1], at: 0), loss]).map(\.after) == [1])
        var settler = SkySettler()
        settler.process(Self.sky([1], at: 0)) { _ in Issue.record("the view is settled later") }
        #expect(settler.deadline == Self.moment(300))
    }

    @Test func `receivers have views of their own`() {
        let settled = Self.settled([
            Self.sky([1], at: 0), Self.sky([2], at: 1, device: "/dev/b"), Self.position(at: 2, device: "/dev/b"),
        ])
        #expect(settled.map(\.sky.device) == ["/dev/b", "/dev/a"])
        #expect(settled.map(\.after) == [2, 3])
    }

    @Test(arguments: [true, false])
    func `the interval thins the views of each receiver`(hasTimes: Bool) {
        let updates = (0..<20).flatMap { second in
            ["/dev/a", "/dev/b"].map {
                Self.sky([1], at: 1000 * second, time: hasTimes ? second : nil, device: $0)
            }
        }
        #expect(Self.settled(updates, interval: .seconds(5)).count == 8)
        #expect(Self.settled(updates, interval: .seconds(1)).count == 40)
    }
}
