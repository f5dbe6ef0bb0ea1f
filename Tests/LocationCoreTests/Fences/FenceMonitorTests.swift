import Foundation
import TestSupport
import Testing

@testable import LocationCore

@Suite struct FenceMonitorTests {
    let center = Coordinate(latitude: 45, longitude: 7)

    @Test(arguments: [1, 3, 10, 30] as [Double])
    func `walking through a fence yields one enter and one exit`(accuracy: Double) throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        let kinds = stride(from: -400.0, through: 400, by: 1.4).enumerated().flatMap { second, metres in
            fix(&monitor, metres: metres, accuracy: accuracy, second: second)
        }
        #expect(kinds == [.outside, .enter, .exit])
    }

    @Test(arguments: [(3.0, 9.0, 15.0), (1, 3, 35), (20, 5, 3), (3, 40, 25)])
    func `a receiver that walks away is out after the radius, the margin, the accuracy and two epochs`(
        speed: Double, accuracy: Double, seconds: Double
    ) throws {
        let anchor = try Fence(name: "anchor", shape: .circle(center: center, radius: 20))
        var monitor = FenceMonitor(fences: [anchor])
        _ = fix(&monitor, metres: 0, accuracy: accuracy, second: 0)
        let exit = (1...100).first { second in
            fix(&monitor, metres: speed * Double(second), accuracy: accuracy, second: second) == [.exit]
        }
        #expect(Double(try #require(exit)) <= seconds)
        #expect(speed * seconds <= 20 + 10 + accuracy + 2 * speed)
    }

    @Test(arguments: [(false, 8.0), (false, 50), (true, 8), (true, 50)], 1...8 as ClosedRange<UInt64>)
    func `fixes that scatter or drift over the border do not make the fence flap`(
        scatter: (drifting: Bool, accuracy: Double), seed: UInt64
    ) throws {
        let (drifting, accuracy) = scatter
        var draw = SplitMix64(seed: seed)
        let fence = try Fence.circle()
        var monitor = FenceMonitor(fences: [fence])
        var (transitions, naive) = (0, 0)
        var (before, north, east) = (false, 0.0, 0.0)
        let border = center.destination(distance: 100, bearing: 50)
        // An accuracy is the radius that contains 95 % of the fixes.
        let deviation = accuracy / 2.45
        // A drift is correlated over about twenty fixes.
        let memory = drifting ? exp(-1.0 / 20) : 0
        for second in 0..<600 {
            north = memory * north + (1 - memory * memory).squareRoot() * deviation * draw.normal()
            east = memory * east + (1 - memory * memory).squareRoot() * deviation * draw.normal()
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
            // Up to the margin and the accuracy outside there is never an exit; far outside it is immediate.
            (10, nil, 119.9, nil), (10, nil, 120.1, 2), (10, nil, 150, 2), (10, nil, 156, 1), (10, nil, 400, 1),
            // The margin is at least ten metres.
            (0, nil, 109, nil), (0, nil, 123, 1), (1, nil, 109, nil), (4, nil, 109, nil), (4, nil, 123, 1),
            // A margin of the fence replaces it.
            (4, 5, 104, nil), (4, 5, 107.25, 3), (4, 5, 109.1, 2), (4, 5, 112, 1), (4, 0, 100.1, 1),
        ] as [(Double, Double?, Double, Int?)])
    func `an exit needs fixes beyond the margin and their accuracy, or beyond the margin of the fence`(
        accuracy: Double, margin: Double?, metres: Double, exit: Int?
    ) throws {
        var fence = try Fence.circle()
        fence.margin = margin
        var monitor = FenceMonitor(fences: [fence])
        _ = fix(&monitor, metres: 0, accuracy: accuracy, second: 0)
        let kinds = (1...100).map { fix(&monitor, metres: metres, accuracy: accuracy, second: $0) }
        #expect(kinds.firstIndex(of: [.exit]).map { $0 + 1 } == exit)
    }

    @Test func `a fix inside resets the evidence for an exit`() throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        _ = fix(&monitor, metres: 0, accuracy: 10, second: 0)
        for round in 1...20 {
            #expect(fix(&monitor, metres: 150, accuracy: 10, second: 2 * round) == [])
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

    @Test(arguments: [1, 5, 10])
    func `a fence that is too small for all fixes of thirty seconds says so once`(interval: Int) throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        for second in stride(from: 0, to: 30, by: interval) {
            #expect(fix(&monitor, metres: 0, accuracy: 201, second: second) == [])
        }
        #expect(fix(&monitor, metres: 0, accuracy: 201, second: 30) == [.undecided])
        for second in 31..<90 { #expect(fix(&monitor, metres: 0, accuracy: 201, second: second) == []) }
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

    /// Fixes at their seconds and metres east of the middle of a fence, with their accuracies, and the events.
    typealias Stay = (
        name: String, dwellAfter: Int, fixes: [(second: Int, metres: Double, accuracy: Double)], events: [String]
    )

    private static let stays: [Stay] = [
        ("a stay has one dwell", 300, [(100, 10, 5), (200, 20, 5)], ["inside 100", "dwell 400"]),
        ("a dwell precedes the exit", 300, [(0, 0, 5), (301, 900, 5)], ["inside 0", "dwell 300", "exit 301"]),
        (
            "leaving early cancels the dwell, and returning restarts it", 300,
            [(0, 0, 5), (299, 900, 5), (1000, 0, 5)], ["inside 0", "exit 299", "enter 1000", "dwell 1300"]
        ),
        ("a dwell after no time comes with the first fix inside", 0, [(0, 0, 5)], ["inside 0", "dwell 0"]),
        (
            "time with fixes that are too inaccurate for the fence does not count", 600,
            [(0, 0, 5)] + (100..<200).map { ($0, 0, 201) } + [(200, 0, 5)], ["inside 0", "dwell 700"]
        ),
    ]

    @Test(arguments: stays, [true, false])
    func `a stay is a dwell as of its deadline, however late that is noticed`(stay: Stay, inTime: Bool) throws {
        var monitor = FenceMonitor(fences: [try .circle()], dwellAfter: .seconds(stay.dwellAfter))
        var events: [FenceEvent] = []
        func expire(until end: Moment) {
            while let due = monitor.deadline, due <= end {
                #expect(monitor.expire(at: due.advanced(by: .seconds(-1))) == [])
                events += monitor.expire(at: inTime ? due : end)
            }
        }
        #expect(monitor.deadline == nil)
        for (second, metres, accuracy) in stay.fixes {
            let now = moment(Double(second))
            if inTime { expire(until: now) }
            events += monitor.update(location(metres: metres, accuracy: accuracy), at: now)
        }
        expire(until: moment(10_000))
        #expect(events.map { "\($0.kind) \(Int($0.moment.elapsed.inSeconds))" } == stay.events)
        #expect(events.last?.coordinate == location(metres: stay.fixes.last?.metres ?? 0, accuracy: nil).coordinate)
        #expect(monitor.expire(at: moment(20_000)) == [])
    }

    @Test func `several dwells are reported in the order of their deadlines`() throws {
        let wider = try Fence(name: "wider", shape: .circle(center: center, radius: 300))
        var monitor = FenceMonitor(fences: [try .circle(), wider], dwellAfter: .seconds(60))
        _ = fix(&monitor, metres: 200, accuracy: 5, second: 0)
        _ = fix(&monitor, metres: 0, accuracy: 5, second: 30)
        #expect(monitor.deadline == moment(60))
        #expect(monitor.expire(at: moment(90)).map(\.fence) == ["wider", "home"])
    }

    @Test func `a margin of zero still distinguishes inside from outside`() throws {
        var monitor = FenceMonitor(fences: [try .circle()], minimumMargin: 0)
        #expect(fix(&monitor, metres: 0, accuracy: 0, second: 0) == [.inside])
        #expect(fix(&monitor, metres: 100.1, accuracy: 0, second: 1) == [.exit])
    }

    @Test func `a small margin does not make an exit of a position that is too inaccurate`() throws {
        var fence = try Fence.circle()
        fence.margin = 0
        var monitor = FenceMonitor(fences: [fence])
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 0) == [.inside])
        #expect(fix(&monitor, metres: 150, accuracy: 250, second: 1) == [])
    }

    private func anchor(_ radius: Double, margin: Double? = nil) throws -> FenceMonitor {
        var fence = try Fence(name: "anchor", shape: .anchor(radius: radius))
        fence.margin = margin
        return FenceMonitor(fences: [fence])
    }

    @Test(arguments: [4, 10.1, 20, 500] as [Double])
    func `an anchor drops at the first position`(accuracy: Double) throws {
        var monitor = try anchor(20)
        #expect(monitor.placed[0].center == nil)
        #expect(fix(&monitor, metres: 300, accuracy: accuracy, second: 0) == [.inside])
        #expect(monitor.isInside("anchor") == true)
        #expect(monitor.placed[0].center == center.destination(distance: 300, bearing: 90))
        // From then on it is a fence like others, which adding it again does not move.
        monitor.add(try Fence(name: "anchor", shape: .anchor(radius: 20)))
        #expect(monitor.isInside("anchor") == true)
        #expect(fix(&monitor, metres: 3000, accuracy: 4, second: 1) == [.exit])
        #expect(fix(&monitor, metres: 305, accuracy: 4, second: 2) == [.enter])
    }

    @Test(
        arguments: [(10.1, nil, 30.2), (4, nil, 24.1), (50, nil, 70.1), (10, 30, 50.1)] as [(Double, Double?, Double)])
    func `a boat leaves its anchor with two positions in a row that are outside by more than their accuracy`(
        accuracy: Double, margin: Double?, metres: Double
    ) throws {
        var monitor = try anchor(20, margin: margin)
        #expect(fix(&monitor, metres: 0, accuracy: accuracy, second: 0) == [.inside])
        for round in 1...5 {
            // One alone is an error, and so are those that are nearer.
            #expect(fix(&monitor, metres: metres, accuracy: accuracy, second: 3 * round) == [])
            #expect(fix(&monitor, metres: metres - 0.3, accuracy: accuracy, second: 3 * round + 1) == [])
        }
        #expect(fix(&monitor, metres: metres, accuracy: accuracy, second: 20) == [])
        #expect(fix(&monitor, metres: metres, accuracy: accuracy, second: 21) == [.exit])
    }

    @Test func `an anchor watch that cannot judge says so after thirty seconds, and again after it could`() throws {
        var monitor = try anchor(20)
        let kinds = (0..<90).flatMap { fix(&monitor, metres: 0, accuracy: 41, second: $0) }
        #expect(kinds == [.inside, .undecided] && monitor.isInside("anchor") == true)
        #expect(fix(&monitor, metres: 0, accuracy: 40, second: 90) == [])
        for second in 91..<121 { #expect(fix(&monitor, metres: 0, accuracy: 41, second: second) == []) }
        #expect(fix(&monitor, metres: 0, accuracy: 41, second: 121) == [.undecided])
    }

    @Test func `a boat that drifts at 1 m in a second is noticed before it is 50 m away, with positions of 10.1 m`()
        throws
    {
        var monitor = try anchor(20)
        let exit = (0...107).first { second in
            fix(&monitor, metres: Double(second), accuracy: 10.1, second: second) == [.exit]
        }
        #expect(exit == 32)
    }

    @Test func `a better position within the error of the first one corrects an anchor until it is good enough`() throws
    {
        var monitor = try anchor(20)
        func place(_ metres: Double, _ accuracy: Double, _ second: Int) -> Double? {
            #expect(fix(&monitor, metres: metres, accuracy: accuracy, second: second) == (second == 0 ? [.inside] : []))
            return monitor.placed[0].center.map { ($0.distance(to: center) * 10).rounded() / 10 }
        }
        #expect(place(0, 60, 0) == 0)
        #expect(place(50, 30, 1) == 50 && monitor.hasCorrectedAnchor)
        // Not better, too far from the first one, and then good enough.
        #expect(place(40, 30, 2) == 50 && !monitor.hasCorrectedAnchor)
        #expect(place(61, 29, 3) == 50)
        #expect(place(45, 10, 4) == 45)
        #expect(place(47, 4, 5) == 45 && !monitor.hasCorrectedAnchor)
    }

    @Test func `a fence that is replaced is judged anew, and the same fence again changes nothing`() throws {
        var monitor = FenceMonitor(fences: [try .circle()])
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 0) == [.inside])
        monitor.add(try .circle())
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 1) == [])
        monitor.add(try .circle(latitude: 45.0002))
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 2) == [.inside])
        monitor.remove("home")
        monitor.remove("nothing")
        #expect(monitor.fences.isEmpty && monitor.isInside("home") == nil)
        #expect(fix(&monitor, metres: 0, accuracy: 5, second: 3) == [])
    }

    private func square(side: Double) -> [Coordinate] {
        [45, 135, 225, 315].map { center.destination(distance: side / 2 * 2.0.squareRoot(), bearing: $0) }
    }

    /// Returns a position east of the centre.
    private func location(metres: Double, accuracy: Double?) -> Location {
        Location(coordinate: center.destination(distance: metres, bearing: 90), horizontalAccuracy: accuracy)
    }

    /// Processes a fix `metres` east of the centre and returns the kinds of its events.
    private func fix(
        _ monitor: inout FenceMonitor, metres: Double, accuracy: Double?, second: Int
    ) -> [FenceEvent.Kind] {
        monitor.update(location(metres: metres, accuracy: accuracy), at: moment(Double(second))).map(\.kind)
    }
}
