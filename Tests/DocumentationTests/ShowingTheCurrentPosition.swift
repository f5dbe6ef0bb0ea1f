import LocationCore
import LocationTesting
import Testing

func showCurrentPositions(
    of provider: some LocationProvider, show: (Location) -> Void
) async throws(LocationError) {
    for try await update in provider.tracked() {
        if let (location, standing) = update.position, standing == .current { show(location) }
    }
}

func receiverTable(_ view: SessionView) -> [String] {
    view.devices.compactMap { device in
        guard let receiver = view[device] else { return nil }
        let accuracy = receiver.state.location?.horizontalAccuracy.map { "±\($0) m" } ?? "no position"
        return "\(device ?? "the receiver"): \(accuracy)"
    }
}

@Test func `the more accurate of two receivers is shown`() async throws {
    let here = Coordinate(latitude: 52.5163, longitude: 13.3777)
    let source = ScriptedLocationSource(
        [("/dev/ttyACM0", 3.0), ("/dev/ttyUSB0", 300.0)].map { device, accuracy in
            .location(Location(coordinate: here, device: device, horizontalAccuracy: accuracy))
        } + [.end], clock: ManualClock())
    let log = EventLog<String>()
    try await showCurrentPositions(of: source) { log.append($0.device ?? "") }
    #expect(log.events == ["/dev/ttyACM0"])

    let coordinator = LocationCoordinator(ScriptedLocationSource([.location(52.5163, 13.3777)], clock: ManualClock()))
    coordinator.start()
    try await eventually("the position") {
        receiverTable(coordinator.view)
    } is: {
        $0 == ["the receiver: ±5.0 m"]
    }
    coordinator.stop()
}
