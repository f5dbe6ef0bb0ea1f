import Foundation
import LocationCore
import LocationFoundation
import LocationGPSD
import LocationObservation
import GPSDProtocol
import LocationTesting
import Testing

/// Tests of examples whose pages show no test of them.
@Suite struct ExampleTests {
    private let source = ScriptedLocationSource(
        [.searching(.noDevice), .location(52.5163, 13.3777), .location(52.5163, 13.3777, accuracy: 30), .end],
        clock: ManualClock())

    @Test func `the loops end with the session`() async throws {
        try await printPositions(of: source)
        try await printStates(of: source)
    }

    @Test func `only useful positions remain`() async throws {
        var accuracies: [Double?] = []
        for try await location in usefulPositions(of: source).locations() {
            accuracies.append(location.horizontalAccuracy)
        }
        #expect(accuracies == [5])
    }

    @Test func `the source chooses the provider`() throws {
        #expect(try provider(for: "/dev/ttyACM0") is SerialReceiverSource)
        #expect(try provider(for: "drive.json") is ReplayProvider)
        #expect(try (provider(for: "pi.local") as? GPSDLocationSource)?.endpoint.host == "pi.local")
        #expect(throws: InvalidValue.self) { try provider(for: "") }
    }

    @Test func `a position has a date`() {
        let here = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: .testEpoch)
        #expect(date(of: here)?.timeIntervalSince1970 == 1_767_225_600)
    }

    @Test(arguments: LocationError.samples) func `an alert shows the description of an error`(error: LocationError) {
        #expect((error as any Error).localizedDescription == error.description)
    }

    @Test func `position, state and fences are shown together`() async throws {
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            [.location(45.06, 7.6865), .wait(.seconds(1)), .location(45.0548, 7.6865), .end], clock: clock)
        let log = EventLog<String>()
        let showing = Task { try await showWhereabouts(source, at: try homeAndGarden()) { log.append($0) } }
        try await clock.advance(untilEndOf: showing)
        #expect(log.events == ["fix", "home: outside", "garden: outside", "away", "home: enter", "at home"])
    }

    @MainActor @Test func `a deception is noticed before its first position`() async throws {
        let clock = ManualClock()
        let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)
        let source = ScriptedLocationSource([.spoofed(at: harbour, after: 30), .end], clock: clock)
        let coordinator = LocationCoordinator(source)
        let log = EventLog<String>()
        coordinator.onUpdate = { log.append("\($0.coordinate.distance(to: harbour) < 500)") }
        coordinator.warnOfDeception { log.append($0) }
        coordinator.start()
        let warned = Task { try await log.wait(for: "the warning") { $0.contains { $0.hasPrefix("do not rely") } } }
        let events = try await clock.advance(untilEndOf: warned)
        #expect(events.filter { $0.hasPrefix("do not rely") }.count == 1)
        #expect(events.prefix { $0 == "true" }.count >= 29)
        coordinator.stop()
    }

    @MainActor @Test func `a session that has failed is started again after a pause`() async throws {
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            sessions: [[.endThrowing(.daemon(message: "no"))], [.location(1, 2)]], clock: ManualClock())
        let coordinator = LocationCoordinator(source)
        coordinator.restartAfterErrors(pause: .seconds(10), clock: clock)
        coordinator.start()
        try await clock.untilSleeping()
        #expect(!coordinator.isRunning && coordinator.state == .error(.daemon(message: "no")))
        clock.advance(by: .seconds(10))
        try await eventually("the position") {
            coordinator.state.location?.coordinate.latitude
        } is: {
            $0 == 1
        }
        coordinator.stop()
    }

    @Test func `the positions of a program's source have the civil time and an age`() async throws {
        let source = makeSource()
        let position = Task { try await source.current(maxAge: .seconds(10)) }
        try await eventually("the session") {
            source.runningSessions
        } is: {
            $0 == 1
        }
        let before = Timestamp.now
        source.process(latitude: 52.5163, longitude: 13.3777, accuracy: 5)
        let time = try #require(try await position.value.timestamp)
        #expect(before <= time && time <= .now)
    }

    @MainActor @Test func `titles are observed without a view`() async throws {
        let source = ScriptedLocationSource([.location(52.5163, 13.3777)], clock: ManualClock())
        let viewModel = PositionViewModel(source)
        let log = EventLog<String>()
        let printing = Task { await printTitles(of: viewModel) { log.append($0) } }
        viewModel.appear()
        try await log.wait(for: "the position") { $0.last == "52.5163, 13.3777" }
        viewModel.disappear()
        printing.cancel()
    }
}
