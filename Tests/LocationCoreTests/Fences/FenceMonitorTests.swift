import Foundation
import Testing

@testable import LocationCore

@Suite struct FenceMonitorTests {
    let center = Coordinate(latitude: 45, longitude: 7)

    @Test func `walking through a fence yields one enter and one exit`() throws {
        for accuracy in [1, 3, 10, 30] as [Double] {
            var monitor = FenceMonitor(fences: [try .circle()])
            let kinds = stride(from: -400.0, through: 400, by: 1.4).enumerated().flatMap { second, metres in
                fix(&monitor, metres: metres, accuracy: accuracy, second: second)
            }
            #expect(kinds == [.outside, .enter, .exit], "accuracy \(accuracy)")
        }
    }

    @Test(arguments: [false, true], 1...8 as ClosedRange<UInt64>)
    func `fixes that scatter or drift over the border do not make the fence flap`(drifting: Bool, seed: UInt64) throws {
        var draw = SplitMix64(seed: seed)
        let fence = try Fence.circle()
        var monitor = FenceMonitor(fences: [fence])
        var (transitions, naive) = (0, 0)
        var (before, north, east) = (false, 0.0, 0.0)
        let (accuracy, border) = (8.0, center.destination(distance: 100, bearing: 50))
        // A drift is correlated over about twenty fixes.
        let memory = drifting ? exp(-1.0 / 20) : 0
        for second in 0..<600 {
            north = memory * north + (1 - memory * memory).squareRoot() * accuracy * draw.normal()
            east = memory * east + (1 - memory * memory).squareRoot() * accuracy * draw.normal()
            let place = border.destination(distance: north, bearing: 0).destination(distance: east, bearing: 90)
            let location = Location(coordinate: place, horizontalAccuracy: accuracy)
            let events = monitor.update(location, at: moment(Double(second)))
            transitions += events.count { $0.kind != .outside }
            let inside = fence.signedDistanceInside(place) > 0
            naive += inside != before ? 1 : 0
            before = inside
        }
        #expect(naive > 24)
        // One enter, and at most one exit and re-entry.
        #expect((1...3).contains(transitions))
    }

    @Test(
        arguments: [
            // Up to 2.5 accuracies outside there is never an exit; far outside it is immediate.
            (10, 124, 100, nil), (10, 130, 100, 7), (10, 150, 100, 2), (10, 156, 100, 1), (10, 400, 100, 1),
            // The margin is at least ten metres.
            (0, 109, 100, nil), (0, 123, 100, 1), (1, 109, 100, nil),
        ] as [(Double, Double, Int, Int?)])
    func `an exit needs fixes beyond their accuracy margin`(
        accuracy: Double, metres: Double, fixes: Int, exit: Int?
    ) throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        _ = fix(&monitor, metres: 0, accuracy: accuracy, second: 0)
        var left: Int?
        for second in 1...fixes where left == nil {
            if fix(&monitor, metres: metres, accuracy: accuracy, second: second) == [.exit] { left = second }
        }
        #expect(left == exit)
    }

    @Test func `a fix inside resets the evidence for an exit`() throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        _ = fix(&monitor, metres: 0, accuracy: 10, second: 0)
        for round in 1...20 {
            #expect(fix(&monitor, metres: 145, accuracy: 10, second: 2 * round) == [])
            #expect(fix(&monitor, metres: 99, accuracy: 10, second: 2 * round + 1) == [])
        }
    }

    @Test(arguments: [201, 1e6] as [Double])
    func `a fix that is too coarse for the fence is ignored`(accuracy: Double) throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        #expect(fix(&monitor, metres: 0, accuracy: accuracy, second: 0) == [])
        #expect(monitor.isInside("home") == nil)
        #expect(fix(&monitor, metres: 0, accuracy: 10, second: 1) == [.inside])
        #expect(fix(&monitor, metres: 1_000, accuracy: accuracy, second: 2) == [])
        #expect(monitor.isInside("home") == true)
    }

    @Test func `a fix that is too coarse for a fence is outside if it is far away, and leaves it`() throws {
        let center = Coordinate(latitude: 10, longitude: 10)
        var monitor = FenceMonitor(fences: [try Fence(name: "tiny", shape: .circle(center: center, radius: 5))])
        func kinds(_ latitude: Double, _ accuracy: Double, at second: Int) -> [FenceEvent.Kind] {
            let place = Coordinate(latitude: latitude, longitude: 10)
            let location = Location(coordinate: place, horizontalAccuracy: accuracy)
            return monitor.update(location, at: moment(Double(second))).map(\.kind)
        }
        #expect(kinds(45, 12, at: 0) == [.outside])
        #expect(monitor.isInside("tiny") == false)
        #expect(kinds(10, 1, at: 1) == [.enter])
        // Two margins of 30 m: it can still be inside.
        #expect(kinds(10.0005, 12, at: 2) == [])
        #expect(monitor.isInside("tiny") == true)
        #expect(kinds(10.01, 12, at: 3) == [.exit])
    }

    @Test func `a fix that is too coarse for a small fence still counts for a large one`() throws {
        let garden = try Fence(name: "garden", shape: .polygon(square(side: 30)))
        let town = try Fence(name: "town", shape: .polygon(square(side: 5_000)))
        var monitor = FenceMonitor(fences: [garden, town])
        let here = Location(coordinate: center, horizontalAccuracy: 50)
        #expect(monitor.update(here, at: moment(0)).map(\.fence) == ["town"])
    }

    @Test(arguments: [nil, -1, .nan] as [Double?])
    func `a fix of unknown accuracy is given the assumed accuracy`(accuracy: Double?) throws {
        var monitor = FenceMonitor(fences: [try .circle()], assumedAccuracy: 40)
        _ = fix(&monitor, metres: 0, accuracy: accuracy, second: 0)
        #expect(fix(&monitor, metres: 199, accuracy: accuracy, second: 1) == [])
        #expect(fix(&monitor, metres: 400, accuracy: accuracy, second: 2) == [.exit])
    }

    @Test func `a fence that is too small for all of the first thirty fixes says so once`() throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        for second in 0..<29 { #expect(fix(&monitor, metres: 0, accuracy: 201, second: second) == []) }
        #expect(fix(&monitor, metres: 0, accuracy: 201, second: 29) == [.undecided])
        for second in 30..<90 { #expect(fix(&monitor, metres: 0, accuracy: 201, second: second) == []) }
        #expect(monitor.isInside("home") == nil)
        #expect(fix(&monitor, metres: 0, accuracy: 200, second: 90) == [.inside])
        for second in 91..<190 { #expect(fix(&monitor, metres: 0, accuracy: 201, second: second) == []) }
    }

    @Test func `a fence with a time of its own has its dwell then, and others that of the list`() throws {
        var short = try Fence.circle("short")
        short.dwellAfter = .seconds(60)
        var monitor = FenceMonitor(fences: [try .circle(), short], dwellAfter: .seconds(600))
        _ = fix(&monitor, metres: 0, accuracy: 5, second: 0)
        #expect(monitor.deadline == moment(60))
        #expect(monitor.expire(at: moment(60)).map(\.fence) == ["short"])
        #expect(monitor.expire(at: moment(600)).map(\.fence) == ["home"])
        var alone = FenceMonitor(fences: [short])
        _ = fix(&alone, metres: 0, accuracy: 5, second: 0)
        #expect(alone.deadline == moment(60))
    }

    @Test func `time with fixes that are too inaccurate for the fence does not count for a dwell`() throws {
        var monitor = FenceMonitor(fences: [try .circle()], dwellAfter: .seconds(600))
        _ = fix(&monitor, metres: 0, accuracy: 5, second: 0)
        for second in 100..<200 { _ = fix(&monitor, metres: 0, accuracy: 201, second: second) }
        #expect(monitor.deadline == nil)
        _ = fix(&monitor, metres: 0, accuracy: 5, second: 200)
        #expect(monitor.deadline == moment(700))
    }

    @Test func `a stay yields one dwell event when the dwell time has passed`() throws {
        var monitor = FenceMonitor(fences: [try .circle()], dwellAfter: .seconds(300))
        #expect(monitor.deadline == nil)
        _ = fix(&monitor, metres: 10, accuracy: 5, second: 100)
        #expect(monitor.deadline == moment(400))
        _ = fix(&monitor, metres: 20, accuracy: 5, second: 200)
        #expect(monitor.expire(at: moment(399)) == [])
        let place = center.destination(distance: 20, bearing: 90)
        let dwell = FenceEvent(fence: "home", kind: .dwell, moment: moment(400), coordinate: place)
        #expect(monitor.expire(at: moment(401)) == [dwell])
        #expect(monitor.deadline == nil)
        #expect(monitor.expire(at: moment(900)) == [])
    }

    @Test func `a dwell that is due precedes the exit`() throws {
        var monitor = FenceMonitor(fences: [try .circle()], dwellAfter: .seconds(300))
        _ = fix(&monitor, metres: 0, accuracy: 5, second: 0)
        #expect(fix(&monitor, metres: 900, accuracy: 5, second: 301) == [.dwell, .exit])
    }

    @Test func `leaving early cancels the dwell, and returning restarts it`() throws {
        var monitor = FenceMonitor(fences: [try .circle()], dwellAfter: .seconds(300))
        _ = fix(&monitor, metres: 0, accuracy: 5, second: 0)
        #expect(fix(&monitor, metres: 900, accuracy: 5, second: 299) == [.exit])
        #expect(monitor.deadline == nil)
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 1_000) == [.enter])
        #expect(monitor.deadline == moment(1_300))
    }

    @Test func `several dwells are reported in the order of their deadlines`() throws {
        let wider = try Fence(name: "wider", shape: .circle(center: center, radius: 300))
        var monitor = FenceMonitor(fences: [try .circle(), wider], dwellAfter: .seconds(60))
        _ = fix(&monitor, metres: 200, accuracy: 5, second: 0)
        _ = fix(&monitor, metres: 0, accuracy: 5, second: 30)
        #expect(monitor.deadline == moment(60))
        #expect(monitor.expire(at: moment(90)).map(\.fence) == ["wider", "home"])
    }

    @Test func `a dwell time of zero yields a dwell with the first fix inside`() throws {
        var monitor = FenceMonitor(fences: [try .circle()], dwellAfter: .zero)
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 0) == [.inside, .dwell])
    }

    @Test func `a margin of zero still distinguishes inside from outside`() throws {
        var monitor = FenceMonitor(fences: [try .circle()], minimumMargin: 0)
        #expect(fix(&monitor, metres: 0, accuracy: 0, second: 0) == [.inside])
        #expect(fix(&monitor, metres: 100.1, accuracy: 0, second: 1) == [.exit])
    }

    @Test(
        arguments: [
            (nil, 49, nil), (nil, 63, 1), (5, 44, nil), (5, 47.25, 3), (5, 52, 1), (0, 40.1, 1),
        ] as [(Double?, Double, Int?)])
    func `a margin of the fence replaces that by accuracy`(margin: Double?, metres: Double, exit: Int?) throws {
        var fence = try Fence(name: "anchor", shape: .circle(center: center, radius: 40))
        fence.margin = margin
        var monitor = FenceMonitor(fences: [fence])
        _ = fix(&monitor, metres: 0, accuracy: 4, second: 0)
        let kinds = (1...100).map { fix(&monitor, metres: metres, accuracy: 4, second: $0) }
        #expect(kinds.firstIndex(of: [.exit]).map { $0 + 1 } == exit)
    }

    @Test func `a small margin does not make an exit of a position that is too inaccurate`() throws {
        var fence = try Fence.circle()
        fence.margin = 0
        var monitor = FenceMonitor(fences: [fence])
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 0) == [.inside])
        #expect(fix(&monitor, metres: 150, accuracy: 250, second: 1) == [])
    }

    @Test func `an anchor is where the first position is that is accurate to half its radius`() throws {
        var monitor = FenceMonitor(fences: [try Fence(name: "anchor", shape: .anchor(radius: 40))])
        #expect(fix(&monitor, metres: 500, accuracy: 21, second: 0) == [])
        #expect(monitor.isInside("anchor") == nil && monitor.placed[0].center == nil)
        #expect(fix(&monitor, metres: 100, accuracy: 20, second: 1) == [.inside])
        #expect(monitor.placed[0].center == center.destination(distance: 100, bearing: 90))
        // From then on it is a fence like others, which adding it again does not move.
        monitor.add(try Fence(name: "anchor", shape: .anchor(radius: 40)))
        #expect(fix(&monitor, metres: 130, accuracy: 70, second: 2) == [])
        #expect(fix(&monitor, metres: 170, accuracy: 4, second: 3) == [.exit])
        #expect(fix(&monitor, metres: 110, accuracy: 4, second: 4) == [.enter])
    }

    @Test func `an anchor without a good position is undecided`() throws {
        var monitor = FenceMonitor(fences: [try Fence(name: "anchor", shape: .anchor(radius: 10))])
        let kinds = (0..<40).flatMap { fix(&monitor, metres: 0, accuracy: 6, second: $0) }
        #expect(kinds == [.undecided])
    }

    private func square(side: Double) -> [Coordinate] {
        [45, 135, 225, 315].map { center.destination(distance: side / 2 * 2.0.squareRoot(), bearing: $0) }
    }

    /// Processes a fix `metres` east of the centre and returns the kinds of its events.
    private func fix(
        _ monitor: inout FenceMonitor, metres: Double, accuracy: Double?, second: Int
    ) -> [FenceEvent.Kind] {
        let place = center.destination(distance: metres, bearing: 90)
        let location = Location(coordinate: place, horizontalAccuracy: accuracy)
        return monitor.update(location, at: moment(Double(second))).map(\.kind)
    }
}
