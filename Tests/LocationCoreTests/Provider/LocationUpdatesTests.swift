import LocationCore
import LocationTesting
import Testing

@Suite struct LocationUpdatesTests {
    private let clock = ManualClock()

    private func updates(_ script: [ScriptStep], for request: LocationRequest) async throws -> [LocationUpdate] {
        let source = ScriptedLocationSource(script + [.end], clock: clock)
        return try await source.updates(for: request).reduce(into: []) { $0.append($1) }
    }

    @Test func `an iterator that has ended keeps returning nil without a new session`() async throws {
        let source = ScriptedLocationSource([.endThrowing(.cancelled)], clock: clock)
        var iterator = source.updates(for: .everything).makeAsyncIterator()
        await #expect(throws: LocationError.cancelled) { try await iterator.next() }
        for _ in 0..<3 { #expect(try await iterator.next() == nil) }
        #expect(source.calls == [.started(.everything), .stopped])
    }

    @Test func `events of a device that was not requested are omitted`() async throws {
        let script: [ScriptStep] = [
            .location(Sample.gate.with { $0.device = "/dev/a" }), .location(Sample.gate.with { $0.device = "/dev/b" }),
            .satellites(SkyView(satellites: [], device: "/dev/b")), .device(DeviceStatus(path: "/dev/b")),
            .searching(.deviceLost(path: "/dev/b"), device: "/dev/b"), .searching(.noDevice), .location(Sample.gate),
            .error(.daemon(message: "no")),
            .clock(ClockSample(.pulse, device: "/dev/a", receiverTime: .testEpoch, hostTime: .testEpoch)),
        ]
        let updates = try await updates(script, for: LocationRequest(device: "/dev/a"))
        #expect(updates.map(\.event.name) == ["location", "searching", "location", "failure", "clock"])
        #expect(updates.map(\.event.device) == ["/dev/a", nil, nil, nil, "/dev/a"])
    }

    @Test func `a loop on the main actor stays there`() async throws {
        let source = ScriptedLocationSource([.location(Sample.gate), .end], clock: clock)
        let count = try await Task { @MainActor in
            var count = 0
            for try await _ in source.updates(for: .everything) {
                MainActor.assertIsolated()
                count += 1
            }
            return count
        }.value
        #expect(count == 1)
    }
}

@Suite struct FilteredProviderTests {
    private let clock = ManualClock()

    private func latitudes(_ provider: some LocationProvider) async throws -> [Double] {
        try await provider.locations().reduce(into: []) { $0.append($1.coordinate.latitude) }
    }

    @Test func `atMostEvery passes one position per interval`() async throws {
        let script = (0...5).flatMap { [ScriptStep.location(Sample.numbered($0)), .wait(.seconds(1))] } + [.end]
        let source = ScriptedLocationSource(script, clock: clock)
        async let latitudes = latitudes(source.atMostEvery(.seconds(2)))
        try await clock.advance(by: .seconds(1), times: 6)
        #expect(try await latitudes == [0, 2, 4].map { Sample.numbered($0).coordinate.latitude })
    }

    @Test func `filters can be combined, and the request reaches the source`() async throws {
        let source = ScriptedLocationSource(
            [.location(1, 1, accuracy: 50), .location(2, 2), .location(2, 2), .end], clock: clock)
        #expect(try await latitudes(source.filtered(by: LocationRequest(accuracy: 10)).moved(by: 1)) == [2])
        #expect(source.calls == [.started(.everything), .stopped])
    }
}
