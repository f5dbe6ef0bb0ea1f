import LocationCore
import LocationTesting
import Testing

@testable import GPSDProtocol

/// Tests of the satellites of an epoch, and of those that its position carries.
extension EpochAssemblerTests {
    @Test func `the parts of an epoch are one view with all satellites and dilutions`() throws {
        let skies = Self.skies([
            Self.sky(0, [1]), Self.sky(10, [1, 2]) { $0.dilution.vertical = 2 }, Self.sky(20, [11, 12]),
            Self.sky(30, nil) { $0.dilution.horizontal = 1 }, Self.report(40, 0), Self.sky(1000, [3]),
        ])
        #expect(skies.map(\.at) == [40, 1300])
        let sky = try #require(skies.first?.sky)
        #expect(sky.satellites?.compactMap(\.number) == [1, 2, 11, 12])
        #expect((sky.seen, sky.used) == (4, 2))
        #expect((sky.dilution.horizontal, sky.dilution.vertical) == (1, 2))
        #expect(skies.last?.sky.satellites?.count == 1)
    }

    @Test func `satellites that come before or after the position of their epoch are known with it if it waits`() {
        for reports in [
            [Self.sky(0, [1]), Self.report(10, 0)], [Self.report(0, 0), Self.sky(10, [1])],
            [Self.report(0, 0), Self.sky(10, [1]), Self.report(1000, 1)],
        ] {
            #expect(Self.updates(reports).prefix(2).map(\.event.name) == ["satellites", "location"])
        }
    }

    @Test func `satellites of a later time end the epoch of the position before them`() {
        let updates = Self.updates([Self.report(0, 0), Self.sky(100, [1], second: 1)])
        #expect(updates.map(\.event.name) == ["location", "satellites"])
        #expect(updates.first?.moment == Self.moment(100))
    }

    @Test func `parts without end make a list of bounded length`() {
        let skies = Self.skies((0..<400).map { Self.sky(0, [$0]) })
        #expect(skies.map { $0.sky.satellites?.count } == [256])
        #expect(skies.first?.sky.satellites?.last?.number == 399, "the newest are kept")
    }

    @Test func `counts of the receiver are kept if its list only grows`() {
        let skies = Self.skies([
            Self.sky(0, [1]) { $0.seen = 9 }, Self.sky(10, [1, 2]) { ($0.seen, $0.used) = (12, 5) },
        ])
        #expect(skies.map(\.sky.seen) == [12] && skies.map(\.sky.used) == [5])
    }

    @Test func `a view is emitted by a later time, after 300 ms, and by the loss of the position`() {
        #expect(Self.skies([Self.sky(0, [1], second: 0), Self.sky(10, [2], second: 1)]).map(\.at) == [10, 310])
        #expect(Self.skies([Self.sky(0, [1]), Self.sky(299, [2])]).map(\.at) == [300])
        #expect(Self.skies([Self.sky(0, [1]), Self.sky(301, [2])]).map(\.at) == [300, 601])
        let loss = LocationEvent.searching(.noFix(seen: 1, used: 0, best: nil), device: "/dev/a")
        #expect(Self.skies([Self.sky(0, [1]), Self.event(1, loss)]).map(\.at) == [1])
    }

    /// Returns the reports of a number of epochs, each of which has a position and after 20 ms satellites in one part.
    private static func steady(_ epochs: Int, each interval: Int = 1000) -> [Report] {
        (0..<epochs).flatMap {
            [report($0 * interval, nil, latitude: 45 + Double($0)), sky($0 * interval + 20, [1, 2])]
        }
    }

    @Test func `satellites that came in one part in the last eight epochs are emitted at once`() {
        let skies = Self.skies(Self.steady(12))
        // The first position waits, and what came with it is emitted together.
        #expect(skies.map(\.at) == [300] + (1..<8).map { $0 * 1000 + 320 } + (8..<12).map { $0 * 1000 + 20 })
        #expect(skies.allSatisfy { $0.sky.seen == 2 })
    }

    @Test func `a part that comes after the first was emitted is emitted with it, and the next epochs wait`() {
        let late = [Self.sky(12_020, [1]), Self.sky(12_060, [11])]
        let next = [Self.report(13_000, nil, latitude: 60), Self.sky(13_020, [1]), Self.sky(13_060, [11])]
        let skies = Self.skies(Self.steady(12) + [Self.report(12_000, nil, latitude: 59)] + late + next).suffix(3)
        #expect(skies.map(\.at) == [12_020, 12_060, 13_320])
        #expect(skies.map { $0.sky.satellites?.compactMap(\.number) } == [[1], [1, 11], [1, 11]])
    }

    @Test func `a further part delays eight to sixteen epochs`() {
        let reports = Self.steady(12) + [Self.sky(11_060, [11])]
        let later = Self.steady(32).filter { $0.at >= 12_000 }
        let delayed = Self.skies(reports + later).filter { $0.at > 12_000 && $0.at % 1000 == 320 }
        #expect(delayed.count == 12)
    }

    @Test func `satellites of an epoch that follows quickly are no part of the one before`() {
        let skies = Self.skies(Self.steady(20, each: 100)).suffix(6)
        #expect(skies.map(\.at) == (14..<20).map { $0 * 100 + 20 } && skies.allSatisfy { $0.sky.seen == 2 })
        let timed = (0..<12).map { Self.sky($0 * 100, [$0 + 1], second: $0) }
        #expect(Self.skies(timed).suffix(3).map { $0.sky.satellites?.count } == [1, 1, 1])
    }

    @Test func `receivers have views of their own`() {
        let skies = Self.skies([
            Self.sky(0, [1]), Self.sky(1, [2], device: "/dev/b"), Self.report(2, 0, device: "/dev/b"),
        ])
        #expect(skies.map(\.sky.device) == ["/dev/b", "/dev/a"])
        #expect(skies.map(\.at) == [2, 300])
    }

    // MARK: The satellites of a position

    /// Returns the numbers of satellites that the positions carry.
    private static func seen(_ reports: [Report], ofFleet isFleet: Bool = false) -> [Int?] {
        updates(reports, ofFleet: isFleet).filter { $0.location != nil }.map { $0.sky?.seen }
    }

    @Test func `a position carries the satellites of its epoch if they came before it`() {
        let reports = (0..<3).flatMap { second in
            [Self.sky(second * 1000, Array(1...second + 4), second: second), Self.report(second * 1000 + 50, second)]
        }
        #expect(Self.seen(reports) == [4, 5, 6])
        // The first position waits for further reports, and its satellites come meanwhile.
        #expect(Self.seen([Self.report(0, 0), Self.sky(50, [1, 2], second: 0)]) == [2])
    }

    @Test func `a position whose satellites come after it carries those of the epoch before, and does not wait`() {
        let reports = (0..<4).flatMap { second in
            [Self.report(second * 1000, second), Self.sky(second * 1000 + 50, Array(1...second + 4), second: second)]
        }
        #expect(Self.seen(reports) == [4, 4, 5, 6])
        #expect(Self.positions(reports).map(\.at) == [300, 1000, 2000, 3000])
    }

    @Test func `satellites that are no longer reported belong to the positions of ten seconds`() {
        let reports = [Self.sky(0, [1, 2, 3])] + (0..<14).map { Self.report($0 * 1000 + 100, $0) }
        let seen = Self.seen(reports)
        #expect(seen.prefix(11).allSatisfy { $0 == 3 } && seen.suffix(3).allSatisfy { $0 == nil }, "\(seen)")
        #expect(seen.count == 14)
    }

    @Test func `a receiver that reports satellites every five seconds has them with each position`() {
        let reports = (0..<20).flatMap { second in
            (second % 5 == 0 ? [Self.sky(second * 1000, [1, 2, 3])] : []) + [Self.report(second * 1000 + 100, second)]
        }
        #expect(Self.seen(reports).allSatisfy { $0 == 3 })
    }

    @Test func `the satellites of one receiver do not belong to the positions of another one, with names too`() {
        let reports = [
            Self.sky(0, [1, 2], device: "/dev/a"), Self.report(100, 0, device: "/dev/b"),
            Self.report(150, 0, device: "/dev/a"), Self.report(1100, 1, device: "/dev/b"),
        ]
        for isFleet in [false, true] {
            #expect(Self.seen(reports, ofFleet: isFleet).compactMap(\.self) == [2])
        }
    }
}
