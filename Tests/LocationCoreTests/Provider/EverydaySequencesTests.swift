import LocationCore
import LocationTesting
import Testing

@Suite struct EverydaySequencesTests {
    private let clock = ManualClock()

    @Test func `locations are the filtered positions alone, and an error that ends the session is thrown`()
        async throws
    {
        let source = ScriptedLocationSource(
            [
                .searching(.noDevice), .location(1, 1), .location(2, 2, accuracy: 50), .error(.daemon(message: "no")),
                .location(3, 3), .endThrowing(.daemon(message: "end")),
            ], clock: clock)
        let request = LocationRequest(accuracy: 10)
        var latitudes: [Double] = []
        await #expect(throws: LocationError.daemon(message: "end")) {
            for try await location in source.locations(for: request) { latitudes.append(location.coordinate.latitude) }
        }
        #expect(latitudes == [1, 3])
        #expect(source.calls == [.started(request), .stopped])
    }

    private static let denied = LocationError.denied(what: "/dev/a", cause: "mode 600")

    /// Scripts of a source, with the authorization that it has by default, and the answer.
    @Test(
        arguments: [
            (.denied, [], .denied), (.authorized, [], .authorized),
            (.notDetermined, [.end], .notDetermined),
            (.notDetermined, [.searching(.noDevice), .location(1, 2)], .authorized),
            (.notDetermined, [.error(.daemon(message: "no")), .error(denied)], .denied),
            (.authorized, [.searching(.noDevice), .authorization(.denied)], .denied),
            (.authorized, [.searching(.noDevice), .error(denied)], .denied),
            (.authorized, [.endThrowing(denied)], .denied), (.notDetermined, [.endThrowing(denied)], .denied),
        ] as [(AuthorizationStatus, [ScriptStep], AuthorizationStatus)])
    func `the first answer of a session is the authorization`(
        usual: AuthorizationStatus, script: [ScriptStep], answer: AuthorizationStatus
    ) async throws {
        let source = ScriptedLocationSource(script, clock: clock)
        if usual != .authorized { source.forceAuthorization(usual) }
        #expect(try await source.authorization(clock: clock) == answer)
        #expect(source.calls.contains(.authorizationAsked))
        try await source.untilRunning(0)
    }

    @Test func `an error that ends the session is thrown by the request for authorization`() async throws {
        let source = ScriptedLocationSource([.endThrowing(.daemon(message: "no"))], clock: clock)
        source.forceAuthorization(.notDetermined)
        await #expect(throws: LocationError.daemon(message: "no")) { try await source.authorization() }
    }

    @Test func `authorization without an answer is not determined when its time is over`() async throws {
        let source = ScriptedLocationSource([.searching(.noDevice)], clock: clock)
        source.forceAuthorization(.notDetermined)
        let asking = Task { [clock] in try await source.authorization(within: .seconds(5), clock: clock) }
        #expect(try await clock.advance(untilEndOf: asking) == .notDetermined)
        #expect(clock.now.elapsed == .seconds(5))
        try await source.untilRunning(0)
    }

    @Test func `a cancelled request for authorization throws cancelled`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        source.forceAuthorization(.notDetermined)
        let task = Task { try await source.authorization() }
        try await source.untilRunning()
        task.cancel()
        await #expect(throws: LocationError.cancelled) { try await task.value }
    }
}
