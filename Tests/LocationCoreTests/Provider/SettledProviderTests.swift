import LocationCore
import LocationTesting
import Testing

/// Tests of the reduction to one position per epoch.
@Suite struct SettledProviderTests {
    private let clock = ManualClock()

    /// Returns a report of the epoch `second` seconds after the beginning of the session, by the receiver's clock.
    private func report(
        _ second: Int, revision: Int = 0, device: String? = "/dev/a", altitude: Double? = nil, speed: Double? = nil,
        fix: FixKind = .threeD
    ) -> ScriptStep {
        var location = Location(
            coordinate: Coordinate(latitude: 45, longitude: 7), fix: fix,
            timestamp: .testEpoch.advanced(by: .seconds(second)), device: device, horizontalAccuracy: 5)
        location.altitudeMSL = altitude
        location.speed = speed
        location.revision = revision
        return .location(location)
    }

    /// Advances the clock whenever the script and its reader have had time to wait for their next deadlines.
    private func moveClock() -> Task<Void, Never> {
        Task { [clock] in
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(10))
                try? await clock.advanceToNextDeadline()
            }
        }
    }

    /// Returns the settled positions of a script and the milliseconds at which they arrive.
    private func settled(_ script: [ScriptStep]) async throws -> [(at: Int, location: Location)] {
        let source = ScriptedLocationSource(script + [.wait(.seconds(5)), .end], clock: clock)
        let mover = moveClock()
        defer { mover.cancel() }
        var positions: [(at: Int, location: Location)] = []
        for try await update in source.settled().updates(for: .everything) {
            guard case .location(let location) = update.event else { continue }
            positions.append((Int(update.moment.elapsed / .milliseconds(1)), location))
        }
        return positions
    }

    @Test func `the first epoch waits for its other reports, and later epochs are not delayed`() async throws {
        let positions = try await settled([
            report(0, fix: .twoD), .wait(.milliseconds(100)), report(0, revision: 1, altitude: 3),
            .wait(.milliseconds(900)), report(1, altitude: 4), .wait(.milliseconds(50)),
            report(1, revision: 1, altitude: 5),
        ])
        #expect(positions.map(\.at) == [300, 1000])
        #expect(positions.map(\.location.altitudeMSL) == [3, 4])
        #expect(positions.map(\.location.fix) == [.threeD, .threeD])
        #expect(positions.allSatisfy { $0.location.revision == 0 })
    }

    @Test func `a report that lacks a field of the previous epoch waits for it`() async throws {
        let positions = try await settled([
            report(0, altitude: 3, speed: 1), .wait(.seconds(1)), report(1, altitude: 4), .wait(.milliseconds(80)),
            report(1, revision: 1, altitude: 4, speed: 2), .wait(.milliseconds(920)), report(2, altitude: 5),
        ])
        #expect(positions.map(\.at) == [300, 1080, 2300])
        #expect(positions.map(\.location.speed) == [1, 2, nil])
    }

    @Test func `an epoch without a field that later reports often add does not lose that field in the next epochs`()
        async throws
    {
        func epoch(_ second: Int, altitude: Double?) -> [ScriptStep] {
            let first = [report(second), .wait(.milliseconds(50))]
            let later = altitude.map { [report(second, revision: 1, altitude: $0)] } ?? []
            return first + later + [.wait(.milliseconds(950))]
        }
        let altitudes: [Double?] = [1, 2, nil, 4, nil, nil, 7, 8]
        let positions = try await settled(altitudes.enumerated().flatMap { epoch($0.offset, altitude: $0.element) })
        #expect(positions.map(\.location.altitudeMSL) == altitudes)
    }

    @Test func `a report after its settled epoch teaches the next epochs to wait`() async throws {
        let positions = try await settled([
            report(0), .wait(.milliseconds(400)), report(0, revision: 1, altitude: 1), .wait(.milliseconds(600)),
            report(1), .wait(.milliseconds(50)), report(1, revision: 1, altitude: 2), .wait(.milliseconds(950)),
        ])
        #expect(positions.map(\.at) == [300, 1050])
        #expect(positions.map(\.location.altitudeMSL) == [nil, 2])
    }

    @Test func `a field that no report adds any more delays at most sixteen epochs`() async throws {
        let script = [
            report(0), .wait(.milliseconds(50)), report(0, revision: 1, altitude: 1), .wait(.milliseconds(950)),
        ]
        let later = (1...20).flatMap { [report($0), .wait(.seconds(1))] }
        let delays = try await settled(script + later).map { $0.at % 1000 }
        #expect(delays.prefix(2) == [300, 300])
        #expect(delays.lastIndex(of: 300).map { $0 <= 16 } == true)
        #expect(delays.count == 21)
    }

    @Test func `the next epoch settles the previous one`() async throws {
        let positions = try await settled([report(0), .wait(.milliseconds(100)), report(1), .wait(.milliseconds(100))])
        #expect(positions.map(\.at) == [100, 100], "the second report has all fields of the first")
    }

    @Test func `a delayed position precedes the event that reports its loss`() async throws {
        let source = ScriptedLocationSource(
            [
                report(0), .wait(.milliseconds(100)),
                .searching(.noFix(seen: 1, used: 0, best: nil), device: "/dev/a"), .end,
            ], clock: clock)
        let mover = moveClock()
        defer { mover.cancel() }
        var kinds: [String] = []
        for try await update in source.settled().updates(for: .everything) { kinds.append(update.event.name) }
        #expect(kinds == ["location", "searching"])
    }

    @Test func `each receiver is settled separately`() async throws {
        let positions = try await settled([
            report(0, device: "/dev/a"), report(0, device: "/dev/b", altitude: 1), .wait(.milliseconds(100)),
            report(0, revision: 1, device: "/dev/a", altitude: 2),
        ])
        #expect(positions.map(\.at) == [300, 300])
        #expect(positions.map(\.location.altitudeMSL) == [2, 1])
    }

    /// Returns a report of a receiver that has no time.
    private func untimed(latitude: Double = 45, altitude: Double? = nil) -> ScriptStep {
        var location = Location(coordinate: Coordinate(latitude: latitude, longitude: 7), device: "/dev/a")
        location.altitudeMSL = altitude
        return .location(location)
    }

    @Test func `the reports of a first epoch, of which gpsd knows the time from the last on, are one position`()
        async throws
    {
        let positions = try await settled([
            untimed(), .wait(.milliseconds(1)), untimed(altitude: 3), .wait(.milliseconds(1)), untimed(altitude: 3),
            .wait(.milliseconds(98)), report(0, altitude: 3), .wait(.milliseconds(900)), report(1, altitude: 4),
        ])
        #expect(positions.map(\.at) == [300, 1000])
        #expect(positions.map(\.location.altitudeMSL) == [3, 4])
        #expect(positions.first?.location.timestamp == .testEpoch)
        #expect(positions.first?.location.received == .testEpoch, "it arrived with its first report")
    }

    @Test func `a position without a timestamp is a separate epoch, which only the first one waits for`() async throws {
        let positions = try await settled([
            untimed(), .wait(.milliseconds(10)), untimed(latitude: 46), .wait(.seconds(1)), untimed(latitude: 46),
        ])
        #expect(positions.map(\.at) == [10, 10, 1010])
    }

    @Test func `the first epoch with a time after one without is settled like the first of a session`() async throws {
        let positions = try await settled([
            untimed(latitude: 46), untimed(), .wait(.seconds(1)), report(0), .wait(.milliseconds(10)),
            report(0, revision: 1, altitude: 3), .wait(.seconds(1)), report(1, altitude: 4),
        ])
        #expect(positions.suffix(2).map(\.location.altitudeMSL) == [3, 4])
    }

    @Test func `positions without a timestamp that arrive at one moment, as in a recording, are separate epochs`()
        async throws
    {
        let positions = try await settled([untimed(), untimed(), untimed(), .wait(.seconds(1)), report(0)])
        #expect(positions.count == 4)
    }

    @Test func `the end and an error of the session settle a delayed position`() async throws {
        let lost = LocationError.connectionLost(host: "a", port: 1, cause: "reset")
        let source = ScriptedLocationSource(
            sessions: [[report(0), .end], [report(0), .endThrowing(lost)]], clock: clock)
        var iterator = source.settled().updates(for: .everything).makeAsyncIterator()
        #expect(try await iterator.next()?.event.name == "location")
        #expect(try await iterator.next() == nil)
        var failing = source.settled().updates(for: .everything).makeAsyncIterator()
        #expect(try await failing.next()?.event.name == "location")
        await #expect(throws: lost) { try await failing.next() }
    }

    @Test func `filters apply to the settled position`() async throws {
        let source = ScriptedLocationSource(
            [report(0, fix: .twoD), .wait(.milliseconds(50)), report(0, revision: 1, altitude: 9), .end], clock: clock)
        let mover = moveClock()
        defer { mover.cancel() }
        let request = LocationRequest(accuracy: 10)
        var altitudes: [Double?] = []
        for try await update in source.settled().updates(for: request) {
            if case .location(let location) = update.event { altitudes.append(location.altitudeMSL) }
        }
        #expect(altitudes == [9])
    }

    private static let conformance = LocationProviderConformance("a settled provider") {
        let source = ScriptedLocationSource()
        return ConformanceSubject(
            source.settled(),
            emit: { source.forceLocation(Location(coordinate: .init(latitude: 52.5, longitude: 13.4))) },
            end: { source.end() }, runningSessions: { source.runningSessions })
    }

    @Test(arguments: conformance.checks(leavingOut: [.failureIsThrown]))
    func `a settled provider conforms`(check: LocationProviderConformance.Check) async throws { try await check.run() }
}
