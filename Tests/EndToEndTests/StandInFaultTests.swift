import GPSDSimulation
import LocationCore
import LocationTesting
import Testing

@testable import LocationGPSD

/// Each fault of a daemon and its connection, with what must come out.
@Suite struct StandInFaultTests {
    private func expectFailure(
        with fault: StandInFault, _ expected: (GPSDEndpoint) -> LocationError,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let standIn = try StandInGPSD(faults: [fault])
        let recorder = LocationRecorder(standIn.source())
        let recording = try await recorder.wait(for: "a failure") { !$0.failures.isEmpty }
        #expect(recording.failures.first == expected(standIn.endpoint), sourceLocation: sourceLocation)
        standIn.setFaults([])
        try await standIn.untilWatched()
        standIn.send(lines: 1)
        try await recorder.wait(for: "a position after the failure") { $0.isFound }
    }

    @Test func `a refused connection is unreachable, in the system's words, until it is accepted`() async throws {
        try await expectFailure(with: .refuses) {
            .unreachable(host: $0.host, port: $0.port, cause: "Connection refused")
        }
    }

    @Test func `a connection that is closed at once says so`() async throws {
        try await expectFailure(with: .closesAtOnce) {
            .connectionLost(
                host: $0.host, port: $0.port, cause: "the daemon closed the connection before it had greeted")
        }
    }

    @Test func `an SSH server is no gpsd`() async throws {
        try await expectFailure(with: .ssh) {
            .notGPSD(host: $0.host, port: $0.port, answer: "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3")
        }
    }

    @Test func `a web server is no gpsd`() async throws {
        try await expectFailure(with: .http) {
            .notGPSD(host: $0.host, port: $0.port, answer: "HTTP/1.1 400 Bad Request")
        }
    }

    @Test func `what keeps silent is no gpsd`() async throws {
        try await expectFailure(with: .silent) { .notGPSD(host: $0.host, port: $0.port, answer: "") }
    }

    // libgps 3.27 and later do not tell a host from a service.
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
    func `a name that does not resolve says which`(endpoint: GPSDEndpoint, causes: [String]) async throws {
        let source = GPSDLocationSource(endpoint, reconnects: false)
        let ending = try await LocationRecorder(source).untilEnded(within: .seconds(30)).ending
        let expected = causes.map { cause in
            Recording.Ending.threw(.unresolvable(host: endpoint.host, port: endpoint.port, cause: cause))
        }
        #expect(expected.contains { $0 == ending }, "\(String(describing: ending))")
    }

    @Test func `a daemon that refuses the watch is a denial`() async throws {
        let standIn = try StandInGPSD(faults: [.deniesWatch(message: "no more clients")])
        let recorder = LocationRecorder(standIn.source())
        let recording = try await recorder.wait(for: "a failure") { !$0.failures.isEmpty }
        #expect(recording.authorizations == [.denied])
        #expect(
            recording.failures == [.denied(what: "the watch of \(standIn.endpoint)", cause: "gpsd: no more clients")])
    }

    @Test func `a device that the daemon does not have is a denial`() async throws {
        let standIn = try StandInGPSD()
        let source = GPSDLocationSource(.loopback(standIn.port, device: "/dev/nope"), .hasty)
        let recorder = LocationRecorder(source)
        let recording = try await recorder.wait(for: "a failure") { !$0.failures.isEmpty }
        #expect(recording.authorizations == [.denied])
        #expect(recording.failures == [.deviceUnknown(path: "/dev/nope", known: ["/dev/ttyUSB0"])])
    }

    @Test func `a watch that is accepted is an authorization`() async throws {
        let standIn = try StandInGPSD()
        let recorder = LocationRecorder(standIn.source())
        let recording = try await recorder.wait(for: "the watch") { !$0.authorizations.isEmpty }
        #expect(recording.authorizations == [.authorized])
        #expect(
            standIn.progress.requests.prefix(2).map(\.text) == ["?DEVICES;", #"?WATCH={"enable":true,"json":true};"#])
    }

    @Test(arguments: [false, true])
    func `a connection that ends within a line is lost, and found again with the next one`(reset: Bool) async throws {
        let place = StandInFault.Place.within(line: 5, byte: 40)
        let standIn = try StandInGPSD(positions: 20, faults: [reset ? .reset(place) : .hangUp(place)])
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.send(lines: 4)
        try await recorder.wait(for: "four positions") { $0.locations.count == 4 }
        standIn.send(lines: 1)
        var recording = try await recorder.wait(for: "the loss") { !$0.failures.isEmpty }
        let cause = reset ? "Connection reset by peer" : "the daemon closed the connection"
        #expect(
            recording.failures
                == [.connectionLost(host: "127.0.0.1", port: String(standIn.port), cause: cause)])
        // What a reset leaves of the data that was under way is up to the system.
        if !reset { #expect(recording.notices == [.tornEnd(bytes: 40)]) }
        try await standIn.untilWatched()
        standIn.send(lines: 1)
        recording = try await recorder.wait(for: "the position after it") { $0.locations.count == 5 }
        #expect(recording.locations.last?.timestamp == Sample.time(5))
        try await recorder.wait(forStates: [
            .searching, .found, .errorCode("connectionLost"), .searchingAs(.connecting), .searchingAs(.connected),
            .found,
        ])
    }

    @Test func `a daemon that stalls within a line is asked, given up, and connected to again`() async throws {
        let standIn = try StandInGPSD(positions: 20, faults: [.stall(.within(line: 3, byte: 40))])
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.send(lines: 3)
        let recording = try await recorder.wait(for: "the loss", within: .seconds(30)) { !$0.failures.isEmpty }
        #expect(recording.locations.count == 2)
        #expect(
            recording.failures.first
                == .connectionLost(
                    host: "127.0.0.1", port: String(standIn.port), cause: "it does not answer any more"))
        try await eventually("another connection that watches", within: .seconds(30)) {
            standIn.progress
        } is: {
            $0.connections >= 2 && $0.watchers >= 1
        }
        standIn.send(lines: 1)
        try await recorder.wait(for: "a position again") { $0.locations.count == 3 }
    }

    @Test func `a stall that ends loses nothing`() async throws {
        let fault = StandInFault.stall(.within(line: 3, byte: 40), duration: .milliseconds(300))
        try await expectPositions(with: [fault], lost: 0, skipped: 0)
    }

    @Test(arguments: [1, 2, 7, 64, 1000])
    func `chunks of any size make no difference`(size: Int) async throws {
        try await expectPositions(with: [.chunks(bytes: size)], lost: 0, skipped: 0)
    }

    @Test func `garbage costs the line that it spoils`() async throws {
        try await expectPositions(with: [.garbage(bytes: 300, seed: 7, .before(line: 3))], lost: 1, skipped: 1)
    }

    @Test func `garbage with line ends in it costs nothing but itself`() async throws {
        let garbage = StandInFault.insert(Array("\u{1}x\n\n}{\r\n[1]\n".utf8), .before(line: 3))
        try await expectPositions(with: [garbage], lost: 0, skipped: 3)
    }

    @Test func `invalid UTF-8 before a line costs nothing, as a time stamp there does not either`() async throws {
        try await expectPositions(with: [.invalidUTF8(.before(line: 3))], lost: 0, skipped: 0)
    }

    @Test func `invalid UTF-8 within a line costs the line`() async throws {
        // Right behind the brace.
        try await expectPositions(with: [.invalidUTF8(.within(line: 3, byte: 1))], lost: 1, skipped: 1)
    }

    @Test func `invalid UTF-8 in a text costs its letters`() async throws {
        let standIn = try StandInGPSD(faults: [.invalidUTF8(.within(line: 1, byte: 30))])
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.send(lines: 1)
        let recording = try await recorder.wait(for: "a position") { !$0.locations.isEmpty }
        #expect(recording.locations.first?.device == "/dev/\u{FFFD}\u{FFFD}ttyUSB0")
    }

    @Test(arguments: [(65_536, 0), (65_537, 1), (300_000, 1)])
    func `a line of 64 KiB is read, a longer one skipped and told of`(bytes: Int, skipped: Int) async throws {
        try await expectPositions(with: [.longLine(bytes: bytes, beforeLine: 3)], lost: 0, skipped: skipped)
    }

    private func expectPositions(with faults: [StandInFault], lost: Int, skipped: Int) async throws {
        let standIn = try StandInGPSD(positions: 10, faults: faults)
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.sendRest()
        let recording = try await recorder.wait(for: "the last position") {
            $0.locations.last?.timestamp == Sample.time(9)
        }
        #expect(recording.locations.count == 10 - lost)
        #expect(recording.skippedLines == skipped)
        #expect(recording.failures.isEmpty)
        try await recorder.wait(forStates: [.searching, .found])
    }

    @Test func `a daemon with eight devices tells of each`() async throws {
        let standIn = try StandInGPSD(faults: [.devices(count: 8)])
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.send(lines: 1)
        let recording = try await recorder.wait(for: "a position") { $0.isFound }
        let paths = recording.events.compactMap { if case .device(let status) = $0 { status.path } else { nil } }
        #expect(Set(paths) == Set([Sample.device] + (1...7).map { "/dev/standin\($0)" }))
    }

    @Test func `flaps to mode 0 change nothing, those to mode 1 lose the fix`() async throws {
        let modes = [3, 0, 3, 0, 0, 2, 1, 0, 1, 3]
        let standIn = try StandInGPSD(
            playing: try Sample.session(modes.enumerated().map { Sample.report($0.offset, mode: $0.element) }))
        let recorder = LocationRecorder(standIn.source())
        try await standIn.untilWatched()
        standIn.sendRest()
        try await recorder.wait(forStates: [
            .searchingAs(.starting), .searchingAs(.connecting), .searchingAs(.connected), .found, .searchingAs(.noFix),
            .found,
        ])
    }

    @Test func `a daemon that is silent about its receiver, and answers, keeps its connection`() async throws {
        let standIn = try StandInGPSD()
        var patience = ConnectionTimeouts.hasty
        patience.longestSilence = .seconds(1)
        let recorder = LocationRecorder(standIn.source(patience))
        try await standIn.untilWatched()
        try await eventually("three questions", within: .seconds(20)) {
            standIn.progress.requests.map(\.text)
        } is: {
            $0.count { $0 == "?POLL;" } >= 3
        }
        let requests = standIn.progress.requests.map(\.text)
        let watch = #"?WATCH={"enable":true,"json":true};"#
        #expect(requests.starts(with: ["?DEVICES;", watch, "?DEVICES;", "?POLL;", watch, "?POLL;", watch]))
        #expect(standIn.progress.connections == 1)
        #expect(recorder.recording.failures.isEmpty)
    }
}
