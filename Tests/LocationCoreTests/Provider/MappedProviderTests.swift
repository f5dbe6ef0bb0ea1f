import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct MappedProviderTests {
    private static let lost = LocationError.connectionLost(host: "pi.local", port: 2947, cause: "reset by peer")
    private let clock = ManualClock()

    private func recording(
        of provider: some LocationProvider, for request: LocationRequest = .everything
    ) async throws -> RecordedSession {
        let recorder = LocationRecorder(provider, for: request)
        let end = Task { try await recorder.untilEnded() }
        return try await clock.advance(untilEndOf: end)
    }

    private static func shifted(_ location: Location, north: Double) -> Location {
        var copy = location
        let place = location.coordinate
        copy.coordinate = Coordinate(latitude: place.latitude + north, longitude: place.longitude)
        return copy
    }

    @Test func `a mapped position is what the session has, at the same moment`() async throws {
        let source = ScriptedLocationSource([.wait(.seconds(3)), .location(1, 2), .end], clock: clock)
        let session = try await recording(of: source.mapLocations { Self.shifted($0, north: 10) })
        #expect(session.locations.map(\.coordinate.latitude) == [11])
        #expect(session.updates.map(\.moment.elapsed) == [.seconds(3)])
        #expect(session.states.last?.location?.coordinate.latitude == 11)
    }

    @Test func `a position that is dropped has no effect, and other events pass`() async throws {
        let source = ScriptedLocationSource(
            [.location(1, 2), .searching(.noDevice), .wait(.seconds(1)), .location(3, 4), .end], clock: clock)
        let session = try await recording(
            of: source.compactMapLocations { $0.coordinate.latitude > 2 ? $0 : nil })
        #expect(session.locations.map(\.coordinate.latitude) == [3])
        #expect(StatePattern.match([.searching, .found], session.states))
    }

    @Test func `events are changed and dropped like positions`() async throws {
        let source = ScriptedLocationSource(
            [.searching(.noDevice), .error(.locationUnknown), .location(1, 2), .end], clock: clock)
        let mapped = source.mapEvents { event in
            if case .searching = event { .searching(.starting) } else { event }
        }.compactMapEvents { event in
            if case .failure = event { nil } else { event }
        }
        let session = try await recording(of: mapped)
        #expect(session.updates.map(\.event.name) == ["searching", "location"])
        #expect(session.updates.first?.event == .searching(.starting))
    }

    private struct Fleet: LocationProvider {
        let base: any LocationProvider

        func updates(for request: LocationRequest) -> LocationUpdates { base.updates(for: request).namingSubjects() }
    }

    @Test func `each event of a fleet has its subject, which a change of its device changes`() async throws {
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
        location.device = "bus/1"
        let fleet = Fleet(
            base: ScriptedLocationSource([.searching(.noDevice), .location(location), .end], clock: clock))
        func subjects(_ provider: some LocationProvider) async throws -> [String?] {
            try await provider.updates().reduce(into: []) { $0.append($1.subject) }
        }
        #expect(try await subjects(fleet) == [nil, "bus/1"])
        let renamed = fleet.mapLocations { location in
            var copy = location
            copy.device = location.device.map { $0 + "0" }
            return copy
        }
        #expect(try await subjects(renamed) == [nil, "bus/10"])
        #expect(try await recording(of: renamed).locations.map(\.device) == ["bus/10"])
    }

    @Test func `the satellites of a position stay with the changed one`() async throws {
        let sky = SkyView(satellites: [Satellite(prn: 5, signal: 40, isUsed: true)])
        let source = ScriptedLocationSource([.satellites(sky), .location(1, 2), .end], clock: clock)
        let session = try await recording(of: source.mapLocations { Self.shifted($0, north: 1) })
        #expect(session.updates.last?.sky?.satellites?.count == 1)
    }

    @Test func `the request of a session and later filters see the changed position`() async throws {
        let source = ScriptedLocationSource([.location(1, 2, accuracy: 50), .end], clock: clock)
        let precise = source.mapLocations { location in
            var copy = location
            copy.horizontalAccuracy = 5
            return copy
        }
        let request = LocationRequest(accuracy: 10)
        #expect(try await recording(of: precise, for: request).locations.count == 1)
        #expect(try await recording(of: precise.filtered(by: request)).locations.count == 1)
        #expect(try await recording(of: source, for: request).locations.isEmpty)
    }

    @Test func `an earlier filter sees the position as it was, and what it withholds keeps the state`()
        async throws
    {
        let steps = (0..<8).flatMap { [ScriptStep.location(1, 2 + Double($0) * 1e-6), .wait(.seconds(1))] }
        let source = ScriptedLocationSource(steps + [.end], clock: clock)
        let mapped = source.moved(by: 10).mapLocations { Self.shifted($0, north: 5) }
        let session = try await recording(of: mapped)
        #expect(session.locations.map(\.coordinate.latitude) == [6])
        // Positions behind the filter are no silence.
        #expect(session.states.count == 2)

        let coarse = source.filtered(by: LocationRequest(accuracy: 1)).mapLocations { Self.shifted($0, north: 5) }
        let none = try await recording(of: coarse)
        #expect(none.locations.isEmpty && none.states.allSatisfy { $0.location == nil })
        let all = try await clock.advance(
            untilEndOf: Task { try await mapped.locations().reduce(into: 0) { count, _ in count += 1 } })
        #expect(all == 1)
    }

    @Test(arguments: [false, true])
    func `a filter before an operator withholds nothing because of a position that a later filter has withheld`(
        intervalIsFirst: Bool
    ) async throws {
        // The receiver stands for ten seconds; at eleven it is 111 m further.
        let steps = (0...20).flatMap { second in
            [
                ScriptStep.location(1, second < 11 ? 2 : 2.001), .satellites(SkyView(satellites: nil, seen: 9)),
                .wait(.seconds(1)),
            ]
        }
        let source = ScriptedLocationSource(steps + [.end], clock: clock)
        func shown(_ provider: some LocationProvider) async throws -> [Duration] {
            let session = try await recording(of: provider)
            let end = Task { try await provider.locations().reduce(into: []) { $0.append($1.coordinate) } }
            #expect(try await clock.advance(untilEndOf: end) == session.locations.map(\.coordinate))
            let moments = session.updates.filter { $0.event.location != nil }.map(\.moment.elapsed)
            return moments.map { $0 - moments[0] }
        }
        let interval = Duration.seconds(10)
        if intervalIsFirst {
            let mapped = source.atMostEvery(interval).mapLocations { $0 }
            #expect(try await shown(mapped.moved(by: 100)) == [.zero, .seconds(11)])
        } else {
            let mapped = source.moved(by: 100).mapLocations { $0 }
            #expect(try await shown(mapped.atMostEvery(interval)) == [.zero, .seconds(11)])
        }
    }

    @Test func `a limit of a mapped provider is that of the base's clock`() async throws {
        let mapped = ScriptedLocationSource([.hang], clock: clock).mapLocations { $0 }
        let asking = Task { try await mapped.current(within: .seconds(30)) }
        await #expect(throws: LocationError.self) { try await clock.advance(untilEndOf: asking) }
        #expect(clock.now.elapsed == .seconds(30))
    }

    private static func subject(
        _ make: (ScriptedLocationSource) -> any LocationProvider
    ) -> ConformanceSubject {
        let clock = ManualClock()
        let source = ScriptedLocationSource(clock: clock)
        return ConformanceSubject(
            make(source), emit: { source.forceLocation(Sample.gate) }, end: { source.end() },
            fail: {
                source.end(throwing: Self.lost)
                return Self.lost
            }, runningSessions: { source.runningSessions }, clock: clock)
    }

    static let mapping = LocationProviderConformance("a mapped source") {
        subject { $0.mapLocations { $0 } }
    }
    @Test(arguments: mapping.checks)
    func `an operator is a proper provider`(check: LocationProviderConformance.Check) async throws {
        try await check.run()
    }
}
