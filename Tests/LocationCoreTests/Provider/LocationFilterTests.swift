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
        var filters = SessionFilters(for: LocationRequest(accuracy: 5))
        filters.append(LocationRequest(maxAge: age))
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

    /// The place of a filter in a session, in the order of `SessionFilters`.
    enum Place: CaseIterable { case provider, request, selection }

    @Test(arguments: Place.allCases, Place.allCases)
    func `a move is not reported an interval late because another filter has withheld the position before it`(
        intervalPlace: Place, distancePlace: Place
    ) {
        // Two filters of the provider, but one of the request and of the selection.
        guard intervalPlace != distancePlace || intervalPlace == .provider else { return }
        var request = LocationRequest.everything
        var selection = LocationRequest.everything
        var provided: [LocationRequest] = []
        for (place, filter) in [(intervalPlace, Self.interval), (distancePlace, Self.distance)] {
            switch place {
            case .provider: provided.append(filter)
            case .request: request = filter
            case .selection: selection = filter
            }
        }
        var filters = SessionFilters(for: request)
        for filter in provided { filters.append(filter) }
        var tracker = Tracker(filters: filters, selection: selection)
        var shown: [Duration] = []
        // The receiver stands for ten seconds; at eleven it is 111 m further.
        for second in 0...30 {
            var location = Sample.numbered(second < 11 ? 0 : 1)
            location.timestamp = time.advanced(by: .seconds(second))
            for case (_, .current)? in tracker.results(of: update(location, Double(second))).map(\.position) {
                shown.append(.seconds(second))
            }
        }
        #expect(shown == [.zero, .seconds(11)])
    }

    @Test func `another request replaces that of the session, and what a provider demands by itself stays`() {
        func admits(_ filters: SessionFilters, accuracy: Double) -> Bool {
            var filters = filters
            return filters.admit(update(Sample.gate.with { $0.horizontalAccuracy = accuracy })) == .admitted
        }
        let (strict, loose) = (LocationRequest(accuracy: 10), LocationRequest(accuracy: 50))
        var own = SessionFilters(for: strict)
        #expect(admits(own.replacing(strict, by: loose), accuracy: 30))
        own.append(LocationRequest(accuracy: 20))
        #expect(!admits(own.replacing(strict, by: loose), accuracy: 30))
        // The provider has asked another one for less than its client.
        #expect(!admits(SessionFilters(for: strict).replacing(loose, by: loose), accuracy: 30))
        // It has applied the request of its client by itself.
        var applied = SessionFilters()
        applied.append(strict)
        #expect(admits(applied.replacing(strict, by: loose), accuracy: 30))
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
