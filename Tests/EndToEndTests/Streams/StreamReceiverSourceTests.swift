import GPSDSimulation
import Glibc
import LocationCore
import LocationTesting
import LocwatchPlatform
import TestSupport
import Testing

@testable import LocationGPSD

/// Streams in a network, read by a real private gpsd.
@Suite(.serialized, .withFew) struct StreamReceiverSourceTests {
    private func source(
        _ address: StreamAddress, password: String? = nil, reconnects: Bool = true
    ) -> StreamReceiverSource {
        var options = SessionOptions()
        options.reconnects = reconnects
        options.timeouts.silence = .milliseconds(700)
        options.timeouts.streamSilence = .milliseconds(500)
        options.timeouts.retries.first = .milliseconds(100)
        options.timeouts.connecting = .seconds(60)
        return StreamReceiverSource(address, password: password, options: options)
    }

    /// Returns a server that sends what a receiver does, and to clients with a login if it is a caster.
    private static func server(
        _ manner: Caster.Manner = .plain, login: String? = nil, isStarted: Bool = true
    ) -> Caster {
        let encoder = ScenarioEncoder(.walk, start: LogKind.start)
        return Caster(manner, login: login, isStarted: isStarted) { encoder.transmission($0).bytes }
    }

    private func address(_ server: Caster) -> StreamAddress {
        StreamAddress(.tcp, host: "127.0.0.1", port: server.port)
    }

    private static let limit = Duration.seconds(60)

    @Test func `a stream over TCP is opened again when its server has closed the connection`() async throws {
        let server = Self.server()
        defer { server.stop() }
        let recorder = LocationRecorder(source(address(server)))
        try await recorder.wait(for: "positions", within: Self.limit) { $0.locations.count > 2 }
        #expect(recorder.recording.locations.first?.device == "tcp://127.0.0.1:\(server.port)")
        server.hangUp()
        try await eventually("another connection", within: Self.limit, { server.connections }, is: { $0 > 1 })
        let count = recorder.recording.locations.count
        try await recorder.wait(for: "more positions", within: Self.limit) { $0.locations.count > count + 2 }
    }

    @Test func `a host with several addresses is tried at each, and keeps its name`() async throws {
        // The server listens at 127.0.0.1 only, and localhost is ::1 first.
        let server = Self.server()
        defer { server.stop() }
        let recorder = LocationRecorder(source(StreamAddress(.tcp, host: "localhost", port: server.port)))
        try await recorder.wait(for: "a position", within: Self.limit) { !$0.locations.isEmpty }
        #expect(recorder.recording.locations.first?.device == "tcp://localhost:\(server.port)")
    }

    @Test func `a server that does not run is tried again`() async throws {
        let server = Self.server(isStarted: false)
        defer { server.stop() }
        let recorder = LocationRecorder(source(address(server)))
        let refused = LocationError.streamUnavailable(address: "\(address(server))", cause: "Connection refused")
        try await recorder.wait(for: "a failure", within: Self.limit) { $0.failures.contains(refused) }
        server.start()
        try await recorder.wait(for: "a position", within: Self.limit) { !$0.locations.isEmpty }
    }

    @Test func `without reconnection a failure ends the session`() async throws {
        let server = Self.server(isStarted: false)
        defer { server.stop() }
        let address = address(server)
        let recording = try await LocationRecorder(source(address, reconnects: false)).untilEnded(within: Self.limit)
        let refused = LocationError.streamUnavailable(address: "\(address)", cause: "Connection refused")
        #expect(recording.ending == .threw(refused))
        let nowhere = StreamAddress(.tcp, host: "nowhere.invalid", port: 1)
        let other = try await LocationRecorder(source(nowhere, reconnects: false)).untilEnded(within: Self.limit)
        #expect(
            other.ending
                == .threw(.unresolvable(host: "nowhere.invalid", port: 1, cause: "the name does not resolve")))
    }

    @Test func `a server that sends nothing is silent, and one that has ended refuses`() async throws {
        let server = Caster(.plain) { _ in [] }
        defer { server.stop() }
        let recorder = LocationRecorder(source(address(server)))
        let silent = LocationError.connectionLost(host: "127.0.0.1", port: server.port, cause: "no data arrives")
        try await recorder.wait(for: "a silence", within: Self.limit) { $0.failures.contains(silent) }
        let refused = LocationError.streamUnavailable(address: "\(address(server))", cause: "Connection refused")
        #expect(!recorder.recording.failures.contains(refused))
        server.stop()
        try await recorder.wait(for: "a failure", within: Self.limit) { $0.failures.contains(refused) }
    }

    @Test func `datagrams are read`() async throws {
        let sender = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_CLOEXEC, 0)
        defer { close(sender) }
        // A port that was free for datagrams a moment ago.
        let reserved = ReservedPort(receivesDatagrams: true)
        close(reserved.descriptor)
        let port = reserved.number
        _ = SocketAddress.loopback4.with(port: port).withPointer { connect(sender, $0, $1) }
        let recorder = LocationRecorder(source(StreamAddress(.udp, host: "", port: port)))
        var epochs = ScenarioEncoder(.walk, start: LogKind.start).makeIterator()
        // A datagram is lost while there is no reader, so each look sends another one.
        try await eventually("three positions", within: Self.limit) {
            if let epoch = epochs.next() { _ = send(sender, epoch.bytes, epoch.bytes.count, Int32(MSG_NOSIGNAL)) }
            return recorder.recording.locations.count
        } is: {
            $0 >= 3
        }
    }

    @Test func `the password of a caster reaches the caster only`() async throws {
        let server = Self.server(.corrections, login: "joe:s3cr3t")
        defer { server.stop() }
        let address = StreamAddress(.ntrip, host: "127.0.0.1", port: server.port, user: "joe", mountpoint: "MOUNT")
        let request = LocationRequest(includesLines: true)
        let recorder = LocationRecorder(source(address, password: "s3cr3t"), for: request)
        try await recorder.wait(for: "positions", within: Self.limit) { $0.locations.count > 2 }
        #expect(recorder.recording.locations.first?.device == "ntrip://joe@127.0.0.1:\(server.port)/MOUNT")
        #expect(server.received.contains { $0.hasPrefix("GET /MOUNT ") })
        let lines = recorder.recording.lines
        #expect(lines.contains { $0.contains("joe@127.0.0.1") })
        #expect(!String(reflecting: recorder.recording).contains("s3cr3t"))
        #expect(!lines.contains { $0.contains("s3cr3t") })
        #expect(!RunningProcess.all.contains { $0.words.contains { $0.contains("s3cr3t") } })
    }

    @Test func `a caster that refuses the password is an error without the password`() async throws {
        let server = Self.server(.corrections, login: "other:s3cr3t")
        defer { server.stop() }
        let address = StreamAddress(.ntrip, host: "127.0.0.1", port: server.port, user: "joe", mountpoint: "MOUNT")
        let recording = try await LocationRecorder(source(address, password: "s3cr3t", reconnects: false))
            .untilEnded(within: Self.limit)
        guard case .threw(let error) = recording.ending, case .connectionLost(_, _, let cause) = error else {
            Issue.record("the session ended with \(String(describing: recording.ending))")
            return
        }
        #expect(cause.contains("refused the mountpoint, the user or the password"), "\(cause)")
        #expect(!cause.contains("s3cr3t"))
    }

    @Test func `a stream source conforms`() async throws {
        let server = Self.server()
        defer { server.stop() }
        let address = address(server)
        let conformance = LocationProviderConformance("a stream over gpsd", patience: .seconds(60)) {
            let source = StreamReceiverSource(address)
            // The server sends by itself, so `tell` has nothing to do.
            return ConformanceSubject(source, emit: {}, runningSessions: { source.runningSessions })
        }
        // It has the system's clock.
        let rules: Set<LocationProviderConformance.Rule> = [.nothingAfterEnd, .failureIsThrown, .measuresLimits]
        for check in conformance.checks(leavingOut: rules) { try await check.run() }
    }
}
