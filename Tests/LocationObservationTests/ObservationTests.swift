import LocationCore
import LocationObservation
import LocationTesting
import Observation
import Testing

/// Tests of what the properties of a coordinator show, and of whom they notify.
@MainActor @Suite struct ObservationTests {
    private let clock = ManualClock()
    private let lost = LocationError.connectionLost(host: "localhost", port: 2947, cause: "reset")

    /// Emits a position of a receiver, dated now.
    private func report(_ source: ScriptedLocationSource, _ device: String, accuracy: Double, latitude: Double = 0) {
        source.forceLocation(
            Location(
                coordinate: Coordinate(latitude: latitude, longitude: 0),
                timestamp: .testEpoch.advanced(by: clock.now.elapsed), device: device, horizontalAccuracy: accuracy))
    }

    // MARK: Values

    @Test func `the properties show the position, its accuracy and the state`() async throws {
        let source = ScriptedLocationSource([.searching(.noFix(seen: 4, used: 0, best: nil))], clock: clock)
        let model = LocationCoordinator(source)
        #expect(model.state == .searching(.starting) && !model.isRunning && model.searchText == nil)
        model.start()
        try await eventually("the search", is: "no fix, 4 satellites seen, 0 used") { model.searchText }
        #expect(model.location == nil && model.isRunning)

        source.forceLocation(52.5163, 13.3777, accuracy: 7)
        try await eventually("the position", is: 52.5163) { model.location?.coordinate.latitude }
        #expect(model.accuracy == 7 && model.searchText == nil && model.errorText == nil)

        source.forceError(.daemon(message: "no"))
        try await eventually("the error", is: "gpsd reports: no") { model.errorText }
        #expect(model.location == nil && model.lastLocation?.coordinate.latitude == 52.5163)
        model.stop()
        #expect(model.state == .searching(.starting) && !model.isRunning)
    }

    @Test func `the attitude is that of a compass, and then that of the position`() async throws {
        let compass = Attitude(headingMagnetic: 218.6, device: "/dev/compass")
        let source = ScriptedLocationSource([.attitude(compass)], clock: clock)
        let model = LocationCoordinator(source)
        model.start()
        try await eventually("the compass", is: compass) { model.attitude }
        #expect(model.location == nil)
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 1), device: "/dev/gps")
        location.heading = 92.5
        source.forceLocation(location)
        try await eventually("the attitude of the position", is: 92.5) { model.attitude?.heading }
        #expect(model.location?.heading == 92.5)
        model.stop()
        #expect(model.attitude == nil)
    }

    @Test(arguments: [
        ScriptStep.error(.denied(what: "/dev/a", cause: "mode 600")),
        .endThrowing(.denied(what: "/dev/a", cause: "mode 600")), .authorization(.denied),
    ])
    func `the property and a request for authorization agree about a denial`(step: ScriptStep) async throws {
        let source = ScriptedLocationSource([.searching(.noDevice), step], clock: clock)
        let model = LocationCoordinator(source)
        model.start()
        try await eventually("the denial", is: .denied) { model.authorization }
        #expect(try await source.authorization() == model.authorization)
        #expect(try await model.requestAuthorization() == .denied)
        model.stop()
    }

    @Test func `a position after a denial that was a failure shows that positions may be read`() async throws {
        let denial = LocationError.denied(what: "/dev/a", cause: "mode 600")
        let source = ScriptedLocationSource([.error(denial), .error(denial)], clock: clock)
        let model = LocationCoordinator(source)
        model.start()
        try await eventually("the denial", is: .denied) { model.authorization }
        source.forceLocation(1, 1)
        try await eventually("the position", is: .authorized) { model.authorization }
        source.forceError(denial)
        try await eventually("the second denial", is: .denied) { model.authorization }
        model.stop()
    }

    @Test func `a position that becomes stale is not shown as current`() async throws {
        let source = ScriptedLocationSource([.location(1, 1)], clock: clock)
        let model = LocationCoordinator(source, staleAfter: .seconds(5))
        model.start()
        try await eventually("the position", is: true) { model.location != nil }
        try await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        try await eventually("the loss", is: "no report for 5 s") { model.searchText }
        #expect(model.location == nil && model.lastLocation?.coordinate.latitude == 1)
        model.stop()
    }

    @Test func `a model says when its position is not to be believed`() async throws {
        let harbour = Coordinate(latitude: 54.1821, longitude: 7.8894)
        let source = ScriptedLocationSource([.spoofed(at: harbour, after: 30)], clock: clock)
        let model = LocationCoordinator(source)
        model.start()
        #expect(model.verdict == .nominal && !model.isStationary)
        try await clock.advance(until: "the alarm") { model.verdict == .alarm }
        #expect(model.location != nil)
        model.stop()
        #expect(model.verdict == .nominal)
    }

    @Test(arguments: [nil, Duration.seconds(60)])
    func `the distance is that of the way, however many of its positions the request shows`(
        interval: Duration?
    ) async throws {
        let way = [Coordinate(latitude: 45, longitude: 7), Coordinate(latitude: 45.02, longitude: 7)]
        let stop = Array(repeating: [ScriptStep.wait(.seconds(1)), .place(way[1], accuracy: 5)], count: 60)
        let source = ScriptedLocationSource([.route(way, speed: 10)] + stop.flatMap(\.self), clock: clock)
        var request = LocationRequest()
        request.minimumInterval = interval
        let model = LocationCoordinator(source, for: request)
        var shown = 0
        model.onUpdate = { _ in shown += 1 }
        let notified = EventLog<Void>()
        withObservationTracking {
            #expect(model.distance == 0)
        } onChange: {
            notified.append(())
        }
        model.start()
        try await clock.advance(until: "the first 2 km") { model.distance.map { $0 > 2_000 } ?? false }
        #expect(notified.events.count == 1)
        try await clock.advance(until: "the end of the script") { model.location == nil && model.lastLocation != nil }
        let length = way[0].distance(to: way[1])
        let distance = try #require(model.distance)
        #expect(abs(distance - length) < 25, "\(distance) of \(length)")
        #expect(interval == nil ? shown > 200 : shown < 8)
        source.end()
        try await eventually("the end", is: false) { model.isRunning }
        #expect(model.distance == distance)
        model.start()
        #expect(model.distance == 0)
        model.stop()
    }

    // MARK: Observers

    /// Returns whether observers of a value are notified when `change` happens.
    private func isNotified(of value: @escaping () -> Void, by change: () throws -> Void) async throws {
        let log = EventLog<Bool>()
        withObservationTracking(value) { log.append(true) }
        try change()
        try await log.wait(for: "the notification") { $0 == [true] }
    }

    @Test func `observers are notified of each change, also of the receiver and of the end of a session`() async throws
    {
        let source = ScriptedLocationSource(clock: clock)
        let model = LocationCoordinator(source, fences: FenceList([try .home()]))
        try await isNotified(of: { _ = model.isRunning }, by: { model.start() })
        try await source.untilRunning()
        try await isNotified(of: { _ = model.lastFenceEvent }, by: { report(source, "/dev/a", accuracy: 3) })
        try await eventually("the position", is: 3) { model.accuracy }
        try await isNotified(
            of: { _ = model.lastLocation }, by: { report(source, "/dev/a", accuracy: 3, latitude: 0.001) })
        try await isNotified(of: { _ = model.location }, by: { model.request.device = "/dev/b" })
        #expect(model.location == nil && model.lastLocation == nil && model.state == .searching(.starting))
        #expect(model.isRunning && model.view.devices.isEmpty)
        try await source.untilCalled(.started(LocationRequest(device: "/dev/b")))
        try await source.untilRunning(1)
        try await isNotified(of: { _ = model.view }, by: { source.forceSatellites(SkyView(satellites: [])) })
        try await isNotified(of: { _ = model.authorization }, by: { source.forceAuthorization(.denied) })
        try await isNotified(of: { _ = model.errorText }, by: { source.forceError(lost) })
        try await isNotified(of: { _ = model.request }, by: { model.request.accuracy = 5 })
        try await eventually("the failure", is: lost.description) { model.errorText }
        try await isNotified(of: { _ = model.isRunning }, by: { source.end() })
        try await eventually("the end", is: false) { model.isRunning }
        try await isNotified(of: { _ = model.isRunning }, by: { model.start() })
        try await source.untilRunning()
        try await isNotified(of: { _ = model.state }, by: { source.end(throwing: lost) })
        try await eventually("the error", is: .error(lost)) { model.state }
        try await isNotified(of: { _ = model.state }, by: { model.stop() })
        #expect(model.state == .searching(.starting) && model.searchText == nil)
    }

    @Test func `observers of a text or of a fence are not notified of positions that do not change it`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let model = LocationCoordinator(source, fences: FenceList([try .home()]))
        let log = EventLog<String>()
        model.start()
        try await source.untilRunning()
        #expect(model.isInside("home") == nil && model.searchText == "starting")
        report(source, "/dev/a", accuracy: 3)
        try await eventually("the position", is: 3) { model.accuracy }
        #expect(model.isInside("home") == true)

        func note(_ name: String, _ value: () -> Void) { withObservationTracking(value) { log.append(name) } }
        note("search") { _ = model.searchText }
        note("error") { _ = model.errorText }
        note("fence") { _ = model.isInside("home") }
        note("accuracy") { _ = model.accuracy }
        note("running") { _ = model.isRunning }
        note("authorization") { _ = model.authorization }
        clock.advance(by: .seconds(1))
        report(source, "/dev/a", accuracy: 3, latitude: 0.0001)
        try await eventually("the next position", is: 0.0001) { model.location?.coordinate.latitude }
        #expect(log.events == [])

        clock.advance(by: .seconds(1))
        report(source, "/dev/a", accuracy: 4, latitude: 1)
        try await log.wait(for: "the exit") { Set($0) == ["accuracy", "fence"] }
        source.forceSearching(.noFix(seen: 3, used: 0, best: nil), device: "/dev/a")
        try await log.wait(for: "the search") { Set($0) == ["accuracy", "fence", "search"] }
        model.stop()
        #expect(log.events.last == "running" && model.isInside("home") == nil)
    }

    @Test func `nothing changes after stop`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let model = LocationCoordinator(source)
        model.start()
        try await source.untilRunning()
        model.stop()
        source.forceLocation(1, 1)
        for _ in 0..<100 { await Task.yield() }
        #expect(model.location == nil && model.view.devices.isEmpty)
    }
}
