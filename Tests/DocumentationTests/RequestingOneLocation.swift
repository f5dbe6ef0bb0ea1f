import LocationCore
import LocationTesting
import Testing

struct CheckIn {
    enum Answer: Equatable {
        case at(Coordinate)
        case notAllowed
        case onlyAccurate(to: Double)
        case none(because: String)
    }

    var provider: any LocationProvider

    func answer() async -> Answer {
        do throws(LocationError) {
            if try await provider.authorization(within: .seconds(10)) == .denied { return .notAllowed }
            let here = try await provider.current(accuracy: 50, maxAge: .seconds(10), within: .seconds(30))
            return .at(here.coordinate)
        } catch {
            if case .denied = error { return .notAllowed }
            if case .noFix(.tooCoarse(let best, _)) = error {
                return .onlyAccurate(to: best.horizontalAccuracy ?? .infinity)
            }
            return .none(because: error.description)
        }
    }
}

struct Finder {
    let source: any LocationProvider
    let log = EventLog<String>()

    func position() async -> Location? {
        do throws(LocationError) {
            return try await source.current()
        } catch {
            switch error {
            case .denied: askForPermission()
            case .unreachable, .connectionLost: retryLater()
            default: show(error.description)
            }
        }
        return nil
    }

    private func askForPermission() { log.append("asks") }
    private func retryLater() { log.append("retries") }
    private func show(_ text: String) { log.append(text) }
}

struct CheckInTests {
    let clock = ManualClock()

    @Test func `a good position is the answer`() async {
        let source = ScriptedLocationSource([.location(52.5163, 13.3777)], clock: clock)
        let answer = await CheckIn(provider: source).answer()
        #expect(answer == .at(Coordinate(latitude: 52.5163, longitude: 13.3777)))
        #expect(source.calls.first == .authorizationAsked)
    }

    @Test func `a refusal is not waited for`() async {
        let source = ScriptedLocationSource(clock: clock)
        source.forceAuthorization(.denied)
        #expect(await CheckIn(provider: source).answer() == .notAllowed)
    }

    @Test func `after 30 seconds the best position is reported`() async throws {
        let source = ScriptedLocationSource([.location(52.5163, 13.3777, accuracy: 80)], clock: clock)
        let checkIn = CheckIn(provider: source)
        let answer = Task { await checkIn.answer() }
        #expect(try await clock.advance(untilEndOf: answer) == .onlyAccurate(to: 80))
        #expect(clock.now.elapsed == .seconds(30))
    }
}

struct FinderTests {
    @Test(arguments: [
        (LocationError.denied(what: "gpsd", cause: "no"), "asks"),
        (.connectionLost(host: "pi.local", port: 2947, cause: "reset"), "retries"),
        (.cancelled, "the request was cancelled"),
    ])
    func `each error has its reaction`(error: LocationError, reaction: String) async {
        let finder = Finder(source: ScriptedLocationSource([.endThrowing(error)]))
        #expect(await finder.position() == nil)
        #expect(finder.log.events == [reaction])
    }
}
