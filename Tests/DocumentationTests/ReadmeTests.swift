import LocationCore
import LocationGPSD
import LocationObservation
import LocationTesting
import Testing

func follow(_ provider: some LocationProvider = GPSDLocationSource()) async throws {
    for try await next in provider.tracked() {
        switch next {
        case .transition(let change): print(change.reason.code, "after", change.lasted)
        case .update(let update, .current):
            if case .location(let here) = update.event { print(here.coordinate, here.horizontalAccuracy ?? .nan) }
        default: break  // other receivers, handovers, positions that are late
        }
    }
}

func whereAmI(_ provider: some LocationProvider) async -> String {
    do throws(LocationError) {
        let here = try await provider.current(accuracy: 20, maxAge: .seconds(5), within: .seconds(30))
        return "\(here.coordinate.latitude), \(here.coordinate.longitude)"
    } catch {
        if case .noFix(.tooCoarse(let best, _)) = error { return "only to \(best.horizontalAccuracy ?? .infinity) m" }
        switch error {
        case .unreachable, .denied: return error.description
        default: return "no position: \(error.code)"
        }
    }
}

func watch(_ provider: some LocationProvider) -> LocationCoordinator {
    let coordinator = LocationCoordinator(provider, for: LocationRequest(distanceFilter: 10))
    coordinator.onUpdate = { print("at", $0.coordinate) }
    coordinator.onFailure = { print("failed:", $0.code) }
    coordinator.onStateChange = { print($0.reason.code) }
    coordinator.start()  // no callback begins after stop() has returned
    return coordinator
}

func printPositions(_ provider: some LocationProvider = GPSDLocationSource()) async throws {
    for try await location in provider.locations() { print(location.coordinate) }
}

@MainActor func showPosition(_ provider: some LocationProvider) -> LocationModel {
    let model = LocationModel(provider)
    model.start()
    return model  // a view that reads model.location or model.searchText is updated when they change
}

func greet(_ provider: some LocationProvider, at home: Coordinate, _ say: (String) -> Void) async throws {
    let fence = try Fence(name: "home", shape: .circle(center: home, radius: 150))
    for try await event in provider.fenceEvents(for: [fence], dwellAfter: .seconds(600)) {
        switch event.kind {
        case .inside, .enter: say("Welcome home.")
        case .exit: say("Goodbye.")
        case .dwell: say("Here for ten minutes.")
        case .outside, .undecided: break
        }
    }
}

@Suite struct ReadmeTests {
    private static let turin = Location(
        coordinate: Coordinate(latitude: 45.07, longitude: 7.68),
        timestamp: .testEpoch, horizontalAccuracy: 5)

    @Test func `following a provider ends with its session`() async throws {
        let source = ScriptedLocationSource([.location(Self.turin), .end])
        try await follow(source)
        try await printPositions(source)
    }

    @MainActor @Test func `a model shows the position`() async throws {
        let model = showPosition(ScriptedLocationSource([.location(Self.turin)], clock: ManualClock()))
        try await eventually("the position") {
            model.location?.coordinate
        } is: {
            $0 == Self.turin.coordinate
        }
        model.stop()
    }

    @Test func `a fence greets on arrival and departure`() async throws {
        let source = ScriptedLocationSource(
            [.location(46, 7.68), .location(Self.turin), .location(46, 7.68), .end], clock: ManualClock())
        var words: [String] = []
        try await greet(source, at: Self.turin.coordinate) { words.append($0) }
        #expect(words == ["Welcome home.", "Goodbye."])
    }

    @Test func `a single request returns the position`() async {
        // On a real clock a position that waits for a busy machine grows too old.
        let source = ScriptedLocationSource([.location(Self.turin), .hang], clock: ManualClock())
        #expect(await whereAmI(source) == "45.07, 7.68")
    }

    @Test func `a single request without a result returns the cause`() async {
        var here = Self.turin
        here.horizontalAccuracy = 90
        let coarse = ScriptedLocationSource([.location(here), .end], clock: ManualClock())
        #expect(await whereAmI(coarse) == "only to 90.0 m")
        let refused = LocationError.unreachable(host: "localhost", port: 2947, cause: "refused")
        #expect(
            await whereAmI(ScriptedLocationSource([.endThrowing(refused)])) == "no gpsd at localhost:2947: refused")
    }

    @Test func `a coordinator can be stopped`() {
        let coordinator = watch(ScriptedLocationSource([.location(Self.turin), .hang]))
        coordinator.stop()
        #expect(coordinator.state == .searching(.starting))
    }
}
