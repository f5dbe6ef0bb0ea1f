@testable import LocationCore
import LocationTesting
import Testing

/// Tests that a report of a fleet costs the same for any number of receivers.
@Suite struct ManyReceiversTests {
    private static func moment(_ milliseconds: Int) -> Moment {
        Moment(elapsed: .milliseconds(milliseconds), wall: .testEpoch.advanced(by: .milliseconds(milliseconds)))
    }

    private static func sky(of device: String, satellites: Int = 1, at moment: Moment) -> LocationUpdate {
        let list = (0..<satellites).map { Satellite(constellation: .gps, number: $0, isUsed: false) }
        return LocationUpdate(
            .satellites(SkyView(satellites: list, timestamp: moment.wall, device: device)), at: moment)
    }

    private static func position(of device: String, at moment: Moment) -> LocationUpdate {
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), device: device)
        location.timestamp = moment.wall
        return LocationUpdate(.location(location), at: moment)
    }

    /// Returns the duration of two reports of each receiver.
    private static func duration(receivers: Int, _ process: (String, Moment) -> Void) -> Duration {
        let names = (0..<receivers).map { "device-\($0)" }
        let start = ContinuousClock.now
        for round in 0..<2 {
            for (number, name) in names.enumerated() { process(name, moment(round * 1000 + number / 100)) }
        }
        return ContinuousClock.now - start
    }

    /// A cost in proportion to the number of receivers would make ten times the receivers a hundred times as slow.
    private static func expectConstantCost(_ process: () -> (String, Moment) -> Void) {
        let few = duration(receivers: 2000, process())
        let many = duration(receivers: 20_000, process())
        #expect(many < few * 40)
    }

    @Test func `a settler of positions`() {
        Self.expectConstantCost {
            var settler = EpochSettler()
            return { settler.process(Self.position(of: $0, at: $1)) { _ in } }
        }
    }

    @Test func `a settler of satellites`() {
        Self.expectConstantCost {
            var settler = SkySettler()
            return { settler.process(Self.sky(of: $0, at: $1)) { _ in } }
        }
    }

    @Test func `every receiver's reports are settled in the order in which they are due`() {
        var (positions, skies) = (EpochSettler(), SkySettler())
        var settled: [String?] = []
        for (device, time) in [("a", 0), ("b", 100), ("c", 200)] {
            positions.process(Self.position(of: device, at: Self.moment(time))) { settled.append($0.event.device) }
            skies.process(Self.sky(of: device, at: Self.moment(time))) { settled.append($0.event.device) }
        }
        #expect(settled.isEmpty)
        // The position of "a" is settled by its next one, which is complete, so that "b" is the first that is due.
        positions.process(Self.position(of: "a", at: Self.moment(250))) { settled.append($0.event.device) }
        #expect(settled == ["a", "a"])
        settled = []
        #expect(positions.deadline == Self.moment(400) && skies.deadline == Self.moment(300))
        positions.expire(at: Self.moment(450)) { settled.append($0.event.device) }
        #expect(settled == ["b"] && positions.deadline == Self.moment(500))
        skies.expire(at: Self.moment(450)) { settled.append($0.event.device) }
        #expect(settled == ["b", "a", "b"] && skies.deadline == Self.moment(500))
        positions.expire(at: Self.moment(900)) { settled.append($0.event.device) }
        #expect(settled == ["b", "a", "b", "c"] && positions.deadline == nil)
    }

    @Test func `the satellites of a hundred thousand are kept, and the counts of more`() {
        var view = SessionView()
        for number in 0..<300 {
            view.process(Self.sky(of: "device-\(number)", satellites: 400, at: Self.moment(number)))
        }
        #expect(view["device-0"]?.sky?.satellites?.count == 400)
        #expect(view["device-249"]?.sky?.satellites?.count == 400)
        #expect(view["device-250"]?.sky?.satellites == nil && view["device-250"]?.seen == 400)
        // The room of a report that is replaced is used again.
        for number in 250..<300 {
            view.process(Self.sky(of: "device-0", satellites: 0, at: Self.moment(number)))
            view.process(Self.sky(of: "device-\(number)", satellites: 400, at: Self.moment(number)))
            view.process(Self.sky(of: "device-\(number)", satellites: 0, at: Self.moment(number)))
        }
        #expect(view["device-299"]?.sky?.satellites?.isEmpty == true)
        view.process(Self.sky(of: "device-299", satellites: 400, at: Self.moment(300)))
        #expect(view["device-299"]?.sky?.satellites?.count == 400)
    }
}
