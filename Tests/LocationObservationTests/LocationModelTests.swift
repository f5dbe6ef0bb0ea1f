import LocationCore
import LocationObservation
import LocationTesting
import Observation
import Testing

@MainActor @Suite struct LocationModelTests {
    private let clock = ManualClock()

    @Test func `the model shows the position, its accuracy and the state`() async throws {
        let source = ScriptedLocationSource([.searching(.noFix(seen: 4, used: 0, best: nil))], clock: clock)
        let model = LocationModel(source)
        #expect(model.state == .searching(.starting) && !model.isRunning)
        model.start()
        try await eventually("the search") {
            model.searchText
        } is: {
            $0 == "no fix, 4 satellites seen, 0 used"
        }
        #expect(model.location == nil && model.isRunning)

        source.forceLocation(52.5163, 13.3777, accuracy: 7)
        try await eventually("the position") {
            model.location?.coordinate.latitude
        } is: {
            $0 == 52.5163
        }
        #expect(model.accuracy == 7 && model.searchText == nil && model.errorText == nil)

        source.forceError(.daemon(message: "no"))
        try await eventually("the error") {
            model.errorText
        } is: {
            $0 == "gpsd reports: no"
        }
        #expect(model.location == nil && model.lastLocation?.coordinate.latitude == 52.5163)
        model.stop()
        #expect(model.state == .searching(.starting) && !model.isRunning)
    }

    @Test func `observers are notified of a change`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let model = LocationModel(source)
        model.start()
        let log = EventLog<String>()
        withObservationTracking {
            _ = model.location
        } onChange: {
            log.append("changed")
        }
        source.forceLocation(1, 2)
        try await log.wait(for: "the change") { $0 == ["changed"] }
        model.stop()
    }

    @Test func `a position that becomes stale is not shown as current`() async throws {
        let model = LocationModel(
            ScriptedLocationSource([.location(1, 1)], clock: clock), staleAfter: .seconds(5))
        model.start()
        try await eventually("the position") {
            model.location != nil
        } is: {
            $0
        }
        try await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        try await eventually("the loss") {
            model.searchText
        } is: {
            $0 == "no report for 5 s"
        }
        #expect(model.location == nil && model.lastLocation != nil)
        model.stop()
    }

    @Test func `nothing changes after stop, and a released model ends its session`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        var model: LocationModel? = LocationModel(source)
        model?.start()
        try await source.untilRunning()
        model?.stop()
        source.forceLocation(1, 1)
        for _ in 0..<100 { await Task.yield() }
        #expect(model?.location == nil)
        model?.start()
        try await source.untilRunning()
        model = nil
        try await source.untilRunning(0)
    }
}
