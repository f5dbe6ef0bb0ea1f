import Foundation
import LocationCore
import LocationTesting
import Testing

/// Tests of what a list of fences remembers.
@Suite struct FenceRecordTests {
    private static let home = Coordinate(latitude: 45.0548, longitude: 7.6865)
    private static let inside = ScriptStep.location(45.0548, 7.6865)
    private static let outside = ScriptStep.location(45.06, 7.6865)

    private func fence(_ name: String = "home") throws -> Fence {
        try Fence(name: name, shape: .circle(center: Self.home, radius: 150))
    }

    private func kinds(_ steps: [ScriptStep], _ fences: FenceList) async throws -> [FenceEvent.Kind] {
        let source = ScriptedLocationSource(steps + [.end], clock: ManualClock())
        return try await LocationRecorder(source, fences: fences).untilEnded().fenceEvents.map(\.kind)
    }

    /// Returns the list of a program that starts again, from the stored records of another list.
    private func restarted(_ fences: FenceList) throws -> FenceList {
        let stored = try JSONEncoder().encode(fences.records)
        return FenceList(restoring: try JSONDecoder().decode([FenceRecord].self, from: stored))
    }

    @Test func `a record has the state and the last event with its time`() async throws {
        let fences = FenceList([try fence()])
        #expect(fences.record(for: "home")?.state == .unknown && fences.record(for: "home")?.lastEvent == nil)
        #expect(fences.record(for: "office") == nil)
        _ = try await kinds([Self.outside, Self.inside], fences)
        let record = try #require(fences.record(for: "home"))
        let home = try fence()
        #expect(record.state == .satisfied && record.fence == home && record.device == nil)
        #expect(record.lastEvent?.kind == .enter && record.lastEvent?.time == .testEpoch)
        #expect(record.lastEvent?.coordinate == Self.home)
        _ = try await kinds([Self.inside, Self.outside], fences)
        #expect(fences.records.map(\.state) == [.unsatisfied])
    }

    @Test func `after a restart only what has changed is an event`() async throws {
        let fences = FenceList([try fence()])
        #expect(try await kinds([Self.inside], fences) == [.inside])
        let second = try restarted(fences)
        #expect(second.fences == fences.fences && second.records == fences.records)
        #expect(try await kinds([Self.inside], second) == [])
        #expect(try await kinds([Self.outside], try restarted(second)) == [.exit])
        let third = try restarted(fences)
        #expect(try await kinds([Self.inside, Self.outside], third) == [.exit])
        #expect(try await kinds([Self.outside], try restarted(third)) == [])
        #expect(try await kinds([Self.inside], try restarted(third)) == [.enter])
    }

    @Test func `each event counts as a change of the records, also one that no output has`() async throws {
        let fences = FenceList([try fence()])
        #expect(fences.eventCount == 0)
        _ = try await kinds([Self.outside, Self.outside, Self.inside], fences)
        #expect(fences.eventCount == 2)
    }

    @Test func `a record of a fence of which nothing is known leaves no trace`() throws {
        let fences = FenceList([try fence("a"), try fence("b")])
        let second = try restarted(fences)
        #expect(second.records == fences.records && second.fences.map(\.name) == ["a", "b"])
        #expect(second.record(for: "a", device: "x")?.device == "x")
    }

    @Test func `a list that restores continues in its later sessions, and another one begins again`() async throws {
        let fences = try restarted(FenceList([try fence()]))
        #expect(try await kinds([Self.inside], fences) == [.inside])
        #expect(try await kinds([Self.outside], fences) == [.exit])
        #expect(try await kinds([Self.outside], fences) == [])
        let forgetful = FenceList([try fence()])
        for _ in 1...2 { #expect(try await kinds([Self.inside], forgetful) == [.inside]) }
    }

    @Test(
        arguments: [
            (FenceRecord.State.satisfied, [], [.exit]), (.unsatisfied, [.enter], []), (.unknown, [.inside], [.outside]),
        ] as [(FenceRecord.State, [FenceEvent.Kind], [FenceEvent.Kind])])
    func `a fence can be added in an assumed state`(
        state: FenceRecord.State, whenInside: [FenceEvent.Kind], whenOutside: [FenceEvent.Kind]
    ) async throws {
        for (step, kinds) in [(Self.inside, whenInside), (Self.outside, whenOutside)] {
            let fences = FenceList()
            fences.add(try fence(), assuming: state)
            #expect(fences.record(for: "home")?.state == state)
            #expect(try await self.kinds([step], fences) == kinds)
        }
    }

    @Test func `the view of a session tells the restored state before the first position`() async throws {
        let fences = FenceList()
        fences.add(try fence(), assuming: .satisfied)
        let source = ScriptedLocationSource([.searching(.noDevice), .end], clock: ManualClock())
        var iterator = source.tracked(fences: fences).makeAsyncIterator()
        _ = try await iterator.next()
        #expect(iterator.view.isInside("home") == true)
    }

    @Test func `a fence of the same name and another shape is not the remembered one`() async throws {
        let fences = FenceList([try fence()])
        _ = try await kinds([Self.inside], fences)
        let second = try restarted(fences)
        second.add(try Fence(name: "home", shape: .circle(center: Self.home, radius: 200)))
        #expect(second.record(for: "home")?.state == .unknown)
        #expect(try await kinds([Self.inside], second) == [.inside])
        let third = try restarted(fences)
        third.add(try fence())
        #expect(try await kinds([Self.inside], third) == [])
        third.remove("home")
        #expect(third.records.isEmpty)
    }

    @Test func `an anchor stays where it was dropped, and a stay that was a dwell is none again`() async throws {
        let clock = ManualClock()
        func session(_ steps: [ScriptStep], _ fences: FenceList) async throws -> [FenceEvent.Kind] {
            let recorder = LocationRecorder(
                ScriptedLocationSource(steps + [.end], clock: clock), fences: fences, staleAfter: .seconds(3600))
            let end = Task { try await recorder.untilEnded() }
            return try await clock.advance(untilEndOf: end).fenceEvents.map(\.kind)
        }
        var anchor = try Fence(name: "anchor", shape: .anchor(radius: 100))
        anchor.dwellAfter = .seconds(60)
        let fences = FenceList([anchor])
        #expect(try await session([Self.inside, .wait(.seconds(61))], fences) == [.inside, .dwell])
        #expect(try await session([Self.inside, .wait(.seconds(61))], try restarted(fences)) == [])
        #expect(try await session([Self.outside], try restarted(fences)) == [.exit])
    }

    @Test func `each device of a fleet has its record`() async throws {
        struct Fleet: LocationProvider {
            let base: any LocationProvider

            func updates(for request: LocationRequest) -> LocationUpdates {
                base.updates(for: request).namingSubjects()
            }
        }
        func position(_ device: String, _ latitude: Double) -> ScriptStep {
            .location(
                Location(
                    coordinate: Coordinate(latitude: latitude, longitude: 7.6865), timestamp: .testEpoch,
                    device: device, horizontalAccuracy: 5))
        }
        func kinds(_ steps: [ScriptStep], _ fences: FenceList) async throws -> [String] {
            let source = Fleet(base: ScriptedLocationSource(steps + [.end], clock: ManualClock()))
            return try await LocationRecorder(source, fences: fences).untilEnded().fenceEvents
                .map { "\($0.device ?? "?") \($0.kind)" }
        }
        let fences = FenceList([try fence()])
        #expect(try await kinds([position("a", 45.0548), position("b", 45.06)], fences) == ["a inside", "b outside"])
        #expect(fences.record(for: "home", device: "a")?.state == .satisfied)
        #expect(fences.record(for: "home", device: "b")?.state == .unsatisfied)
        let second = try restarted(fences)
        let steps = [position("a", 45.06), position("b", 45.0548), position("c", 45.0548)]
        #expect(try await kinds(steps, second) == ["a exit", "b enter", "c inside"])
        #expect(second.records.compactMap(\.device) == ["a", "b", "c"])
    }
}
