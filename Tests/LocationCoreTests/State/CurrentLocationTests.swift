import LocationCore
import LocationTesting
import Testing

@Suite struct CurrentLocationTests {
    private let clock = ManualClock()

    /// Returns the result of a search in a session that plays a script and then ends.
    private func result(
        of script: [ScriptStep], accuracy: Double? = nil, fix: FixKind = .twoD, maxAge: Duration? = nil,
        device: String? = nil
    ) async throws -> Result<Location, LocationError> {
        let source = ScriptedLocationSource(script + [.end], clock: clock)
        do throws(LocationError) {
            return .success(
                try await source.current(accuracy: accuracy, fix: fix, maxAge: maxAge, device: device, clock: clock))
        } catch { return .failure(error) }
    }

    @Test func `the first position that is good enough is returned`() async throws {
        let result = try await result(
            of: [.searching(.noDevice), .location(1, 1, accuracy: 50), .location(2, 2, accuracy: 10), .location(3, 3)],
            accuracy: 10)
        #expect(try result.get().coordinate == Coordinate(latitude: 2, longitude: 2))
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

    @Test(arguments: [true, false])
    func `a position at the limit is returned, and one after it is not`(namesClock: Bool) async throws {
        for (wait, isInTime) in [(10, true), (11, false)] {
            let source = ScriptedLocationSource([.wait(.seconds(wait)), .location(1, 1)], clock: clock)
            let named = namesClock ? clock : nil
            let search = Task { try? await source.current(within: .seconds(10), clock: named) }
            // The script, and the limit or the time after which the session ends.
            try await clock.untilSleeping(2)
            #expect((try await clock.advance(untilEndOf: search) != nil) == isInTime)
        }
    }

    private static let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "refused")

    private static func none(_ reason: SearchReason) -> LocationError {
        .noFix(.noPosition(after: .zero, reason: reason))
    }

    @Test(
        arguments: [
            // No receiver is heard.
            ([], .noFix(.nothingHeard(after: .zero))),
            ([.searching(.connected(release: "3.22"))], .noFix(.nothingHeard(after: .zero))),
            ([.location(Sample.gate.with { $0.device = "/dev/b" })], .noFix(.nothingHeard(after: .zero))),
            // The last reason of the search counts; satellites are reports, but no position.
            ([.searching(.connecting(attempt: 1))], none(.connecting(attempt: 1))),
            ([.satellites(SkyView(satellites: []))], none(.noFix(seen: 0, used: 0, best: nil))),
            ([.searching(.noFix(seen: 4, used: 0, best: 31))], none(.noFix(seen: 4, used: 0, best: 31))),
            ([.searching(.noDevice)], none(.noDevice)),
            ([.searching(.deviceSilent(path: "/dev/a"))], none(.deviceSilent(path: "/dev/a"))),
            ([.searching(.deviceBabbling(path: "/dev/a"))], none(.deviceBabbling(path: "/dev/a"))),
            ([.searching(.deviceLost(path: "/dev/a"))], none(.deviceLost(path: "/dev/a"))),
            ([.searching(.deviceUnopenable(path: "/dev/a"))], none(.deviceUnopenable(path: "/dev/a"))),
            // A failure counts while it lasts.
            ([.error(refused)], refused), ([.error(refused), .searching(.noDevice)], none(.noDevice)),
        ] as [([ScriptStep], LocationError)])
    func `a search without a suitable position fails with the reason`(
        script: [ScriptStep], error: LocationError
    ) async throws {
        #expect(try await result(of: script, device: "/dev/a") == .failure(error))
    }

    @Test func `a late position is not returned, and one of unknown age is too old`() async throws {
        #expect(try await result(of: [.location(Sample.gate.with { $0.isLate = true })]).code == "noPosition")
        #expect(try await result(of: [.location(Sample.gate)], maxAge: .seconds(5)).code == "tooOld")
    }

    @Test func `a search with only coarse positions fails with the most accurate one`() async throws {
        let result = try await result(
            of: [.location(1, 1, accuracy: 30), .location(2, 2, accuracy: 20), .location(3, 3, accuracy: 40)],
            accuracy: 10)
        let best = try #require(result.shortfallBest)
        #expect(best.coordinate == Coordinate(latitude: 2, longitude: 2))
        #expect(result == .failure(.noFix(.tooCoarse(best: best, wanted: 10))))
    }

    @Test func `an unknown accuracy is too coarse and ranks below any known one`() async throws {
        let unknown = Sample.gate.with { $0.horizontalAccuracy = nil }
        let only = try await result(of: [.location(unknown)], accuracy: 10)
        #expect(only.shortfallBest?.coordinate == Sample.gate.coordinate)
        let known = try await result(of: [.location(unknown), .location(1, 1, accuracy: 99)], accuracy: 10)
        #expect(known.shortfallBest?.horizontalAccuracy == 99)
    }

    @Test func `a search with only old positions fails with tooOld`() async throws {
        let old = Sample.gate.with { $0.timestamp = .testEpoch.advanced(by: .seconds(-10)) }
        let result = try await result(of: [.location(old)], maxAge: .seconds(5))
        let best = try #require(result.shortfallBest)
        #expect(result == .failure(.noFix(.tooOld(best: best, wanted: .seconds(5)))))
    }

    @Test(arguments: [Duration.zero, .seconds(30)])
    func `a search with only 2D positions fails with tooFlat, even after a silence`(silence: Duration) async throws {
        let flat = Sample.gate.with { $0.fix = .twoD }
        async let search = result(of: [.location(flat), .wait(silence), .notice(.message("quiet"))], fix: .threeD)
        if silence > .zero {
            try await clock.untilSleeping(2)
            clock.advance(by: silence)
        }
        let result = try await search
        let best = try #require(result.shortfallBest)
        #expect(result == .failure(.noFix(.tooFlat(best: best, wanted: .threeD))))
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

extension Result<Location, LocationError> {
    fileprivate var shortfallBest: Location? {
        guard case .failure(.noFix(let shortfall)) = self else { return nil }
        switch shortfall {
        case .tooCoarse(let best, _), .tooFlat(let best, _), .tooOld(let best, _): return best
        case .nothingHeard, .noPosition: return nil
        }
    }

    fileprivate var code: String {
        switch self {
        case .success: "success"
        case .failure(let error):
            switch error {
            case .noFix(.nothingHeard): "nothingHeard"
            case .noFix(.noPosition): "noPosition"
            case .noFix(.tooCoarse): "tooCoarse"
            case .noFix(.tooFlat): "tooFlat"
            case .noFix(.tooOld): "tooOld"
            default: error.code
            }
        }
    }
}
