import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// Faults of a daemon or its connection, with their expected results.
@Suite(.serialized, .withFew) struct StandInFaultClientTests {
    /// Returns the time of a position of the session.
    private static func time(_ second: Int) -> Timestamp {
        // 2026-03-01T08:00:00Z
        Timestamp(secondsSince1970: Double(1_772_352_000 + second))
    }

    /// A fault of a daemon, and the error of its client.
    struct Failure: Sendable {
        let fault: StandInFault
        let error: @Sendable (GPSDEndpoint) -> LocationError
    }

    private static let failures = [
        Failure(fault: .refuses) { $0.unreachable("Connection refused") },
        Failure(fault: .closesAtOnce) { $0.connectionLost("the daemon closed the connection before it had greeted") },
        Failure(fault: .ssh) {
            .notGPSD(host: $0.host, port: $0.port, answer: "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3")
        },
        Failure(fault: .http) { .notGPSD(host: $0.host, port: $0.port, answer: "HTTP/1.1 400 Bad Request") },
        Failure(fault: .silent) { .notGPSD(host: $0.host, port: $0.port, answer: "") },
    ]

    @Test(arguments: failures)
    func `a fault at the beginning is reported as what it is, until it ends`(failure: Failure) async throws {
        let standIn = try StandInGPSD(faults: [failure.fault])
        let recorder = LocationRecorder(standIn.source())
        let recording = try await recorder.wait(for: "a failure", within: .seconds(60)) { !$0.failures.isEmpty }
        #expect(recording.failures.first == failure.error(standIn.endpoint))
        standIn.setFaults([])
        try await standIn.untilWatched()
        standIn.send(lines: 1)
        try await recorder.wait(for: "a position after the failure") { $0.isFound }
    }

    // libgps 3.27 and later do not distinguish an unknown host from an unknown service.
    @Test(arguments: [
        (
            GPSDEndpoint(host: "no-such-host.invalid", port: "2947"),
            ["there is no such host", "the name does not resolve"]
        ),
        (
            GPSDEndpoint(host: "127.0.0.1", port: "no-such-service"),
            ["there is no such service", "the name does not resolve"]
        ),
    ])
    func `an unresolvable name is reported with its kind`(endpoint: GPSDEndpoint, causes: [String]) async throws {
        let source = GPSDLocationSource(endpoint, reconnects: false)
        let ending = try await LocationRecorder(source).untilEnded(within: .seconds(60)).ending
        let expected = causes.map { cause in
            RecordedSession.Ending.threw(
                LocationError.unresolvable(host: endpoint.host, port: endpoint.port, cause: cause))
        }
        #expect(expected.contains { $0 == ending }, "\(String(describing: ending))")
    }

    @Test(arguments: [false, true])
    func `a connection lost within a line is reported and replaced`(reset: Bool) async throws {
        let place = StandInFault.Place.within(line: 5, byte: 40)
        let standIn = try StandInGPSD(positions: 20, faults: [reset ? .reset(place) : .hangUp(place)])
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.send(lines: 4)
        try await recorder.wait(for: "four positions") { $0.locations.count == 4 }
        standIn.send(lines: 1)
        var recording = try await recorder.wait(for: "the loss", within: .seconds(60)) { !$0.failures.isEmpty }
        let cause = reset ? "Connection reset by peer" : "the daemon closed the connection"
        #expect(
            recording.failures
                == [.connectionLost(host: "127.0.0.1", port: standIn.port, cause: cause)])
        // It depends on the system how much data in transit survives a reset.
        if !reset { #expect(recording.notices == [.tornEnd(bytes: 40)]) }
        try await standIn.untilWatched()
        standIn.send(lines: 1)
        recording = try await recorder.wait(for: "the position after it") { $0.locations.count == 5 }
        #expect(recording.locations.last?.timestamp == Self.time(5))
        try await recorder.wait(forStates: [
            .searching, .found, .errorCode("connectionLost"), .searchingAs("connected"), .found,
        ])
    }

    @Test func `a daemon that stalls within a line is polled, disconnected and connected to again`() async throws {
        let standIn = try StandInGPSD(positions: 20, faults: [.stall(.within(line: 3, byte: 40))])
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.send(lines: 3)
        let recording = try await recorder.wait(for: "the loss", within: .seconds(60)) { !$0.failures.isEmpty }
        #expect(recording.locations.count == 2)
        #expect(
            recording.failures.first
                == .connectionLost(host: "127.0.0.1", port: standIn.port, cause: "it does not answer any more"))
        try await eventually(
            "another connection that watches", within: .seconds(60), { standIn.progress },
            is: { $0.connections >= 2 && $0.watchers >= 1 })
        standIn.send(lines: 1)
        try await recorder.wait(for: "a position again") { $0.locations.count == 3 }
    }

    /// A fault within a session, and how many positions are lost and lines skipped.
    private static let disturbances: [(fault: StandInFault, lost: Int, skipped: Int)] = [
        (.stall(.within(line: 3, byte: 40), duration: .milliseconds(300)), 0, 0),
        (.chunks(bytes: 1), 0, 0), (.chunks(bytes: 7), 0, 0), (.chunks(bytes: 1000), 0, 0),
        (.garbage(bytes: 300, seed: 7, .before(line: 3)), 1, 1),
        (.insert(Array("\u{1}x\n\n}{\r\n[1]\n".utf8), .before(line: 3)), 0, 3),
        // gpsd escapes no quote.
        (
            .insert(Array(#"{"class":"ERROR","message":"an "unescaped" quote"}"#.utf8) + [13, 10], .before(line: 3)), 0,
            1
        ),
        // As a timestamp before the line.
        (.invalidUTF8(.before(line: 3)), 0, 0),
        // Directly after the brace.
        (.invalidUTF8(.within(line: 3, byte: 1)), 1, 1),
        // 64 KiB are read.
        (.longLine(bytes: 65_536, beforeLine: 3), 0, 0), (.longLine(bytes: 65_537, beforeLine: 3), 0, 1),
        (.longLine(bytes: 300_000, beforeLine: 3), 0, 1),
    ]

    @Test(arguments: disturbances)
    func `a fault within a session loses no more than its line, and skipped lines are counted`(
        fault: StandInFault, lost: Int, skipped: Int
    ) async throws {
        let standIn = try StandInGPSD(positions: 10, faults: [fault])
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.sendRest()
        let recording = try await recorder.wait(for: "the last position") {
            $0.locations.last?.timestamp == Self.time(9)
        }
        #expect(recording.locations.count == 10 - lost)
        #expect(recording.skippedLines == skipped)
        #expect(recording.failures.isEmpty)
        try await recorder.wait(forStates: [.searching, .found])
    }
}
