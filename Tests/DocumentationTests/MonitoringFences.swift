import LocationCore
import LocationTesting
import Testing

struct Gate {
    let fences: FenceList

    func watch(
        _ provider: some LocationProvider, open: () async -> Void, close: () async -> Void
    ) async throws(LocationError) {
        for try await event in provider.fenceEvents(for: fences, dwellAfter: .seconds(300)) {
            switch event.kind {
            case .inside, .enter: await open()
            case .exit: await close()
            case .dwell: break  // five minutes inside
            }
        }
    }
}

func homeAndGarden() throws(FenceError) -> FenceList {
    let home = Coordinate(latitude: 45.0548, longitude: 7.6865)
    let garden = [(45.0551, 7.6860), (45.0551, 7.6872), (45.0556, 7.6872), (45.0556, 7.6860)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)
    }
    return FenceList([
        try Fence(name: "home", shape: .circle(center: home, radius: 150)),
        try Fence(name: "garden", shape: .polygon(garden)),
    ])
}

@Test func `the gate opens on arrival and closes on departure`() async throws {
    let home = Coordinate(latitude: 45.0548, longitude: 7.6865)
    let gate = Gate(fences: FenceList([try Fence(name: "home", shape: .circle(center: home, radius: 150))]))
    let source = ScriptedLocationSource(
        [.location(45.06, 7.6865), .location(45.0548, 7.6865), .location(45.06, 7.6865), .end], clock: ManualClock())
    let log = EventLog<String>()
    try await gate.watch(source) {
        log.append("open")
    } close: {
        log.append("close")
    }
    #expect(log.events == ["open", "close"])
}

@Test func `the first event follows 300 ms after the position`() async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource([.location(45.0548, 7.6865)], clock: clock)
    let fences = try homeAndGarden()
    let first = Task { try await source.fenceEvents(for: fences).first { _ in true } }
    let event = try await clock.advance(untilEndOf: first)
    #expect(event?.kind == .inside)
    #expect(clock.now.elapsed == .milliseconds(300))
}

@Suite struct MonitoringFencesTests {
    @Test func `home and garden are fences`() throws {
        #expect(try homeAndGarden().fences.map(\.name) == ["home", "garden"])
    }
}
