import LocationCore
import LocationTesting
import Testing

struct Gate {
    let fences: FenceList

    func watch(
        _ provider: some LocationProvider, open: () async -> Void, close: () async -> Void
    ) async throws(LocationError) {
        for try await event in provider.fenceEvents(for: fences) {
            switch event.kind {
            case .inside, .enter: await open()
            case .outside, .exit: await close()
            case .dwell: break  // five minutes inside
            case .undecided: print("the positions are too inaccurate for", event.fence)
            }
        }
    }
}

func homeAndGarden() throws(InvalidValue) -> FenceList {
    let home = Coordinate(latitude: 45.0548, longitude: 7.6865)
    let garden = [(45.0551, 7.6860), (45.0551, 7.6872), (45.0556, 7.6872), (45.0556, 7.6860)].map {
        Coordinate(latitude: $0.0, longitude: $0.1)
    }
    return FenceList(
        [
            try Fence(name: "home", shape: .circle(center: home, radius: 150)),
            try Fence(name: "garden", shape: .polygon(garden)),
        ], dwellAfter: .seconds(300))
}

func showWhereabouts(
    _ provider: some LocationProvider, at fences: FenceList, show: (String) -> Void
) async throws(LocationError) {
    var updates = provider.tracked(fences: fences).makeAsyncIterator()
    while let update = try await updates.next() {
        switch update {
        case .fence(let event): show("\(event.fence): \(event.kind)")
        case .update(let update, .current) where update.location != nil:
            show(updates.view.isInside("home") == true ? "at home" : "away")
        case .transition(let change): show("\(change.reason.code)")
        default: break
        }
    }
}

func anchorWatch(radius: Double) throws(InvalidValue) -> FenceList {
    var anchor = try Fence(name: "anchor", shape: .anchor(radius: radius))
    anchor.margin = 5
    return FenceList([anchor])
}

@Test(arguments: [(24, nil), (30, 7), (50, 2), (56, 1)] as [(Double, Int?)])
func `the margin of positions that are accurate to 10 m is 25 m`(outside: Double, exit: Int?) async throws {
    let home = Coordinate(latitude: 45.0548, longitude: 7.6865)
    let fences = FenceList([try Fence(name: "home", shape: .circle(center: home, radius: 150))])
    let place = home.destination(distance: 150 + outside, bearing: 90)
    for count in 1...9 {
        let positions = ([home] + Array(repeating: place, count: count)).map {
            ScriptStep.location(Location(coordinate: $0, horizontalAccuracy: 10))
        }
        let source = ScriptedLocationSource(positions + [.end], clock: ManualClock())
        let events = try await LocationRecorder(source, fences: fences).untilEnded().fenceEvents
        #expect(events.map(\.kind) == (count < exit ?? .max ? [.inside] : [.inside, .exit]))
    }
}

@Test(arguments: [(12.4, [.undecided]), (12.5, [.inside])] as [(Double, [FenceEvent.Kind])])
func `positions that are accurate to 25 m need a radius of 12.5 m`(
    radius: Double, kinds: [FenceEvent.Kind]
) async throws {
    let home = Coordinate(latitude: 45.0548, longitude: 7.6865)
    let fences = FenceList([try Fence(name: "home", shape: .circle(center: home, radius: radius))])
    let position = ScriptStep.location(Location(coordinate: home, horizontalAccuracy: 25))
    let source = ScriptedLocationSource(Array(repeating: position, count: 30) + [.end], clock: ManualClock())
    #expect(try await LocationRecorder(source, fences: fences).untilEnded().fenceEvents.map(\.kind) == kinds)
}

@Test(arguments: [true, false])
func `only time with a position is dwelling`(losesFix: Bool) async throws {
    let clock = ManualClock()
    let search = losesFix ? [ScriptStep.searching(.noFix(seen: 7, used: 2, best: 31))] : []
    let source = ScriptedLocationSource(
        [.location(45.0548, 7.6865), .wait(.seconds(1))] + search + [.wait(.seconds(599)), .end], clock: clock)
    let recorder = LocationRecorder(source, fences: try homeAndGarden(), staleAfter: .seconds(3600))
    let end = Task { try await recorder.untilEnded() }
    let events = try await clock.advance(untilEndOf: end).fenceEvents
    #expect(events.contains { $0.kind == .dwell } == !losesFix)
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
    #expect(log.events == ["close", "open", "close"])
}

@Suite struct MonitoringFencesTests {
    @Test func `position, state and fences are shown together`() async throws {
        let clock = ManualClock()
        let source = ScriptedLocationSource(
            [.location(45.06, 7.6865), .wait(.seconds(1)), .location(45.0548, 7.6865), .end], clock: clock)
        let log = EventLog<String>()
        let showing = Task { try await showWhereabouts(source, at: try homeAndGarden()) { log.append($0) } }
        try await clock.advance(untilEndOf: showing)
        #expect(log.events == ["fix", "home: outside", "garden: outside", "away", "home: enter", "at home"])
    }
}

@Test func `five minutes at home are a stay`() async throws {
    let clock = ManualClock()
    let second: [ScriptStep] = [.location(45.0548, 7.6865), .wait(.seconds(1))]
    let source = ScriptedLocationSource(Array(repeating: second, count: 302).flatMap(\.self) + [.end], clock: clock)
    let fences = try homeAndGarden()
    let recorder = LocationRecorder(source, fences: fences)
    let end = Task { try await recorder.untilEnded() }
    let events = try await clock.advance(untilEndOf: end).fenceEvents
    #expect(events.filter { $0.fence == "home" }.map(\.kind) == [.inside, .dwell])
}
