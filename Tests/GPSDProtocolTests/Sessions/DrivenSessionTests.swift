import Glibc
import LocationCore
import LocationTesting
import LocwatchSupport
import TestSupport
import Testing

@testable import GPSDProtocol

@Suite struct DrivenSessionTests {
    private let clock = ManualClock()

    private func session(
        _ pipe: SessionPipe, _ backpressure: Inbox.Backpressure = .waits
    ) -> DrivenSession {
        let clock = clock.sessionClock()
        return DrivenSession(on: clock, backpressure) {
            PipedSource(pipe, $0)
        } orThrow: {
            .daemonUnavailable(cause: "\($0)")
        }
    }

    /// Returns the events of the next steps.
    private func events(_ count: Int, of session: DrivenSession) async throws -> [LocationEvent] {
        var events: [LocationEvent] = []
        for _ in 0..<count {
            guard case .update(let update) = try await session.next(until: nil) else { break }
            events.append(update.event)
        }
        return events
    }

    @Test func `a live source is read while its task is busy, and its oldest positions are dropped`() async throws {
        let pipe = try SessionPipe()
        let session = session(pipe, .drops(capacity: 3))
        pipe.write(1...1)
        #expect(try await events(1, of: session) == [pipe.event(1)])
        for number in 2...10 { pipe.write(number...number) }
        try await eventually("all is read", { pipe.bytesRead }, is: { $0 == 10 })
        #expect(
            try await events(4, of: session)
                == [.notice(.dropped(locations: 6, skyViews: 0))] + (8...10).map(pipe.event))
    }

    @Test func `a file is not read while its task is busy, and nothing is dropped`() async throws {
        let pipe = try SessionPipe()
        let session = session(pipe)
        pipe.write(1...1)
        #expect(try await events(1, of: session) == [pipe.event(1)])
        for number in 2...200 { pipe.write(number...number) }
        #expect(pipe.bytesRead == 1)
        #expect(try await events(199, of: session) == (2...200).map(pipe.event))
        pipe.close()
        #expect(try await session.next(until: nil) == .end)
        #expect(pipe.isStopped)
    }

    @Test(arguments: [Inbox.Backpressure.waits, .drops()])
    func `a task that is cancelled ends its session at once`(backpressure: Inbox.Backpressure) async throws {
        let pipe = try SessionPipe()
        let session = session(pipe, backpressure)
        let wait = Task { try await session.next(until: .after(.seconds(3))) }
        try await clock.untilSleeping()
        wait.cancel()
        #expect(try await wait.value == .end)
        #expect(pipe.isStopped)
        #expect(try await session.next(until: nil) == .end)
    }

    @Test(arguments: [Inbox.Backpressure.waits, .drops()])
    func `a session that is released stops`(backpressure: Inbox.Backpressure) async throws {
        let pipe = try SessionPipe()
        var session: DrivenSession? = session(pipe, backpressure)
        pipe.write(1...1)
        _ = try await session?.next(until: nil)
        session = nil
        try await eventually("it has stopped", { pipe.isStopped }, is: \.self)
    }

    @Test(arguments: [Inbox.Backpressure.waits, .drops()])
    func `a deadline on the session's clock ends a wait, and not what comes before it`(
        backpressure: Inbox.Backpressure
    ) async throws {
        let pipe = try SessionPipe()
        let session = session(pipe, backpressure)
        let early = Task { try await session.next(until: .after(.seconds(3))) }
        try await clock.untilSleeping()
        pipe.write(1...1)
        #expect(try await early.value == .update(LocationUpdate(pipe.event(1), at: .after(.zero))))
        let late = Task { try await session.next(until: .after(.seconds(3))) }
        try await clock.untilSleeping()
        #expect(try await clock.advance(untilEndOf: late) == .quiet)
        #expect(clock.now.elapsed == .seconds(3) && session.now == .after(.seconds(3)))
    }

    @Test func `an error of the session is thrown after what was read before it, and then the session has ended`()
        async throws
    {
        let pipe = try SessionPipe()
        let session = session(pipe)
        pipe.write(1...1)
        pipe.write(0...0)
        #expect(try await events(1, of: session) == [pipe.event(1)])
        await #expect(throws: LocationError.daemon(message: "zero")) { try await session.next(until: nil) }
        #expect(try await session.next(until: nil) == .end)
        #expect(pipe.isStopped)
    }
}

extension Moment {
    fileprivate static func after(_ elapsed: Duration) -> Moment {
        Moment(elapsed: elapsed, wall: .testEpoch.advanced(by: elapsed))
    }
}

/// A pipe for a session, each byte of which is a position.
private final class SessionPipe: Sendable {
    struct Counts {
        var bytesRead = 0
        var isStopped = false
    }

    let counts = Lock(Counts())
    let reading: Int32
    private let writing: Lock<Int32>

    init() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        reading = ends[0]
        writing = Lock(ends[1])
    }

    deinit {
        close()
        Glibc.close(reading)
    }

    var bytesRead: Int { counts.withLock { $0.bytesRead } }
    var isStopped: Bool { counts.withLock { $0.isStopped } }

    func event(_ number: Int) -> LocationEvent {
        .location(Location(coordinate: Coordinate(latitude: Double(number) / 10, longitude: 8)))
    }

    func write(_ numbers: ClosedRange<Int>) {
        let bytes = numbers.map { UInt8($0) }
        writing.withLock { _ = Glibc.write($0, bytes, bytes.count) }
    }

    func close() {
        writing.withLock { writing in
            if writing >= 0 { Glibc.close(writing) }
            writing = -1
        }
    }
}

/// A source that reads one byte in each turn; a zero is an error.
private final class PipedSource: Source {
    private let pipe: SessionPipe
    private let clock: SessionClock
    private var hasStopped = false

    init(_ pipe: SessionPipe, _ clock: SessionClock) {
        self.pipe = pipe
        self.clock = clock
    }

    var now: Moment { clock.now }
    var descriptor: Int32 { hasStopped ? -1 : pipe.reading }

    func timeLeft(until deadline: Moment?) -> Duration? { deadline.map { max(.zero, now.duration(to: $0)) } }

    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool {
        guard isReady else { return true }
        var byte = UInt8(0)
        guard read(pipe.reading, &byte, 1) == 1 else { return false }
        pipe.counts.withLock { $0.bytesRead += 1 }
        if byte == 0 { throw .daemon(message: "zero") }
        updates.append(LocationUpdate(pipe.event(Int(byte)), at: now))
        return true
    }

    func stop() {
        hasStopped = true
        pipe.counts.withLock { $0.isStopped = true }
    }
}
