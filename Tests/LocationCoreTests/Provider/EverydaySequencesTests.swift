import LocationCore
import LocationTesting
import Testing

@Suite struct EverydaySequencesTests {
    private let clock = ManualClock()

    @Test func `locations are the positions without the other events`() async throws {
        let source = ScriptedLocationSource(
            [.searching(.noDevice), .location(1, 1), .error(.daemon(message: "no")), .location(2, 2), .end],
            clock: clock)
        var latitudes: [Double] = []
        for try await location in source.locations() { latitudes.append(location.coordinate.latitude) }
        #expect(latitudes == [1, 2])
        #expect(source.calls == [.started(.everything), .stopped])
    }

    @Test func `locations of a request are filtered, and an error that ends the session is thrown`() async throws {
        let source = ScriptedLocationSource(
            [.location(1, 1, accuracy: 50), .location(2, 2, accuracy: 5), .endThrowing(.daemon(message: "no"))],
            clock: clock)
        var latitudes: [Double] = []
        await #expect(throws: LocationError.daemon(message: "no")) {
            for try await location in source.locations(for: LocationRequest(accuracy: 10)) {
                latitudes.append(location.coordinate.latitude)
            }
        }
        #expect(latitudes == [2])
    }

    @Test func `updates without an argument are all events, with the position at hand`() async throws {
        let source = ScriptedLocationSource([.searching(.noDevice), .location(1, 1), .end], clock: clock)
        var locations: [Location?] = []
        for try await update in source.updates() {
            #expect(update.location == update.event.location)
            locations.append(update.location)
        }
        #expect(locations.map(\.?.coordinate.latitude) == [nil, 1])
    }

    @Test func `filters can be applied to any provider`() async throws {
        let source: any LocationProvider = ScriptedLocationSource(
            [
                .location(1, 1, accuracy: 50), .location(1, 1, accuracy: 5), .location(1, 1.0001, accuracy: 5),
                .wait(.seconds(1)), .location(2, 2, accuracy: 5), .end,
            ], clock: clock)
        let filtered: any LocationProvider = source.filtered(by: LocationRequest(accuracy: 10)).moved(by: 1000)
        let recorder = LocationRecorder(filtered)
        try await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        let recording = try await recorder.untilEnded()
        #expect(recording.locations.map(\.coordinate.latitude) == [1, 2])
        let spaced = LocationRecorder(
            source.atMostEvery(.seconds(5)).filtered(by: LocationRequest(maxAge: .seconds(60))))
        try await clock.untilSleeping()
        clock.advance(by: .seconds(1))
        #expect(try await spaced.untilEnded().locations.count <= 1)
    }

    @Test func `authorization is the answer of the provider`() async throws {
        let refusing = ScriptedLocationSource(clock: clock)
        refusing.forceAuthorization(.denied)
        #expect(try await refusing.authorization() == .denied)
        let source = ScriptedLocationSource(clock: clock)
        #expect(try await source.authorization() == .authorized)
        #expect(source.calls.contains(.authorizationAsked))
        try await source.untilRunning(0)
    }

    @Test func `authorization of a session that ends without an answer is not determined`() async throws {
        let source = ScriptedLocationSource([.end], clock: clock)
        source.forceAuthorization(.notDetermined)
        #expect(try await source.authorization() == .notDetermined)
        let failing = ScriptedLocationSource([.endThrowing(.daemon(message: "no"))], clock: clock)
        failing.forceAuthorization(.notDetermined)
        await #expect(throws: LocationError.daemon(message: "no")) { try await failing.authorization() }
    }

    @Test func `a refusal that is reported as a failure is denied`() async throws {
        let source = ScriptedLocationSource(
            [.error(.daemon(message: "no")), .error(.denied(what: "/dev/a", cause: "mode 600"))], clock: clock)
        source.forceAuthorization(.notDetermined)
        #expect(try await source.authorization() == .denied)
    }

    @Test func `a position answers the request for authorization`() async throws {
        let source = ScriptedLocationSource([.searching(.noDevice), .location(1, 2)], clock: clock)
        source.forceAuthorization(.notDetermined)
        #expect(try await source.authorization(clock: clock) == .authorized)
        try await source.untilRunning(0)
    }

    @Test func `authorization without an answer is not determined when its time is over`() async throws {
        let source = ScriptedLocationSource([.searching(.noDevice)], clock: clock)
        source.forceAuthorization(.notDetermined)
        let asking = Task { [clock] in try await source.authorization(within: .seconds(5), clock: clock) }
        try await clock.untilSleeping()
        #expect(clock.deadlines.map(\.elapsed) == [.seconds(5)])
        clock.advance(by: .seconds(5))
        #expect(try await asking.value == .notDetermined)
        try await source.untilRunning(0)
    }

    @Test(arguments: [ScriptStep.authorization(.denied), .error(.denied(what: "/dev/a", cause: "mode 600"))])
    func `a script that denies access wins over the default answer of its source`(step: ScriptStep) async throws {
        let source = ScriptedLocationSource([.searching(.noDevice), step], clock: clock)
        #expect(try await source.authorization(clock: clock) == .denied)
    }

    @Test func `a cancelled request for authorization throws cancelled`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        source.forceAuthorization(.notDetermined)
        let task = Task { () async -> LocationError? in
            do throws(LocationError) { _ = try await source.authorization() } catch { return error }
            return nil
        }
        try await source.untilRunning()
        task.cancel()
        #expect(await task.value == .cancelled)
    }
}
