import Glibc
import LocationCore
import LocationTesting
import TestSupport
import Testing

@testable import LocationGPSD

/// The thread that reads corrections, with the test in the place of the gpsd that reads its pipe.
@Suite(.serialized, .withFew) final class CorrectionsFeedTests {
    private static let limit = Duration.seconds(60)

    private let pipe: CorrectionsPipe
    private let reader: Int32
    private var written: [UInt8] = []
    private var feed: CorrectionsFeed?

    init() throws {
        pipe = try CorrectionsPipe()
        reader = open(pipe.path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }

    deinit {
        feed?.end()
        close(reader)
    }

    private func start(_ source: CorrectionsSource, connecting: Duration? = nil, silence: Duration = limit) throws {
        var timeouts = ConnectionTimeouts()
        (timeouts.connecting, timeouts.streamSilence) = (connecting ?? silence, silence)
        timeouts.retries = RetryPauses(first: .milliseconds(50), longest: .milliseconds(50))
        feed = try CorrectionsFeed(source, into: pipe, timeouts: timeouts)
    }

    /// Returns what the feed has written.
    private func read() -> [UInt8] {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = Glibc.read(reader, &piece, piece.count), count > 0 { written += piece[..<count] }
        return written
    }

    private func waitForFault(_ fault: CorrectionsStatus.Fault) async throws -> CorrectionsStatus {
        let status = try await eventually("a state", within: Self.limit, { feed?.status }, is: { $0?.fault == fault })
        return try #require(status)
    }

    @Test(
        arguments: [
            (.corrections, "joe:other", Caster.mountpoint, .password), (.corrections, nil, "NONE", .mountpoint),
            (.table, nil, Caster.mountpoint, .mountpoint), (.silent, nil, Caster.mountpoint, .silent),
            (.mute, nil, Caster.mountpoint, .silent), (.garbage, nil, Caster.mountpoint, .content),
            (.page, nil, Caster.mountpoint, .answer),
        ] as [(Caster.Manner, String?, String, CorrectionsStatus.Fault)])
    func `a hostile or mistaken caster is a fault with its cause, and nothing of it is passed on`(
        manner: Caster.Manner, login: String?, mountpoint: String, fault: CorrectionsStatus.Fault
    ) async throws {
        let caster = Caster(manner, login: login)
        defer { caster.stop() }
        let address = StreamAddress(.ntrip, host: "127.0.0.1", port: caster.port, user: "joe", mountpoint: mountpoint)
        let source = CorrectionsSource(address, password: "s3cr3t")
        try start(source, connecting: manner == .silent ? Self.limit : nil, silence: .milliseconds(300))
        let status = try await waitForFault(fault)
        #expect(status.source == "ntrip://joe@127.0.0.1:\(caster.port)/\(mountpoint)")
        #expect(status.cause?.isEmpty == false && status.cause?.contains("s3cr3t") == false)
        // An attempt has two connections at most. Each has the same end, so that a fault that lasts is reported once.
        let connections = caster.connections
        try await eventually("other attempts", within: Self.limit, { caster.connections }, is: { $0 > connections + 2 })
        #expect(try await waitForFault(fault) == status)
        #expect(read() == [])
        var dumped = String(reflecting: source)
        dump(source, to: &dumped)
        #expect(!dumped.contains("s3cr3t"))
    }

    @Test func `a caster whose answer is the size of a chunk without an end is read only so far`() async throws {
        let caster = Caster(.endless)
        let address = StreamAddress(.ntrip, host: "127.0.0.1", port: caster.port, mountpoint: Caster.mountpoint)
        try start(CorrectionsSource(address))
        #expect(try await waitForFault(.content).cause == "what arrives is not RTCM 3, or has no corrections")
        try await eventually("other attempts", within: Self.limit, { caster.connections }, is: { $0 > 4 })
        #expect(caster.received.count { $0.hasPrefix("GET / ") } == 1, "the table is not read again")
        feed?.end()
        caster.stop()
        #expect(read() == [])
    }

    @Test func `a host that accepts no connection is a fault after the limit`() async throws {
        let hole = try BlackHole()
        defer { hole.vanish() }
        let address = StreamAddress(.ntrip, host: "127.0.0.1", port: hole.port, mountpoint: Caster.mountpoint)
        try start(CorrectionsSource(address), silence: .milliseconds(300))
        #expect(try await waitForFault(.unreachable).cause == "Connection timed out")
    }

    @Test func `a server of corrections is a source too`() async throws {
        let server = Caster(.plain)
        defer { server.stop() }
        try start(CorrectionsSource(StreamAddress(.tcp, host: "127.0.0.1", port: server.port)))
        let bytes = try await eventually("messages", within: Self.limit, { read() }, is: { $0.count > 500 })
        let messages = RTCMReaderTests.messages(in: bytes).messages
        #expect(messages.joined().elementsEqual(bytes) && server.sent.hasRun(messages))
        #expect(feed?.status == CorrectionsStatus(source: "tcp://127.0.0.1:\(server.port)"))
    }

    @Test func `a named pipe is a source too, also when its writer is another one`() async throws {
        let folder = try Scratch()
        let path = folder.path("rtcm")
        try #require(mkfifo(path, 0o600) == 0)
        try start(CorrectionsSource(pipe: path))
        for number in 0..<3 {
            let message = Caster.message(number)
            // Opening waits for the feed.
            let writer = open(path, O_WRONLY)
            #expect(write(writer, message, message.count) == message.count)
            close(writer)
        }
        let expected = (0..<3).flatMap { Caster.message($0) }
        try await eventually("the messages", within: Self.limit, { read() }, is: { $0 == expected })
        try await eventually(
            "the state", within: Self.limit, { feed?.status }, is: { $0 == CorrectionsStatus(source: path) })
    }

    @Test(arguments: ["/nonexistent/pipe", "/etc/hostname"])
    func `another file than a pipe is a fault`(path: String) async throws {
        try start(CorrectionsSource(pipe: path))
        #expect(try await waitForFault(.pipe).source == path)
    }
}
