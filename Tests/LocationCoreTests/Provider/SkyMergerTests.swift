import LocationCore
import LocationTesting
import Testing

/// Tests of whole views of the satellites without a delay.
@Suite struct SkyMergerTests {
    private static func sky(_ numbers: [Int]?, seen: Int? = nil, time: Int? = nil, device: String = "/dev/a") -> SkyView
    {
        var sky = SkyView(
            satellites: numbers?.map { Satellite(constellation: .gps, number: $0, isUsed: $0 < 10) }, device: device)
        if let seen { sky.seen = seen }
        sky.timestamp = time.map { .testEpoch.advanced(by: .seconds($0)) }
        return sky
    }

    /// Returns the satellites that are shown after each report.
    private static func shown(_ reports: [(milliseconds: Int, sky: SkyView?)]) -> [[Int]] {
        var merger = SkyMerger()
        return reports.compactMap { report in
            let elapsed = Duration.milliseconds(report.milliseconds)
            let moment = Moment(elapsed: elapsed, wall: .testEpoch.advanced(by: elapsed))
            let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), device: "/dev/a")
            let event = report.sky.map { LocationEvent.satellites($0) } ?? .location(location)
            guard case .satellites(let sky) = merger.merged(LocationUpdate(event, at: moment)).event else { return nil }
            return (sky.satellites ?? []).compactMap(\.number).sorted()
        }
    }

    @Test func `each part of the second epoch is shown with what the first one had`() {
        let shown = Self.shown([
            (0, Self.sky([1, 2])), (10, Self.sky([1, 2, 3])), (20, Self.sky([30])), (30, nil),
            (200, Self.sky([1, 2])), (210, Self.sky([3])), (220, Self.sky([30])), (230, nil),
            (400, Self.sky([1, 2])),
        ])
        #expect(shown[..<3] == [[1, 2], [1, 2, 3], [1, 2, 3, 30]])
        #expect(shown[3...].allSatisfy { $0 == [1, 2, 3, 30] })
    }

    @Test func `a satellite that has set disappears with its part, and is not counted beside the new ones`() {
        let shown = Self.shown([
            (0, Self.sky([1, 2])), (10, Self.sky([30, 31])), (20, nil),
            (200, Self.sky([1, 3])), (210, Self.sky([31])), (220, nil), (400, Self.sky([3])), (410, nil),
            (600, Self.sky([3, 4])),
        ])
        #expect(shown == [[1, 2], [1, 2, 30, 31], [1, 3, 30, 31], [1, 3, 31], [3, 31], [3, 4]])
    }

    @Test func `an epoch ends by position, time or duration`() {
        for between in [(500, SkyView?.none), (500, Self.sky(nil, time: 1)), (500, Self.sky(nil))] {
            let shown = Self.shown([
                (0, Self.sky([1, 2], time: 0)), between, (600, Self.sky([1], time: 1)), (1100, nil),
                (1200, Self.sky([1], time: 2)), (1210, Self.sky([1], time: 2)),
            ])
            #expect(shown.last == [1], "\(between)")
            #expect(shown.contains([1, 2]))
        }
    }

    @Test func `counts without a list do not fall with a part, and follow a whole epoch`() {
        var merger = SkyMerger()
        func seen(_ count: Int, at seconds: Double) -> Int? {
            let elapsed = Duration.seconds(seconds)
            let update = LocationUpdate(
                .satellites(Self.sky(nil, seen: count)),
                at: Moment(elapsed: elapsed, wall: .testEpoch.advanced(by: elapsed)))
            guard case .satellites(let sky) = merger.merged(update).event else { return nil }
            return sky.seen
        }
        #expect(
            [seen(3, at: 0), seen(9, at: 0.1), seen(3, at: 1), seen(9, at: 1.1), seen(4, at: 2)] == [3, 9, 9, 9, 9])
        #expect([seen(4, at: 3), seen(4, at: 4)] == [4, 4])
    }

    @Test func `the dilutions of a part are not shown for the whole`() {
        var merger = SkyMerger()
        func dilution(_ numbers: [Int], _ value: Double, at milliseconds: Int) -> Double? {
            var sky = Self.sky(numbers)
            sky.dilution.geometric = value
            let elapsed = Duration.milliseconds(milliseconds)
            let update = LocationUpdate(
                .satellites(sky), at: Moment(elapsed: elapsed, wall: .testEpoch.advanced(by: elapsed)))
            guard case .satellites(let whole) = merger.merged(update).event else { return nil }
            return whole.dilution.geometric
        }
        #expect([dilution([1], 5, at: 0), dilution([1, 2, 3], 1, at: 10)] == [5, 1])
        #expect([dilution([1], 5, at: 1000), dilution([1, 2, 3], 1.1, at: 1010)] == [1, 1.1])
    }

    @Test func `a crowd of receivers is not kept, and their reports stay as they are`() {
        var merger = SkyMerger()
        for number in 0..<1000 {
            for part in [[1], [2]] {
                let update = LocationUpdate(
                    .satellites(Self.sky(part, device: "/dev/\(number)")), at: Moment(elapsed: .zero, wall: .testEpoch))
                guard case .satellites(let sky) = merger.merged(update).event else { continue }
                #expect((sky.satellites?.count ?? 0) == (number < 64 ? part[0] : 1))
            }
        }
    }
}
