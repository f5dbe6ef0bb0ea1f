import LocationCore
import LocationObservation
import LocationTesting
import Testing

@MainActor @Suite struct LocationModelTests {
    private let clock = ManualClock()

    @Test func `the model shows the position, its accuracy and the state`() async throws {
        let source = ScriptedLocationSource([.searching(.noFix(seen: 4, used: 0, best: nil))], clock: clock)
        let model = LocationModel(source)
        #expect(model.state == .searching(.starting) && !model.isRunning)
        model.start()
        try await expect(model.searchText, toBecome: "no fix, 4 satellites seen, 0 used", "the search")
        #expect(model.location == nil && model.isRunning)

        source.forceLocation(52.5163, 13.3777, accuracy: 7)
        try await expect(model.location?.coordinate.latitude, toBecome: 52.5163, "the position")
        #expect(model.accuracy == 7 && model.searchText == nil && model.errorText == nil)

        source.forceError(.daemon(message: "no"))
        try await expect(model.errorText, toBecome: "gpsd reports: no", "the error")
        #expect(model.location == nil && model.lastLocation?.coordinate.latitude == 52.5163)
        model.stop()
        #expect(model.state == .searching(.starting) && !model.isRunning)
    }

    @Test func `the model shows the attitude of a compass, and then that of the position`() async throws {
        let compass = Attitude(headingMagnetic: 218.6, device: "/dev/compass")
        let source = ScriptedLocationSource([.attitude(compass)], clock: clock)
        let model = LocationModel(source)
        model.start()
        try await expect(model.attitude, toBecome: compass, "the compass")
        #expect(model.location == nil)
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 1), device: "/dev/gps")
        location.heading = 92.5
        source.forceLocation(location)
        try await expect(model.attitude?.heading, toBecome: 92.5, "the attitude of the position")
        #expect(model.location?.heading == 92.5)
        model.stop()
        #expect(model.attitude == nil)
    }

    @Test(arguments: [
        ScriptStep.error(.denied(what: "/dev/a", cause: "mode 600")),
        .endThrowing(.denied(what: "/dev/a", cause: "mode 600")), .authorization(.denied),
    ])
    func `the model and a request for authorization agree about a denial`(step: ScriptStep) async throws {
        let source = ScriptedLocationSource([.searching(.noDevice), step], clock: clock)
        let model = LocationModel(source)
        model.start()
        try await expect(model.authorization, toBecome: .denied, "the denial")
        #expect(try await source.authorization() == model.authorization)
        model.stop()
    }

    @Test func `a position after a denial that was a failure shows that positions may be read`() async throws {
        let denial = LocationError.denied(what: "/dev/a", cause: "mode 600")
        let source = ScriptedLocationSource([.error(denial), .error(denial)], clock: clock)
        let model = LocationModel(source)
        model.start()
        try await expect(model.authorization, toBecome: .denied, "the denial")
        source.forceLocation(1, 1)
        try await expect(model.authorization, toBecome: .authorized, "the position")
        source.forceError(denial)
        try await expect(model.authorization, toBecome: .denied, "the second denial")
        model.stop()
    }

    @Test func `a position that becomes stale is not shown as current`() async throws {
        let model = LocationModel(ScriptedLocationSource([.location(1, 1)], clock: clock), staleAfter: .seconds(5))
        model.start()
        try await expect(model.location != nil, toBecome: true, "the position")
        try await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        try await expect(model.searchText, toBecome: "no report for 5 s", "the loss")
        #expect(model.location == nil && model.lastLocation?.coordinate.latitude == 1)
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
