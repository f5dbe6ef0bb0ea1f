import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct LocationRecorderTests {
    private let clock = ManualClock()

    @Test func `a recording holds updates, transitions, positions, failures and the end`() async throws {
        let source = ScriptedLocationSource(
            [.location(Sample.here), .error(Sample.lost), .satellites(SkyView(satellites: nil)), .end], clock: clock)
        let recording = try await LocationRecorder(source).untilEnded()
        #expect(recording.updates.count == 3)
        #expect(recording.transitions.map(\.reason.code) == ["fix", "connectionLost"])
        #expect(recording.locations == [Sample.here.received(after: .zero)])
        #expect(recording.failures == [Sample.lost])
        #expect(recording.states.map(\.location?.coordinate) == [nil, Sample.gate, nil])
        #expect(recording.ending == .ended)
    }

    @Test func `a recorder ends its session when it is stopped or released`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let stopped = LocationRecorder(source)
        try await source.untilRunning(1)
        stopped.stop()
        try await source.untilRunning(0)
        var dropped: LocationRecorder? = LocationRecorder(source)
        try await source.untilRunning(1)
        withExtendedLifetime(dropped) {}
        dropped = nil
        try await source.untilRunning(0)
    }

    @Test func `a condition may read the recorder that it waits for`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let recorder = LocationRecorder(source)
        let wait = Task {
            try await recorder.wait(for: "a position") { _ in !recorder.recording.locations.isEmpty }
        }
        try await source.untilRunning()
        source.forceLocation(1, 2)
        #expect(try await wait.value.locations.count == 1)
        recorder.stop()
    }

    @Test func `states can be awaited and checked`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let recorder = LocationRecorder(source)
        try recorder.expectStates([.searching])
        source.forceLocation(Sample.here)
        try await recorder.wait(forStates: [.searching, .found])
        source.forceError(Sample.lost)
        try await recorder.wait(forStates: [.searching, .found, .error])
        try recorder.expectStates([.searchingAs("starting"), .foundAt(Sample.gate), .errorCode("connectionLost")])
    }

    @Test func `a mismatch shows the expected and the actual states`() async throws {
        let source = ScriptedLocationSource([.location(Sample.here), .end], clock: clock)
        let recorder = LocationRecorder(source)
        try await recorder.untilEnded()
        let mismatch = try await expectFailure {
            try recorder.expectStates([
                .searching, .searchingAs("noFix"), .found, .foundAt(Sample.gate), .error, .errorCode("denied"),
            ])
        }
        #expect(
            mismatch.message == """
                expected the states: searching, searching (noFix), found, found at 52.5163, 13.3777, error, error (denied)
                actual states:       searching (starting), found at 52.5163, 13.3777
                """)
    }

    @Test func `a timed out wait lists the latest events and states`() async throws {
        let source = ScriptedLocationSource(
            [
                .searching(.noDevice), .location(Sample.here), .error(Sample.lost),
                .satellites(SkyView(satellites: nil, seen: 9, used: 4)), .device(DeviceStatus(path: "/dev/ttyACM0")),
                .authorization(.authorized), .endThrowing(Sample.lost),
            ], clock: clock)
        let recorder = LocationRecorder(source)
        try await recorder.untilEnded()
        let failure = try await expectFailure {
            try await recorder.wait(for: "a second fix", within: .zero) { $0.locations.count == 2 }
        }
        let lines = failure.message.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.first == "timed out after 0.0 seconds waiting for a second fix; so far:")
        for line in [
            "0.0 seconds: now error (connectionLost)",
            "0.0 seconds: satellites seen 9, used 4", "0.0 seconds: device /dev/ttyACM0: unknown",
            "0.0 seconds: authorization authorized", "0.0 seconds: no longer \(Sample.lost) (failed 1 time)",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
        #expect(lines.contains { $0.hasPrefix("0.0 seconds: location ") && $0.contains("lat 52.5163, lon 13.3777") })
        #expect(lines.last?.hasPrefix("the session threw lost the connection") == true)
    }
}

@Suite struct StatePatternTests {
    private static let searching = LocationState.searching(.starting)
    private static let noFix = LocationState.searching(.noFix(seen: nil, used: nil, best: nil))
    private static let found = LocationState.found(Sample.here)
    private static let error = LocationState.error(Sample.lost)

    @Test(arguments: [
        ([StatePattern.searching], [searching, noFix], true),
        ([.searching, .found], [searching, noFix, found], true),
        ([.searching, .searchingAs("noFix"), .found], [searching, noFix, found], true),
        ([.searching, .searchingAs("noFix")], [searching], false),
        ([.searching], [], false),
        ([], [], true),
        ([], [searching], false),
        ([.found], [error], false),
        ([.searchingAs("silent")], [noFix], false),
        ([.foundAt(Sample.gate)], [found], true),
        ([.foundAt(Sample.there.coordinate)], [found], false),
        ([.foundAt(Coordinate(latitude: 52.5164, longitude: 13.3777), within: 20)], [found], true),
        ([.error], [error], true),
        ([.errorCode("connectionLost")], [error], true),
        ([.errorCode("denied")], [error], false),
        ([.errorCode("denied")], [found], false),
    ])
    func `patterns match the states of a session`(patterns: [StatePattern], states: [LocationState], match: Bool) {
        #expect(StatePattern.match(patterns, states) == match)
    }

    @Test(.timeLimit(.minutes(1)))
    func `many patterns of searches beside each other take no longer than as many others`() {
        // Tried one after another there are more than 10²⁶ ways to divide the searches.
        let patterns = Array(repeating: StatePattern.searching, count: 40) + [.found]
        let searches = Array(repeating: Self.searching, count: 200)
        #expect(StatePattern.match(patterns, searches + [Self.found]))
        #expect(!StatePattern.match(patterns, searches + [Self.error]))
        #expect(!StatePattern.match(patterns, Array(searches.prefix(39)) + [Self.found]))
    }
}
