import Foundation
import GPSDSimulation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// Corrections that a real private gpsd forwards to a receiver.
@Suite(.serialized, .alone) struct CorrectionsTests {
    private static let limit = Duration.seconds(90)

    private static func source(
        _ receiver: ListeningReceiver, _ corrections: CorrectionsSource,
        _ change: (inout SessionOptions) -> Void = { _ in }
    ) -> SerialReceiverSource {
        var options = SessionOptions()
        options.timeouts.streamSilence = .seconds(1)
        options.timeouts.connecting = .seconds(2)
        options.timeouts.firstRetry = .milliseconds(100)
        options.timeouts.longestRetry = .milliseconds(500)
        change(&options)
        return SerialReceiverSource(device: receiver.path, speed: nil, corrections: corrections, options: options)
    }

    private static func address(_ caster: Caster, user: String? = nil, mountpoint: String = Caster.mountpoint)
        -> StreamAddress
    {
        StreamAddress(.ntrip, host: "127.0.0.1", port: caster.port, user: user, mountpoint: mountpoint)
    }

    /// The messages in what was written to a receiver.
    private static func messages(_ receiver: ListeningReceiver) -> [[UInt8]] {
        var reader = RTCMReader()
        var messages: [[UInt8]] = []
        reader.feed(receiver.received) { messages.append($0) }
        return messages
    }

    private static func wait(_ receiver: ListeningReceiver, for count: Int) async throws {
        try await eventually(
            "\(count) messages at the receiver", within: limit, { messages(receiver).count }, is: { $0 >= count })
    }

    /// Whether messages are a run of others, without a gap.
    private static func isRun(_ part: [[UInt8]], of whole: [[UInt8]]) -> Bool {
        guard let first = part.first, let start = whole.firstIndex(of: first) else { return false }
        return whole[start...].starts(with: part)
    }

    @Test func `the messages of a caster arrive at the receiver byte for byte, and the password nowhere`() async throws
    {
        let receiver = try ListeningReceiver()
        let caster = Caster(login: "joe:s3cr3t")
        defer {
            caster.stop()
            receiver.stop()
        }
        caster.start()
        let corrections = CorrectionsSource(Self.address(caster, user: "joe"), password: "s3cr3t")
        // On a busy machine a second can pass without a message.
        let source = Self.source(receiver, corrections) { $0.timeouts.streamSilence = .seconds(30) }
        let recorder = LocationRecorder(source, for: LocationRequest(includesLines: true))
        try await recorder.wait(for: "positions", within: Self.limit) { $0.locations.count > 2 }
        try await Self.wait(receiver, for: 100)
        let arrived = Self.messages(receiver)
        #expect(Self.isRun(arrived, of: caster.sent))
        // Besides the messages gpsd writes only the short questions by which it recognizes receivers.
        #expect(receiver.received.count - arrived.reduce(0) { $0 + $1.count } < 1000)
        let recording = recorder.recording
        #expect(recording.corrections == [CorrectionsStatus(source: "ntrip://joe@127.0.0.1:\(caster.port)/MOUNT")])
        #expect(Set(recording.locations.map(\.device)) == [receiver.path], "the corrections are no second receiver")
        let lines = recording.updates.compactMap { update in
            if case .line(let line) = update.event { String(decoding: line, as: UTF8.self) } else { nil }
        }
        #expect(lines.contains { $0.contains("DEVICES") } && !lines.contains { $0.contains("rtcm") })
        #expect(!recording.updates.contains { $0.event.device.map { $0 != receiver.path } ?? false })
        #expect(
            !String(reflecting: recording).contains("s3cr3t") && !String(reflecting: corrections).contains("s3cr3t"))
        var dumped = ""
        dump(corrections, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
        #expect(!RunningProgram.all.contains { $0.words.contains { $0.contains("s3cr3t") } })
        #expect(caster.received.allSatisfy { $0.hasPrefix("GET ") }, "a caster that wants no position gets none")
    }

    @Test func `a caster that dies and returns is a state of the corrections, and positions continue`() async throws {
        let receiver = try ListeningReceiver()
        let caster = Caster()
        defer { receiver.stop() }
        caster.start()
        let recorder = LocationRecorder(Self.source(receiver, CorrectionsSource(Self.address(caster))))
        try await Self.wait(receiver, for: 5)
        try await recorder.wait(for: "the arrival", within: Self.limit) { $0.corrections.last?.isArriving == true }
        caster.stop()
        try await recorder.wait(for: "the loss", within: Self.limit) { $0.corrections.last?.fault == .unreachable }
        let count = recorder.recording.locations.count
        let lost = Self.messages(receiver).count
        try await recorder.wait(for: "positions without corrections", within: Self.limit) {
            $0.locations.count > count + 2
        }
        #expect(Self.messages(receiver).count == lost)
        let other = Caster(at: caster.port)
        defer { other.stop() }
        other.start()
        try await Self.wait(receiver, for: lost + 5)
        let recording = try await recorder.wait(for: "the return", within: Self.limit) {
            $0.corrections.last?.isArriving == true
        }
        #expect(recording.failures.isEmpty && recording.ending == nil)
        #expect(!recording.transitions.contains { $0.from.location != nil && $0.to.location == nil })
        #expect(recording.corrections.first?.isArriving == true)
    }

    @Test(
        arguments: [
            (.corrections, "joe:other", Caster.mountpoint, .password), (.corrections, nil, "NONE", .mountpoint),
            (.table, nil, Caster.mountpoint, .mountpoint), (.silent, nil, Caster.mountpoint, .silent),
            (.mute, nil, Caster.mountpoint, .silent), (.garbage, nil, Caster.mountpoint, .content),
            (.page, nil, Caster.mountpoint, .answer),
        ] as [(Caster.Manner, String?, String, CorrectionsStatus.Fault)])
    func `a hostile or mistaken caster is a fault with its cause, and positions continue`(
        manner: Caster.Manner, login: String?, mountpoint: String, fault: CorrectionsStatus.Fault
    ) async throws {
        let receiver = try ListeningReceiver()
        let caster = Caster(manner, login: login)
        defer {
            caster.stop()
            receiver.stop()
        }
        caster.start()
        let corrections = CorrectionsSource(
            Self.address(caster, user: "joe", mountpoint: mountpoint), password: "s3cr3t")
        let recorder = LocationRecorder(Self.source(receiver, corrections))
        let recording = try await recorder.wait(for: "the fault and positions", within: Self.limit) {
            $0.corrections.last?.fault == fault && $0.locations.count > 3
        }
        #expect(recording.ending == nil && recording.failures.isEmpty)
        let status = try #require(recording.corrections.last)
        #expect(status.cause?.isEmpty == false)
        #expect(recording.corrections.count == 1, "a fault that lasts is reported once")
        #expect(!String(reflecting: recording).contains("s3cr3t"))
        #expect(Self.messages(receiver).isEmpty)
        // Neither the receiver nor the client gets anything but messages from a caster.
        #expect(!String(decoding: receiver.received, as: UTF8.self).contains("garbage"))
        #expect(recording.locations.allSatisfy { $0.coordinate.latitude > 40 })
    }

    @Test func `a host that accepts no connection delays no position`() async throws {
        let receiver = try ListeningReceiver()
        defer { receiver.stop() }
        let hole = try BlackHole()
        let address = StreamAddress(.ntrip, host: "127.0.0.1", port: hole.port, mountpoint: "MOUNT")
        let recorder = LocationRecorder(Self.source(receiver, CorrectionsSource(address)))
        try await recorder.wait(for: "the first position", within: Self.limit) { !$0.locations.isEmpty }
        let count = recorder.recording.locations.count
        let start = ContinuousClock.now
        let recording = try await recorder.wait(for: "positions", within: Self.limit) { $0.locations.count > count + 5 }
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(recording.corrections.allSatisfy { $0.fault == .unreachable })
        // The end does not wait for the connection.
        let end = ContinuousClock.now
        recorder.stop()
        try await recorder.untilEnded(within: .seconds(10))
        #expect(ContinuousClock.now - end < .seconds(2))
    }

    @Test func `a caster that wants the position gets it while it is current`() async throws {
        let receiver = try ListeningReceiver()
        let caster = Caster(wantsPosition: true)
        defer {
            caster.stop()
            receiver.stop()
        }
        caster.start()
        let recorder = LocationRecorder(Self.source(receiver, CorrectionsSource(Self.address(caster))))
        let sentences = try await eventually(
            "a sentence", within: Self.limit, { caster.received.filter { !$0.hasPrefix("GET ") } }, is: { !$0.isEmpty })
        #expect(sentences.first?.hasPrefix("$GPGGA,") == true && sentences.first?.contains(",4503.") == true)
        #expect(recorder.recording.ending == nil)
    }

    @Test func `a server of corrections and a named pipe are sources too`() async throws {
        let folder = "/tmp/locwatch-test-\(getpid())"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let pipe = folder + "/rtcm"
        #expect(mkfifo(pipe, 0o600) == 0)
        let receiver = try ListeningReceiver()
        let caster = Caster(.plain)
        defer {
            caster.stop()
            receiver.stop()
        }
        caster.start()
        let server = StreamAddress(.tcp, host: "127.0.0.1", port: caster.port)
        let first = LocationRecorder(Self.source(receiver, CorrectionsSource(server)))
        try await Self.wait(receiver, for: 10)
        first.stop()
        try await first.untilEnded()
        let count = Self.messages(receiver).count
        let second = LocationRecorder(Self.source(receiver, CorrectionsSource(pipe: pipe)))
        // Nothing reads the pipe until gpsd has started, and a full pipe must not block the test.
        let writer = open(pipe, O_RDWR | O_NONBLOCK)
        defer { close(writer) }
        var number = 10_000
        try await eventually("messages of the pipe", within: Self.limit) {
            let message = Caster.message(number)
            number += 1
            _ = write(writer, message, message.count)
            return Self.messages(receiver).count
        } is: {
            $0 >= count + 5
        }
        try await eventually(
            "the notice", within: Self.limit, { second.recording.corrections.last },
            is: { $0 == CorrectionsStatus(source: pipe) })
    }

    @Test(arguments: ["/nonexistent/pipe", "/etc/hostname"])
    func `another file than a pipe is a fault`(path: String) async throws {
        let receiver = try ListeningReceiver()
        defer { receiver.stop() }
        let recorder = LocationRecorder(Self.source(receiver, CorrectionsSource(pipe: path)))
        try await recorder.wait(for: "the fault", within: Self.limit) { $0.corrections.last?.fault == .pipe }
        try await recorder.wait(for: "a position", within: Self.limit) { !$0.locations.isEmpty }
    }

    @Test func `the end removes the pipe, the feed and the daemon`() async throws {
        let receiver = try ListeningReceiver()
        let caster = Caster()
        defer {
            caster.stop()
            receiver.stop()
        }
        caster.start()
        /// Returns the pipe on the command line of the daemon of this receiver.
        func pipe() -> String? {
            RunningProgram.all.first { $0.words.contains(receiver.path) }?.words.first { $0.hasSuffix("/rtcm") }
        }
        let source = Self.source(receiver, CorrectionsSource(Self.address(caster)))
        let recorder = LocationRecorder(source)
        try await Self.wait(receiver, for: 3)
        let path = try #require(pipe())
        #expect(FileManager.default.fileExists(atPath: path))
        recorder.stop()
        try await recorder.untilEnded()
        try await eventually("no session", { source.runningSessions }, is: { $0 == 0 })
        #expect(pipe() == nil && !FileManager.default.fileExists(atPath: path))
        let count = caster.sent.count
        try await Task.sleep(for: .milliseconds(300))
        #expect(caster.sent.count <= count + 2, "the caster has no reader any more")
    }
}

extension RecordedSession {
    /// The states of the corrections, in their order.
    fileprivate var corrections: [CorrectionsStatus] {
        updates.compactMap { if case .corrections(let status) = $0.event.notice { status } else { nil } }
    }
}
