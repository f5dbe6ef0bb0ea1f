import Foundation
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// Corrections that a real private gpsd forwards to a receiver; `CorrectionsFeedTests` has other sources, and faults.
@Suite(.serialized, .withFew, .onlyInMakeTest) final class CorrectionsTests {
    private static let limit = Duration.seconds(90)

    private let receiver: ListeningReceiver
    private var casters: [Caster] = []

    init() throws { receiver = try ListeningReceiver() }

    deinit {
        for caster in casters { caster.stop() }
        receiver.stop()
    }

    /// Returns a caster that ends with the test.
    private func started(_ caster: Caster) -> Caster {
        casters.append(caster)
        return caster
    }

    /// Returns the receiver with the corrections of a caster.
    private func source(
        _ port: UInt16, user: String? = nil, password: String? = nil,
        _ change: (inout ConnectionTimeouts) -> Void = { _ in }
    ) -> SerialReceiverSource {
        var options = SessionOptions()
        // On a busy machine seconds can pass without an answer or a message.
        options.timeouts.streamSilence = .seconds(60)
        options.timeouts.connecting = .seconds(60)
        options.timeouts.retries = RetryPauses(first: .milliseconds(100), longest: .milliseconds(500))
        change(&options.timeouts)
        let address = StreamAddress(.ntrip, host: "127.0.0.1", port: port, user: user, mountpoint: Caster.mountpoint)
        return SerialReceiverSource(
            device: receiver.path, speed: nil, corrections: CorrectionsSource(address, password: password),
            options: options)
    }

    /// The messages that were written to the receiver.
    private var messages: [[UInt8]] { Self.messages(in: receiver.received) }

    private static func messages(in bytes: [UInt8]) -> [[UInt8]] {
        var reader = RTCMReader()
        var messages: [[UInt8]] = []
        reader.feed(bytes) { messages.append($0) }
        return messages
    }

    private func waitForMessages(_ count: Int) async throws {
        try await eventually(
            "\(count) messages at the receiver", within: Self.limit, { messages.count }, is: { $0 >= count })
    }

    @Test func `the messages of a caster arrive at the receiver byte for byte, and the password nowhere`() async throws
    {
        let caster = started(Caster(login: "joe:s3cr3t"))
        let source = source(caster.port, user: "joe", password: "s3cr3t")
        let recorder = LocationRecorder(source, for: LocationRequest(includesLines: true))
        try await recorder.wait(for: "positions", within: Self.limit) { $0.locations.count > 2 }
        try await waitForMessages(100)
        // Once, because more messages arrive meanwhile.
        let received = receiver.received
        let arrived = Self.messages(in: received)
        #expect(caster.sent.hasRun(arrived))
        // Besides the messages gpsd writes only the short questions by which it recognizes receivers.
        #expect(received.count - arrived.joined().count < 1000)
        let recording = recorder.recording
        #expect(recording.corrections == [CorrectionsStatus(source: "ntrip://joe@127.0.0.1:\(caster.port)/MOUNT")])
        #expect(Set(recording.locations.map(\.device)) == [receiver.path], "the corrections are no second receiver")
        let lines = recording.lines
        #expect(lines.contains { $0.contains("DEVICES") } && !lines.contains { $0.contains("rtcm") })
        #expect(Set(recording.events.compactMap(\.device)) == [receiver.path])
        #expect(!String(reflecting: recording).contains("s3cr3t"))
        #expect(!RunningProcess.all.contains { $0.text("cmdline").contains("s3cr3t") })
        #expect(caster.received.allSatisfy { $0.hasPrefix("GET ") }, "a caster that wants no position gets none")
    }

    @Test func `a caster that dies and returns is a state of the corrections, and positions continue`() async throws {
        let caster = started(Caster())
        let recorder = LocationRecorder(source(caster.port))
        try await waitForMessages(5)
        try await recorder.wait(for: "the arrival", within: Self.limit) { $0.corrections.last?.isArriving == true }
        caster.stop()
        try await recorder.wait(for: "the loss", within: Self.limit) { $0.corrections.last?.fault == .unreachable }
        let count = recorder.recording.locations.count
        let lost = messages.count
        try await recorder.wait(for: "positions without corrections", within: Self.limit) {
            $0.locations.count > count + 2
        }
        #expect(messages.count == lost)
        _ = started(Caster(at: caster.port))
        try await waitForMessages(lost + 5)
        let recording = try await recorder.wait(for: "the return", within: Self.limit) {
            $0.corrections.last?.isArriving == true
        }
        #expect(recording.failures.isEmpty && recording.ending == nil)
        #expect(!recording.transitions.contains { $0.from.location != nil && $0.to.location == nil })
        // The end of the connection can be followed by the refusal before anything looks.
        let faults = recording.corrections.map(\.fault).filter { $0 != .closed }
        #expect(faults == [nil, .unreachable, nil], "each is reported once")
    }

    @Test func `a host that accepts no connection delays no position, and the end does not wait for it`() async throws {
        let hole = try BlackHole()
        // So long that a position, or an end, that waits for the connection does not come.
        let recorder = LocationRecorder(source(hole.port) { $0.connecting = .seconds(3600) })
        let recording = try await recorder.wait(for: "positions", within: Self.limit) { $0.locations.count > 5 }
        #expect(recording.corrections.isEmpty)
        recorder.stop()
        try await recorder.untilEnded(within: Self.limit)
    }

    @Test func `a caster that wants the position gets it while it is current`() async throws {
        let caster = started(Caster(wantsPosition: true))
        let recorder = LocationRecorder(source(caster.port))
        let sentences = try await eventually(
            "a sentence", within: Self.limit, { caster.received.filter { !$0.hasPrefix("GET ") } }, is: { !$0.isEmpty })
        #expect(sentences.first?.hasPrefix("$GPGGA,") == true && sentences.first?.contains(",4503.") == true)
        #expect(recorder.recording.ending == nil)
    }

    @Test func `the end removes the pipe, the feed and the daemon`() async throws {
        let caster = started(Caster())
        let source = source(caster.port)
        let recorder = LocationRecorder(source)
        try await waitForMessages(3)
        let daemon = try #require(RunningProcess.all.first { $0.words.contains(receiver.path) })
        let pipe = try #require(daemon.words.first { $0.hasSuffix("/rtcm") })
        #expect(FileManager.default.fileExists(atPath: pipe))
        recorder.stop()
        try await recorder.untilEnded(within: Self.limit)
        try await eventually("no session", within: Self.limit, { source.runningSessions }, is: { $0 == 0 })
        try await eventually("the end of gpsd", within: Self.limit, { daemon.isRunning }, is: { !$0 })
        try await eventually(
            "the end of the pipe", within: Self.limit, { FileManager.default.fileExists(atPath: pipe) }, is: { !$0 })
        try await eventually("no reader of the caster", within: Self.limit, { caster.clients }, is: { $0 == 0 })
    }
}

extension RecordedSession {
    /// The states of the corrections, in their order.
    fileprivate var corrections: [CorrectionsStatus] {
        notices.compactMap { if case .corrections(let status) = $0 { status } else { nil } }
    }
}
