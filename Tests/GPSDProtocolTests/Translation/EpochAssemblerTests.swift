import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import GPSDProtocol

/// Tests of the moments at which an epoch is whole, and of what belongs to it.
@Suite struct EpochAssemblerTests {
    /// A report of a session: a position, satellites or another event, and the milliseconds at which it arrives.
    struct Report {
        enum Content {
            case event(LocationEvent)
            case position(Location, isLive: Bool)
        }

        let at: Int
        let content: Content
    }

    static func moment(_ milliseconds: Int) -> Moment { .after(.milliseconds(milliseconds)) }

    /// Returns a report of the epoch `second` seconds after the beginning of the session, or of one without a time.
    static func report(
        _ at: Int, _ second: Int?, device: String? = "/dev/a", latitude: Double = 45, altitude: Double? = nil,
        speed: Double? = nil, fix: FixKind = .threeD, isLive: Bool = false
    ) -> Report {
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: 7), fix: fix,
            timestamp: second.map { .testEpoch.advanced(by: .seconds($0)) }, device: device, horizontalAccuracy: 5)
        location.altitudeMSL = altitude
        location.speed = speed
        location.received = moment(at).wall
        return Report(at: at, content: .position(location, isLive: isLive))
    }

    static func sky(
        _ at: Int, _ numbers: [Int]?, second: Int? = nil, device: String? = "/dev/a",
        set: (inout SkyView) -> Void = { _ in }
    ) -> Report {
        var sky = SkyView(
            satellites: numbers?.map { Satellite(constellation: .gps, number: $0, isUsed: $0 < 10) }, device: device)
        sky.timestamp = second.map { .testEpoch.advanced(by: .seconds($0)) }
        set(&sky)
        return Report(at: at, content: .event(.satellites(sky)))
    }

    static func event(_ at: Int, _ event: LocationEvent) -> Report { Report(at: at, content: .event(event)) }

    /// Returns what an assembler emits, as the owner of a live session serves it: each deadline at its moment.
    static func updates(
        _ reports: [Report], ofFleet isFleet: Bool = false, until end: Int? = nil
    ) -> [LocationUpdate] {
        var assembler = EpochAssembler()
        assembler.isOfFleet = isFleet
        func expire(until moment: Moment) {
            while let due = assembler.deadline, due < moment { assembler.expire(at: due) }
        }
        for report in reports {
            expire(until: moment(report.at))
            switch report.content {
            case .event(let event): assembler.process(event, at: moment(report.at))
            case .position(let location, let isLive):
                assembler.process(location, isQualityKnown: false, isLive: isLive, at: moment(report.at))
            }
        }
        let last = moment(end ?? (reports.last?.at ?? 0) + 5000)
        expire(until: last)
        assembler.finish(at: last)
        return assembler.takenUpdates()
    }

    /// Returns the positions, and the milliseconds at which they are emitted.
    static func positions(
        _ reports: [Report], ofFleet isFleet: Bool = false, until end: Int? = nil
    ) -> [(at: Int, location: Location)] {
        updates(reports, ofFleet: isFleet, until: end).compactMap { update in
            update.location.map { (Int(update.moment.elapsed / .milliseconds(1)), $0) }
        }
    }

    /// Returns the views of the satellites, and the milliseconds at which they are emitted.
    static func skies(_ reports: [Report]) -> [(at: Int, sky: SkyView)] {
        updates(reports).compactMap { update in
            guard case .satellites(let sky) = update.event else { return nil }
            return (Int(update.moment.elapsed / .milliseconds(1)), sky)
        }
    }

    @Test func `the first epoch waits for its other reports, and later epochs are not delayed`() {
        let positions = Self.positions([
            Self.report(0, 0, fix: .twoD), Self.report(100, 0, altitude: 3), Self.report(1000, 1, altitude: 4),
            Self.report(1050, 1, altitude: 5), Self.report(2000, 2, altitude: 6),
        ])
        #expect(positions.map(\.at) == [300, 1000, 2000])
        #expect(positions.map(\.location.altitudeMSL) == [3, 4, 6])
        #expect(positions.map(\.location.fix) == [.threeD, .threeD, .threeD])
        #expect(positions.first?.location.received == .testEpoch, "it arrived with its first report")
    }

    @Test func `a report that lacks a field of the previous epoch waits for it`() {
        let positions = Self.positions([
            Self.report(0, 0, altitude: 3, speed: 1), Self.report(1000, 1, altitude: 4),
            Self.report(1080, 1, altitude: 4, speed: 2), Self.report(2000, 2, altitude: 5),
        ])
        #expect(positions.map(\.at) == [300, 1080, 2300])
        #expect(positions.map(\.location.speed) == [1, 2, nil])
    }

    @Test func `an epoch without a field that later reports often add does not lose that field in the next epochs`() {
        let altitudes: [Double?] = [1, 2, nil, 4, nil, nil, 7, 8]
        let reports = altitudes.enumerated().flatMap { second, altitude in
            [Self.report(second * 1000, second)]
                + (altitude.map { [Self.report(second * 1000 + 50, second, altitude: $0)] } ?? [])
        }
        #expect(Self.positions(reports).map(\.location.altitudeMSL) == altitudes)
    }

    @Test func `a report that comes after its epoch was emitted is dropped, and the next epochs wait for what it adds`()
    {
        let positions = Self.positions([
            Self.report(0, 0), Self.report(400, 0, altitude: 1), Self.report(1000, 1),
            Self.report(1050, 1, altitude: 2),
        ])
        #expect(positions.map(\.at) == [300, 1050])
        #expect(positions.map(\.location.altitudeMSL) == [nil, 2])
    }

    @Test func `a report that repeats its epoch adds nothing, and does not delay it`() {
        let epoch = { Self.report($0, $1, altitude: 3) }
        let positions = Self.positions([
            epoch(0, 0), epoch(10, 0), epoch(290, 0), epoch(1000, 1), epoch(1010, 1), epoch(1020, 1),
        ])
        #expect(positions.map(\.at) == [300, 1000])
    }

    @Test func `a field that no report adds any more delays eight to sixteen epochs`() {
        let later = (1...20).map { Self.report($0 * 1000, $0) }
        let delays = Self.positions([Self.report(0, 0), Self.report(50, 0, altitude: 1)] + later).map { $0.at % 1000 }
        #expect(delays.prefix(2) == [300, 300])
        #expect(delays.lastIndex(of: 300).map { 8...16 ~= $0 } == true)
        #expect(delays.count == 21)
    }

    @Test func `the next epoch ends the one before`() {
        let positions = Self.positions([Self.report(0, 0), Self.report(100, 1)])
        #expect(positions.map(\.at) == [100, 100], "the second report has all fields of the first")
    }

    @Test func `each receiver has epochs of its own`() {
        let positions = Self.positions([
            Self.report(0, 0), Self.report(1, 0, device: "/dev/b", altitude: 1), Self.report(100, 0, altitude: 2),
        ])
        #expect(positions.map(\.at) == [300, 301])
        #expect(positions.map(\.location.altitudeMSL) == [2, 1])
    }

    @Test func `an epoch older than the one before is late, whole, and the epoch after it is not`() {
        let positions = Self.positions([
            Self.report(0, 5, altitude: 1), Self.report(1000, 4), Self.report(1010, 4, altitude: 2),
            Self.report(2000, 6, altitude: 3),
        ])
        #expect(positions.map(\.location.isLate) == [false, true, false])
        #expect(positions.map(\.location.altitudeMSL) == [1, 2, 3])
    }

    @Test func `a recording that is cut within an epoch ends with that epoch`() {
        let positions = Self.positions([Self.report(0, 0, altitude: 1), Self.report(1000, 1)], until: 1001)
        #expect(positions.map(\.at) == [300, 1001])
        #expect(positions.map(\.location.altitudeMSL) == [1, nil])
    }

    @Test(arguments: [
        LocationEvent.searching(.noFix(seen: 1, used: 0, best: nil), device: "/dev/a"), .searching(.noDevice),
        .failure(.connectionLost(host: "a", port: 1, cause: "reset"), retry: nil),
    ])
    func `an epoch is emitted before the event that reports the loss of its receiver`(event: LocationEvent) {
        let updates = Self.updates([Self.report(0, 0), Self.sky(50, [1]), Self.event(100, event)])
        #expect(updates.map(\.event.name) == ["satellites", "location", event.name])
        #expect(updates.allSatisfy { $0.moment == Self.moment(100) })
    }

    @Test func `the loss of another receiver does not end an epoch`() {
        let loss = LocationEvent.searching(.noFix(seen: 1, used: 0, best: nil), device: "/dev/b")
        let updates = Self.updates([Self.report(0, 0), Self.event(100, loss)])
        #expect(updates.map(\.event.name) == ["searching", "location"])
    }

    @Test func `each report of a fleet's device is an epoch at once`() {
        let reports = [Self.report(0, 0), Self.report(10, 0), Self.report(20, 0, altitude: 1), Self.sky(30, [1])]
        #expect(Self.positions(reports, ofFleet: true).map(\.at) == [0, 20])
        #expect(Self.updates(reports, ofFleet: true).map(\.event.name) == ["location", "location", "satellites"])
    }

    // MARK: Reports without a time

    @Test func `the reports of a first epoch, of which gpsd knows the time from the last on, are one position`() {
        for isLive in [false, true] {
            let positions = Self.positions([
                Self.report(0, nil, isLive: isLive), Self.report(1, nil, altitude: 3, isLive: isLive),
                Self.report(2, nil, altitude: 3, isLive: isLive), Self.report(100, 0, altitude: 3, isLive: isLive),
                Self.report(1000, 1, altitude: 4, isLive: isLive),
            ])
            #expect(positions.map(\.at) == [300, 1000])
            #expect(positions.map(\.location.altitudeMSL) == [3, 4])
            #expect(positions.first?.location.timestamp == .testEpoch)
            #expect(positions.first?.location.received == .testEpoch, "it arrived with its first report")
        }
    }

    @Test func `a recorded position without a time is an epoch, for which only the first one waits`() {
        let positions = Self.positions([
            Self.report(0, nil), Self.report(10, nil, latitude: 46), Self.report(1000, nil, latitude: 46),
        ])
        #expect(positions.map(\.at) == [10, 10, 1000])
    }

    @Test func `live reports of a receiver that never has a time are one position for each of its epochs`() {
        let epochs = (0..<3).flatMap { epoch in
            [
                Self.report(epoch * 1000, nil, isLive: true), Self.report(epoch * 1000 + 5, nil, isLive: true),
                Self.report(epoch * 1000 + 20, nil, altitude: Double(epoch), isLive: true),
            ]
        }
        let positions = Self.positions(epochs)
        #expect(positions.map(\.at) == [300, 1020, 2020])
        #expect(positions.map(\.location.altitudeMSL) == [0, 1, 2])
    }

    @Test(arguments: [(45.0, 301), (45.5, 10)])
    func `a later live report without a time, or one of another place, is an epoch of its own`(
        latitude: Double, milliseconds: Int
    ) {
        let positions = Self.positions([
            Self.report(0, nil, isLive: true), Self.report(milliseconds, nil, latitude: latitude, isLive: true),
        ])
        #expect(positions.count == 2)
    }

    @Test func `the first epoch with a time after one without is assembled like the first of a session`() {
        let positions = Self.positions([
            Self.report(0, nil, latitude: 46), Self.report(0, nil), Self.report(1000, 0),
            Self.report(1010, 0, altitude: 3), Self.report(2000, 1, altitude: 4),
        ])
        #expect(positions.suffix(2).map(\.location.altitudeMSL) == [3, 4])
    }

    /// The reports of a raw log come at one moment until a report has a time.
    @Test(arguments: [1, 2, 6])
    func `the reports of the first epoch of a raw log are one position, whether or not a time follows`(count: Int) {
        let untimed = Self.report(0, nil, fix: .twoD)
        let first = [untimed] + (1..<count).map { Self.report(0, nil, altitude: Double($0)) }
        let timed = Self.positions(first + [Self.report(0, 0, altitude: 9), Self.report(1000, 1, altitude: 9)])
        #expect(timed.map(\.location.timestamp) == [.testEpoch, .testEpoch.advanced(by: .seconds(1))])
        #expect(timed.map(\.location.altitudeMSL) == [9, 9])
        let moved = Self.positions(first + [Self.report(0, nil, latitude: 46), Self.report(0, nil, latitude: 47)])
        #expect(moved.map(\.location.coordinate.latitude) == [45, 46, 47])
        #expect(Self.positions(first).count == 1)
    }

    @Test func `many reports of one coordinate and no time, as of a receiver that stands still, are separate epochs`() {
        let altitudes = (0..<20).map(Double.init)
        let positions = Self.positions(altitudes.map { Self.report(0, nil, altitude: $0) })
        #expect(positions.map(\.location.altitudeMSL) == altitudes)
        #expect(positions.allSatisfy { $0.at == 0 })
    }

    @Test func `everything is emitted in the order in which it is due`() {
        let updates = Self.updates([
            Self.sky(0, [1], device: "a"), Self.report(100, 0, device: "b"), Self.sky(200, [1], device: "c"),
            Self.report(250, 0, device: "d"),
        ])
        #expect(updates.map(\.event.device) == ["a", "b", "c", "d"])
        #expect(updates.map { $0.moment.elapsed / .milliseconds(1) } == [300, 400, 500, 550])
    }

    @Test func `gpsd reports a leap second and the one after it with one time, and both are epochs`() {
        let midnight = Timestamp(nanosecondsSince1970: 1_483_228_800_000_000_000)
        let second = Int(midnight.since(.testEpoch).inSeconds)
        let places = [45.0, 45.00001, 45.00002, 45.00003]
        let reports = zip(places, [second - 1, second, second, second + 1]).enumerated().map { index, report in
            Self.report(index * 1000, report.1, latitude: report.0)
        }
        #expect(Self.positions(reports).map(\.location.coordinate.latitude) == places)
        // At any other time a further report of an epoch that was emitted adds nothing.
        let usual = zip(places, [0, 1, 1, 2]).enumerated().map { index, report in
            Self.report(index * 1000, report.1, latitude: report.0)
        }
        #expect(Self.positions(usual).map(\.location.coordinate.latitude) == [places[0], places[1], places[3]])
    }
}
