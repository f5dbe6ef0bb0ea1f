import LocationCore
import LocationRecordings
import LocationTesting
import Testing

@Test func `one request starts one session and stops it`() async throws {
    let line = #"{"class":"TPV","mode":3,"time":"2026-05-01T12:00:00.000Z","lat":52.5163,"lon":13.3777}"#
    let recording = ReplayProvider(.bytes(Array(line.utf8) + [10], name: "one position"), pace: .max)
    let spy = LocationProviderSpy(recording)

    let here = try await spy.current(within: .seconds(5))

    #expect(here.coordinate.latitude == 52.5163)
    try await spy.untilCalled(.stopped)
    let request = LocationRequest(fix: .twoD, purpose: .once, limit: .seconds(5))
    #expect(spy.calls == [.oneShotAsked(request), .stopped])
    #expect(spy.updates.compactMap(\.location).count == 1)
    #expect(spy.runningSessions == 0)
}

@Test func `creating the sequence starts no session`() {
    let source = UnusedLocationSource { Issue.record("\($0)") }
    _ = source.locations()
}

@Test func `a receiver that is unplugged is searched for and found again`() async throws {
    let source = ScriptedLocationSource(
        [.location(1, 1), .searching(.deviceLost(path: "/dev/ttyACM0")), .location(2, 2), .end], clock: ManualClock())
    let recorder = LocationRecorder(source)
    try await recorder.untilEnded()
    try recorder.expectStates([.searching, .found, .searchingAs("deviceLost"), .found])
}
