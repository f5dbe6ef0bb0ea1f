import LocationCore
import LocationTesting
import TestSupport
import Testing

/// Positions and errors shared by the tests.
enum Sample {
    static let gate = Coordinate(latitude: 52.5163, longitude: 13.3777)
    static let here = Location(coordinate: gate, horizontalAccuracy: 5)
    static let there = Location(coordinate: Coordinate(latitude: 48.2082, longitude: 16.3738), horizontalAccuracy: 8)
    static let lost = LocationError.connectionLost(host: "localhost", port: 2947, cause: "reset by peer")
}

@Suite struct ScriptedLocationSourceTests {
    private let clock = ManualClock()

    /// Returns all updates of a session that ends by itself.
    private func all(
        _ source: ScriptedLocationSource, _ request: LocationRequest = .everything
    ) async throws -> [LocationUpdate] {
        try await source.updates(for: request).reduce(into: []) { $0.append($1) }
    }

    @Test func `a script emits its events in order and at their moments`() async throws {
        let source = ScriptedLocationSource(
            [
                .searching(.connected(release: nil)), .wait(.seconds(2)), .location(Sample.here),
                .wait(.milliseconds(500)),
                .error(Sample.lost), .end,
            ], clock: clock)
        async let updates = all(source)
        try await clock.advance(by: .seconds(10), times: 1)
        let told = try await updates
        #expect(
            told.map(\.event) == [
                .searching(.connected(release: nil)), .location(Sample.here.received(after: .seconds(2))),
                .failure(Sample.lost),
            ])
        #expect(told.map(\.moment.elapsed) == [.zero, .seconds(2), .milliseconds(2500)])
    }

    @Test func `a part of a script fails for a time, as a provider that tries again, and then goes on or ends`()
        async throws
    {
        let clock = ManualClock.immediate()
        let source = ScriptedLocationSource(
            [
                .location(1, 1), .failing(Sample.lost, for: .seconds(16), every: .seconds(5)), .location(2, 2),
                .failing(Sample.lost, for: .seconds(2)), .endThrowing(Sample.lost),
            ], clock: clock)
        let recording = try await LocationRecorder(source).untilEnded()
        #expect(recording.ending == .threw(Sample.lost))
        let failures = recording.updates.compactMap { update -> [Double]? in
            guard case .failure(Sample.lost, let retry) = update.event else { return nil }
            return [update.moment.elapsed, retry ?? .zero].map { $0 / .seconds(1) }
        }
        #expect(failures == [[0, 5], [5, 5], [10, 5], [15, 1], [16, 1], [17, 1]])
        #expect(StatePattern.match([.searching, .found, .error, .found, .error], recording.states))
        #expect(recording.transitions.last?.moment.elapsed == .seconds(16))
    }

    @Test(arguments: [
        ScriptStep.failing(Sample.lost, for: .zero), .failing(Sample.lost, for: .seconds(-1)),
        .failing(Sample.lost, for: .zero, every: .zero),
    ])
    func `a failure without a time is one`(step: ScriptStep) async throws {
        let source = ScriptedLocationSource([step, .end], clock: clock)
        #expect(try await all(source).map(\.event) == [.failure(Sample.lost)])
    }

    @Test func `a failure without an interval is one, after which the time passes`() async throws {
        let clock = ManualClock.immediate()
        let source = ScriptedLocationSource(
            [.failing(Sample.lost, for: .seconds(3), every: .seconds(-1)), .searching(.noDevice), .end], clock: clock)
        let updates = try await all(source)
        #expect(updates.map(\.event) == [.failure(Sample.lost, retry: .seconds(3)), .searching(.noDevice)])
        #expect(updates.map(\.moment.elapsed) == [.zero, .seconds(3)])
    }

    @Test(arguments: [
        (ScriptStep.location(Sample.there), LocationEvent.location(Sample.there.received(after: .zero))),
        (.location(52.5163, 13.3777), .location(Sample.here.told(after: .zero))),
        (.searching(.noDevice), .searching(.noDevice)),
        (
            .searching(.deviceSilent(path: "/dev/ttyACM0"), device: "/dev/ttyACM0"),
            .searching(.deviceSilent(path: "/dev/ttyACM0"), device: "/dev/ttyACM0")
        ),
        (.error(Sample.lost), .failure(Sample.lost)),
        (.satellites(SkyView(satellites: [])), .satellites(SkyView(satellites: []))),
        (.device(DeviceStatus(path: "/dev/ttyACM0")), .device(DeviceStatus(path: "/dev/ttyACM0"))),
        (.authorization(.authorized), .authorization(.authorized)),
        (.authorization(.notDetermined), .authorization(.notDetermined)),
        (.notice(.message("hello")), .notice(.message("hello"))),
    ])
    func `each step emits its event`(step: ScriptStep, event: LocationEvent) async throws {
        let source = ScriptedLocationSource([step, .end], clock: clock)
        #expect(try await all(source).map(\.event) == [event])
    }

    @Test func `the script stops at a hang, and forced events still arrive`() async throws {
        let source = ScriptedLocationSource(
            [.searching(.connected(release: nil)), .hang, .location(Sample.there)], clock: clock)
        var iterator = source.updates(for: .everything).makeAsyncIterator()
        #expect(try await iterator.next()?.event == .searching(.connected(release: nil)))
        source.forceSearching(.noDevice)
        #expect(try await iterator.next()?.event == .searching(.noDevice))
    }

    @Test func `successive sessions play successive scripts, and the last script is repeated`() async throws {
        let source = ScriptedLocationSource(
            sessions: [[.endThrowing(Sample.lost)], [.location(Sample.here), .end]], clock: clock)
        await #expect(throws: Sample.lost) { try await all(source) }
        #expect(try await all(source).count == 1)
        #expect(try await all(source).count == 1)
        #expect(source.calls == (0..<3).flatMap { _ in [SourceCall.started(.everything), .stopped] })
    }

    @Test func `events forced before a session runs go to the next session only`() async throws {
        let source = ScriptedLocationSource([.searching(.connected(release: nil)), .end], clock: clock)
        source.forceLocation(Sample.here)
        source.forceError(Sample.lost)
        let first = try await all(source).map(\.event)
        #expect(
            first == [
                .location(Sample.here.received(after: .zero)), .failure(Sample.lost),
                .searching(.connected(release: nil)),
            ])
        #expect(try await all(source).map(\.event) == [.searching(.connected(release: nil))])
    }

    @Test(arguments: [nil, Sample.lost]) func `ending before a session runs ends the next session`(
        error: LocationError?
    ) async throws {
        let source = ScriptedLocationSource([.searching(.connected(release: nil))], clock: clock)
        source.forceSatellites(SkyView(satellites: nil))
        source.end(throwing: error)
        let recorder = LocationRecorder(source)
        try await recorder.untilEnded()
        #expect(recorder.recording.updates.map(\.event) == [.satellites(SkyView(satellites: nil))])
        #expect(recorder.recording.ending == .some(error.map { .threw($0) } ?? .ended))
    }

    @Test func `the classic failure of an unknown position takes one call`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let recorder = LocationRecorder(source)
        try await source.untilRunning()
        source.forceDelayedErrorLocationUnknown(after: .seconds(2))
        clock.advance(by: .seconds(2))
        let recording = try await recorder.wait(for: "the failure") { !$0.failures.isEmpty }
        #expect(recording.failures.map(\.code) == ["locationUnknown"])
        #expect(recording.updates.last?.moment.elapsed == .seconds(2))
    }

    @Test func `random positions come after random delays, which are those of their seed`() async throws {
        func moments(seed: UInt64) async throws -> [Duration] {
            let clock = ManualClock()
            let source = ScriptedLocationSource(clock: clock)
            let recorder = LocationRecorder(source)
            try await source.untilRunning()
            source.forceRandomDelayedLocations(after: .seconds(20), every: .seconds(10), times: 50, seed: seed)
            clock.advance(by: .seconds(1000))
            try await recorder.wait(for: "the positions") { $0.locations.count == 50 }
            let walk = RandomWalk(from: Sample.gate, seed: seed).prefix(50)
            #expect(recorder.recording.locations.map(\.coordinate) == walk.map(\.coordinate))
            return recorder.recording.updates.map(\.moment.elapsed)
        }
        let first = try await moments(seed: 9)
        #expect((.seconds(10)...(.seconds(30))).contains(first[0]))
        let delays = zip(first, first.dropFirst()).map { $1 - $0 }
        #expect(Set(delays).count == 49)
        #expect(delays.allSatisfy { (.seconds(5)...(.seconds(15))).contains($0) })
        #expect((delays.min() ?? .zero) < .seconds(6) && (delays.max() ?? .zero) > .seconds(14))
        #expect(try await moments(seed: 9) == first)
        #expect(try await moments(seed: 10) != first)
    }

    @Test func `a denied authorization reaches running sessions as a status and as a failure`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let recorder = LocationRecorder(source)
        try await source.untilRunning()
        source.forceAuthorization(.denied)
        let recording = try await recorder.wait(for: "the failure") { !$0.failures.isEmpty }
        #expect(recording.updates.map(\.event).first == .authorization(.denied))
        #expect(recording.failures.map(\.code) == ["denied"])
    }

    @Test(arguments: [
        (AuthorizationStatus.authorized, LocationRequest.Purpose.updates, [String]()),
        (.authorized, .authorization, ["authorized"]),
        (.denied, .updates, ["denied"]),
        (.denied, .once, ["denied"]),
        (.notDetermined, .authorization, []),
    ])
    func `a session emits the authorization if it asks for it, and always if it is denied`(
        status: AuthorizationStatus, purpose: LocationRequest.Purpose, told: [String]
    ) async throws {
        let source = ScriptedLocationSource([.end], clock: clock)
        source.forceAuthorization(status)
        let events = try await all(source, LocationRequest(purpose: purpose)).map(\.event)
        let statuses = events.compactMap { if case .authorization(let status) = $0 { status.rawValue } else { nil } }
        #expect(statuses == told)
    }

    @Test func `the closure receives the request and its position precedes the script`() async throws {
        let source = ScriptedLocationSource([.searching(.connected(release: nil)), .end], clock: clock)
        source.locationToReturn = { $0.purpose == .once ? Sample.here : nil }
        #expect(try await all(source).map(\.event) == [.searching(.connected(release: nil))])
        #expect(
            try await all(source, LocationRequest(purpose: .once)).map(\.event) == [
                .location(Sample.here.received(after: .zero)), .searching(.connected(release: nil)),
            ])
    }

    @Test func `calls record the requests`() async throws {
        let source = ScriptedLocationSource([.end], clock: clock)
        for purpose in [LocationRequest.Purpose.updates, .once, .authorization] {
            _ = try await all(source, LocationRequest(device: "/dev/ttyACM0", purpose: purpose))
        }
        #expect(
            source.calls == [
                .started(LocationRequest(device: "/dev/ttyACM0")), .stopped,
                .oneShotAsked(LocationRequest(device: "/dev/ttyACM0", purpose: .once)), .stopped,
                .authorizationAsked, .stopped,
            ])
    }

    @Test func `a timed out wait for a call lists the calls so far`() async throws {
        let source = ScriptedLocationSource([.end], clock: clock)
        let failure = try await expectFailure { try await source.untilCalled(.stopped, within: .zero) }
        #expect(failure.description.hasSuffix("the source received no calls"))
        _ = try await all(source)
        try await source.untilCalled(.stopped, within: .zero)
        let second = try await expectFailure { try await source.untilRunning(within: .zero) }
        #expect(second.wait?.happened.count == 2)
    }

    @Test func `a released source cancels its delayed events`() async throws {
        var source: ScriptedLocationSource? = ScriptedLocationSource(clock: clock)
        source?.forceDelayedError(Sample.lost, after: .seconds(4))
        try await clock.untilSleeping()
        weak let remains = source
        source = nil
        #expect(remains == nil)
        #expect(clock.deadlines.isEmpty)
    }

    @Test func `the attitude of a compass is scripted, with a position and without one`() async throws {
        let compass = Attitude(headingMagnetic: 218.6, rateOfTurn: -3)
        var location = Location(coordinate: Sample.gate)
        location.heading = 92.4
        let source = ScriptedLocationSource([.attitude(compass), .location(location), .end], clock: clock)
        let updates = try await all(source)
        #expect(updates.first?.event == .attitude(compass))
        #expect(updates.last?.location?.heading == 92.4)
    }

    @Test(arguments: [
        (ScriptStep.spoofed(at: Sample.gate, after: -100), 120), (.jammed(at: Sample.gate, after: .min), 181),
        (.randomWalk(from: Sample.gate, steps: -1, seed: 1), 0), (.wait(.seconds(-5)), 0),
        (.randomWalk(from: Sample.gate, steps: 3, every: .seconds(-1), stride: -1, seed: 1), 3),
    ])
    func `negative numbers and times of a script count as none`(step: ScriptStep, count: Int) async throws {
        let source = ScriptedLocationSource([.wait(.seconds(1)), step, .end], clock: clock)
        let updates = Task { try await self.all(source) }
        let told = try await clock.advance(untilEndOf: updates)
        #expect(told.count == count && told.allSatisfy { $0.moment.elapsed >= .seconds(1) })
    }

    @Test func `forced events with negative numbers and delays come at once, or not at all`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let recorder = LocationRecorder(source)
        try await source.untilRunning()
        source.forceRandomDelayedLocations(times: -1, seed: 1)
        source.forceDelayedError(Sample.lost, after: .seconds(-1))
        source.forceRandomDelayedLocations(after: .seconds(-1), every: .seconds(-1), times: 2, seed: 1)
        try await clock.advance(by: .seconds(1), times: -1)
        let session = try await recorder.wait(for: "three events") { $0.locations.count + $0.failures.count == 3 }
        #expect(session.locations.count == 2 && session.failures == [Sample.lost])
    }
}

extension Location {
    /// Returns the position dated and received at the same time.
    func told(after elapsed: Duration) -> Location {
        var location = received(after: elapsed)
        location.timestamp = location.received
        return location
    }

    /// Returns the position as emitted by a session that began at the epoch of the tests.
    func received(after elapsed: Duration) -> Location {
        var location = self
        location.received = .testEpoch.advanced(by: elapsed)
        return location
    }
}
