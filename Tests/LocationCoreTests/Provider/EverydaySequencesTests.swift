import LocationCore
import LocationTesting
import Testing

@Suite struct EverydaySequencesTests {
    private let clock = ManualClock()

    @Test func `locations are the positions without the other events`() async throws {
        let source = ScriptedLocationSource(
            [.searching(.noDevice), .location(1, 1), .error(.daemon(message: "no")), .location(2, 2), .end],
            clock: clock)
        let latitudes = try await source.locations().reduce(into: []) { $0.append($1.coordinate.latitude) }
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
