import LocationTesting
import TestSupport
import Testing

@testable import LocationCore

@Suite struct LocationFilterTests {
    private func admitted(_ request: LocationRequest, _ updates: [LocationUpdate]) -> [Bool] {
        var filter = LocationFilter(request)
        return updates.map { filter.admits($0) }
    }

    private func update(_ location: Location, _ seconds: Double = 0) -> LocationUpdate {
        LocationUpdate(.location(location), at: .after(.seconds(seconds)))
    }

    private let time = Timestamp.testEpoch

    @Test func `an event other than a position always passes`() {
        let events: [LocationEvent] = [
            .searching(.noDevice), .failure(.cancelled), .satellites(SkyView(satellites: nil)),
            .device(DeviceStatus(path: "/dev/a")), .authorization(.denied), .notice(.message("hello")),
            .clock(ClockSample(.pulse, receiverTime: time, hostTime: time)),
        ]
        let request = LocationRequest(accuracy: 1, distanceFilter: 1, minimumInterval: .seconds(1), maxAge: .seconds(1))
        #expect(admitted(request, events.map { LocationUpdate($0, at: .after(.zero)) }).allSatisfy { $0 })
    }

    @Test(arguments: [(9.9, true), (10, true), (10.1, false), (nil, false)])
    func `a position of insufficient or unknown accuracy is rejected`(accuracy: Double?, passes: Bool) {
        let location = Sample.gate.with { $0.horizontalAccuracy = accuracy }
        #expect(admitted(LocationRequest(accuracy: 10), [update(location)]) == [passes])
    }

    @Test(arguments: [(0, true), (10, true), (10.1, false), (-5, true), (nil, false)])
    func `a position that is too old or of unknown age is rejected`(age: Double?, passes: Bool) {
        let sent = Sample.gate.with { $0.timestamp = time }
        let location = age.map { age in sent.with { $0.received = time.advanced(by: .seconds(age)) } } ?? sent
        #expect(admitted(LocationRequest(maxAge: .seconds(10)), [update(location)]) == [passes])
        #expect(admitted(LocationRequest(maxAge: .seconds(10)), [update(Sample.gate.arrived)]) == [false])
    }

    @Test(arguments: [nil, Duration.seconds(10)]) func `a session knows whether a filter limits the age`(age: Duration?)
    {
        let filters = SessionFilters([
            LocationFilter(LocationRequest(accuracy: 5)), LocationFilter(LocationRequest(maxAge: age)),
        ])
        #expect(filters.limitsAge == (age != nil))
    }

    @Test func `the distance is measured from the last admitted position`() {
        let updates = [0, 1, 2, 3, 4].map { update(Sample.numbered($0)) }
        #expect(admitted(LocationRequest(distanceFilter: 200), updates) == [true, false, true, false, true])
    }

    @Test func `a position rejected by another criterion does not become the last one`() {
        let coarse = Sample.numbered(1).with { $0.horizontalAccuracy = 99 }
        let updates = [update(Sample.gate), update(coarse), update(Sample.numbered(2))]
        #expect(admitted(LocationRequest(accuracy: 10, distanceFilter: 200), updates) == [true, false, true])
    }

    private static let interval = LocationRequest(minimumInterval: .seconds(10))
    private static let distance = LocationRequest(distanceFilter: 100)

    /// The ways to demand that a position is 100 m from the last one, and ten seconds after it.
    @Test(
        arguments: [
            { ($0, LocationRequest(distanceFilter: 100, minimumInterval: .seconds(10))) },
            { ($0.moved(by: 100), interval) },
            { ($0.atMostEvery(.seconds(10)), distance) },
            { ($0.atMostEvery(.seconds(10)).moved(by: 100), .everything) },
            { ($0.moved(by: 100).atMostEvery(.seconds(10)), .everything) },
        ] as [@Sendable (ScriptedLocationSource) -> (any LocationProvider, LocationRequest)])
    func `an interval and a distance hold together in every spelling`(
        filtered: @Sendable (ScriptedLocationSource) -> (any LocationProvider, LocationRequest)
    ) async throws {
        func times(_ provider: some LocationProvider, _ request: LocationRequest) async throws -> [Duration?] {
            var times: [Duration?] = []
            for try await location in provider.locations(for: request) {
                times.append(location.timestamp?.since(.testEpoch))
            }
            return times
        }
        let clock = ManualClock()
        // The receiver stands for ten seconds; at eleven it is 111 m further.
        let script = (0...30).flatMap { second -> [ScriptStep] in
            [.place(Sample.numbered(second < 11 ? 0 : 1).coordinate, accuracy: 5), .wait(.seconds(1))]
        }
        let (provider, request) = filtered(ScriptedLocationSource(script + [.end], clock: clock))
        let task = Task { try await times(provider, request) }
        #expect(try await clock.advance(untilEndOf: task) == [.zero, .seconds(11)])
    }

    @Test func `a position of negative accuracy is one of unknown accuracy`() {
        var location = Sample.gate
        for accuracy in [\Location.horizontalAccuracy, \.verticalAccuracy, \.timeAccuracy, \.speedAccuracy] {
            location[keyPath: accuracy] = -1
            #expect(location[keyPath: accuracy] == nil)
        }
        #expect(Location(coordinate: location.coordinate, horizontalAccuracy: -1).horizontalAccuracy == nil)
        #expect(admitted(LocationRequest(accuracy: 10), [update(location)]) == [false])
        location.horizontalAccuracy = 0
        #expect(location.horizontalAccuracy == 0)
    }

    @Test func `each receiver is compared with its own last position`() {
        let (a, b) = (Sample.gate.with { $0.device = "/dev/a" }, Sample.gate.with { $0.device = "/dev/b" })
        let updates = [update(a), update(b), update(a), update(b)]
        #expect(admitted(LocationRequest(distanceFilter: 1), updates) == [true, true, false, false])
    }
}
