import LocationCore
import LocationTesting
import Testing

@Suite struct CurrentLocationTests {
    private let clock = ManualClock()

    /// Returns the result of a search in a session that plays a script and then ends.
    private func result(
        of script: [ScriptStep], _ request: LocationRequest
    ) async throws -> Result<Location, LocationError> {
        let source = ScriptedLocationSource(script + [.end], clock: clock)
        do throws(LocationError) {
            return .success(
                try await source.current(
                    accuracy: request.accuracy, fix: request.fix ?? .twoD, maxAge: request.maxAge,
                    device: request.device, clock: clock))
        } catch { return .failure(error) }
    }

    @Test func `the first position that is good enough is returned`() async throws {
        let result = try await result(
            of: [.searching(.noDevice), .location(1, 1, accuracy: 50), .location(2, 2, accuracy: 10), .location(3, 3)],
            LocationRequest(accuracy: 10))
        #expect(result == .success(Self.place(2, accuracy: 10)))
    }

    @Test func `the source sees what was asked`() async throws {
        let source = ScriptedLocationSource([.location(Sample.gate.with { $0.horizontalAccuracy = 3 })], clock: clock)
        await #expect(throws: LocationError.self) {
            try await source.current(
                accuracy: 1, fix: .threeD, maxAge: .seconds(9), device: "/dev/a", within: .zero, clock: clock)
        }
        let request = LocationRequest(
            accuracy: 1, maxAge: .seconds(9), fix: .threeD, device: "/dev/a", purpose: .once, limit: .zero)
        #expect(source.calls == [.oneShotAsked(request), .stopped])
    }

    @Test func `the session's clock is used by default`() async throws {
        let source = ScriptedLocationSource([.searching(.noDevice)], clock: clock)
        let search = Task { try await source.current(within: .seconds(600)) }
        await #expect(throws: LocationError.noFix(.noPosition(after: .seconds(600), reason: .noDevice))) {
            try await clock.advance(untilEndOf: search)
        }
        source.forceAuthorization(.notDetermined)
        let asking = Task { try await source.authorization(within: .seconds(600)) }
        #expect(try await clock.advance(untilEndOf: asking) == .notDetermined)
        #expect(clock.now.elapsed == .seconds(1200))
    }

    @Test(arguments: [true, false], [10, 11])
    func `a position at the limit is returned, and one after it is not`(namesClock: Bool, wait: Int) async throws {
        let source = ScriptedLocationSource([.wait(.seconds(wait)), .location(1, 1)], clock: clock)
        let named = namesClock ? clock : nil
        let search = Task { try? await source.current(within: .seconds(10), clock: named) }
        // The script, and the limit or the time after which the session ends.
        try await clock.untilSleeping(2)
        #expect((try await clock.advance(untilEndOf: search) != nil) == (wait == 10))
    }

    @Test(arguments: [nil, ContinuousClock()])
    func `the longest limit is as good as none`(namedClock: ContinuousClock?) async throws {
        let source = ScriptedLocationSource([.wait(.milliseconds(10)), .location(1, 1)])
        _ = try await source.current(within: .seconds(Int64.max), clock: namedClock)
    }

    private static let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "refused")

    private static func none(_ reason: SearchReason) -> LocationError {
        .noFix(.noPosition(after: .zero, reason: reason))
    }

    /// Returns the position that a scripted source makes of a step with equal coordinates.
    private static func place(_ degrees: Double, accuracy: Double) -> Location {
        Location(
            coordinate: Coordinate(latitude: degrees, longitude: degrees), timestamp: .testEpoch,
            horizontalAccuracy: accuracy
        ).arrived
    }

    private static let unknown = Sample.gate.with { $0.horizontalAccuracy = nil }
    private static let old = Sample.gate.with { $0.timestamp = .testEpoch.advanced(by: .seconds(-10)) }
    private static let flat = Sample.gate.with { $0.fix = .twoD }
    private static let ofA = LocationRequest(device: "/dev/a")
    private static let accurate = LocationRequest(accuracy: 10)
    private static let recent = LocationRequest(maxAge: .seconds(5))

    @Test(
        arguments: [
            // No receiver is heard.
            ([], ofA, .noFix(.nothingHeard(after: .zero))),
            ([.searching(.connected(release: "3.22"))], ofA, .noFix(.nothingHeard(after: .zero))),
            ([.location(Sample.gate.with { $0.device = "/dev/b" })], ofA, .noFix(.nothingHeard(after: .zero))),
            // The last reason of the search counts; satellites and late positions are reports, but no position.
            ([.searching(.connecting(attempt: 1))], ofA, none(.connecting(attempt: 1))),
            ([.satellites(SkyView(satellites: []))], ofA, none(.noFix(seen: 0, used: 0, best: nil))),
            ([.location(Sample.gate.with { $0.isLate = true })], ofA, none(.noFix(seen: nil, used: nil, best: nil))),
            ([.searching(.noFix(seen: 4, used: 0, best: 31))], ofA, none(.noFix(seen: 4, used: 0, best: 31))),
            ([.searching(.noDevice)], ofA, none(.noDevice)),
            ([.searching(.deviceSilent(path: "/dev/a"))], ofA, none(.deviceSilent(path: "/dev/a"))),
            ([.searching(.deviceBabbling(path: "/dev/a"))], ofA, none(.deviceBabbling(path: "/dev/a"))),
            ([.searching(.deviceLost(path: "/dev/a"))], ofA, none(.deviceLost(path: "/dev/a"))),
            ([.searching(.deviceUnopenable(path: "/dev/a"))], ofA, none(.deviceUnopenable(path: "/dev/a"))),
            // A failure counts while it lasts, which the next attempt does not end.
            ([.error(refused)], ofA, refused), ([.error(refused), .searching(.noDevice)], ofA, none(.noDevice)),
            ([.error(refused), .searching(.connecting(attempt: 2))], ofA, refused),
            // The best position is named; an unknown accuracy is worse than any known one, and an unknown age too old.
            (
                [.location(1, 1, accuracy: 30), .location(2, 2, accuracy: 20), .location(3, 3, accuracy: 40)], accurate,
                .noFix(.tooCoarse(best: place(2, accuracy: 20), wanted: 10))
            ),
            ([.location(unknown)], accurate, .noFix(.tooCoarse(best: unknown.arrived, wanted: 10))),
            (
                [.location(unknown), .location(1, 1, accuracy: 99)], accurate,
                .noFix(.tooCoarse(best: place(1, accuracy: 99), wanted: 10))
            ),
            ([.location(old)], recent, .noFix(.tooOld(best: old.arrived, wanted: .seconds(5)))),
            ([.location(Sample.gate)], recent, .noFix(.tooOld(best: Sample.gate.arrived, wanted: .seconds(5)))),
            ([.location(flat)], LocationRequest(fix: .threeD), .noFix(.tooFlat(best: flat.arrived, wanted: .threeD))),
        ] as [([ScriptStep], LocationRequest, LocationError)])
    func `a search without a suitable position fails with the reason`(
        script: [ScriptStep], request: LocationRequest, error: LocationError
    ) async throws {
        #expect(try await result(of: script, request) == .failure(error))
    }

    @Test func `a search with only 2D positions fails with tooFlat after a silence too`() async throws {
        let source = ScriptedLocationSource(
            [.location(Self.flat), .wait(.seconds(30)), .notice(.message("quiet")), .end], clock: clock)
        let search = Task { [clock] in try await source.current(fix: .threeD, clock: clock) }
        await #expect(throws: LocationError.noFix(.tooFlat(best: Self.flat.arrived, wanted: .threeD))) {
            try await clock.advance(untilEndOf: search)
        }
    }

    @Test func `cancelling the search throws cancelled and ends the session`() async throws {
        let source = ScriptedLocationSource([.searching(.noDevice)], clock: clock)
        let search = Task { [clock] in try await source.current(clock: clock) }
        try await source.untilRunning()
        search.cancel()
        await #expect(throws: LocationError.cancelled) { try await search.value }
        #expect(source.runningSessions == 0)
    }
}
