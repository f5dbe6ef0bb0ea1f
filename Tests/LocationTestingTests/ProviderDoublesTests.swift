import LocationCore
import LocationTesting
import TestSupport
import Testing

@Suite struct ProviderDoublesTests {
    private let clock = ManualClock()

    @Test func `an error can be the answer to a request`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        source.locationToReturn = { request throws(LocationError) in
            if request.purpose == .once { throw .denied(what: "/dev/a", cause: "mode 600") }
            return nil
        }
        await #expect(throws: LocationError.denied(what: "/dev/a", cause: "mode 600")) {
            try await source.current(clock: clock)
        }
    }

    @Test func `a spy records the calls and the updates of any provider`() async throws {
        let spy = LocationProviderSpy(ScriptedLocationSource([.location(1, 1), .searching(.noDevice)], clock: clock))
        let request = LocationRequest(accuracy: 10)
        let recorder = LocationRecorder(spy, for: request)
        try await recorder.wait(for: "both events") { $0.updates.count == 2 }
        #expect(spy.calls == [.started(request)] && spy.runningSessions == 1)
        #expect(spy.updates.count == 2 && spy.updates.first?.location?.coordinate.latitude == 1)
        recorder.stop()
        try await spy.untilCalled(.stopped)
        #expect(spy.runningSessions == 0)
    }

    @Test func `a condition may read the calls of the source or the spy that it waits for`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let spy = LocationProviderSpy(source)
        let ofSource = Task { try await source.untilCalled { _ in source.calls.count == 2 } }
        let ofSpy = Task { try await spy.untilCalled { _ in spy.calls.count == 2 && spy.runningSessions == 0 } }
        let recorder = LocationRecorder(spy)
        try await source.untilRunning()
        recorder.stop()
        #expect(try await ofSource.value == .started(.everything))
        #expect(try await ofSpy.value == .started(.everything))
    }

    @Test func `a source that must not be used reports the use and its own place`() async throws {
        let log = EventLog<String>()
        let line = #line + 1
        let source = UnusedLocationSource { log.append($0) }
        #expect(log.events.isEmpty)
        let recorded = try await LocationRecorder(source).untilEnded()
        #expect(log.events.count == 1)
        #expect(
            log.events[0].hasPrefix("LocationTestingTests/ProviderDoublesTests.swift:\(line): a session was started"))
        #expect(recorded.ending == .threw(LocationError.other(code: "unused", message: log.events[0])))
    }

    @Test func `a wait that fails reports the line of the call`() async throws {
        let line = #line + 2
        let error = try await expectFailure {
            try await EventLog<Int>().wait(for: "a number", within: .zero) { !$0.isEmpty }
        }
        #expect(error.callSite == CallSite(line: line))
        #expect("\(error)".hasPrefix("LocationTestingTests/ProviderDoublesTests.swift:\(line): timed out after"))
    }

    @Test func `states that do not match report the line of the call`() async throws {
        let recorder = LocationRecorder(ScriptedLocationSource([.location(1, 1), .end], clock: clock))
        try await recorder.untilEnded()
        let line = #line + 1
        let error = try await expectFailure { try recorder.expectStates([.searching, .error]) }
        #expect(error.callSite?.line == line)
    }

    @Test func `a check that fails reports the line of the call`() async throws {
        let broken = LocationProviderConformance("a source that never ends", patience: .milliseconds(10)) {
            ConformanceSubject(ScriptedLocationSource(), emit: {})
        }
        let check = try #require(broken.checks.first { $0.rule == .tells })
        let line = #line + 1
        let error = try await expectFailure { try await check.run() }
        #expect(error.callSite?.line == line)
    }
}
