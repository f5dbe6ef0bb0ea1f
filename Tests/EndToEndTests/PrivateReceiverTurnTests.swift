import Foundation
import LocationCore
import LocationTesting
import LocwatchPlatform
import LocwatchSupport
import TestSupport
import Testing

@testable import LocationGPSD

/// The turns of a session over a gpsd that does not end when it is asked to: none waits for it.
///
/// The stand-in ends only when a test kills it, so a turn that waited for its end would never return.
@Suite(.serialized, .withFew, .timeLimit(.minutes(5))) struct PrivateReceiverTurnTests {
    /// A daemon that ignores SIGTERM, and reports its device as lost to a client that watches if a file says so.
    private static let program = """
        import os, signal, socket, sys, threading
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        device, mark = sys.argv[1], sys.argv[2]
        def serve(client):
            client.sendall(b'{"class":"VERSION","release":"3.22"}\\n')
            while True:
                command = client.recv(1000)
                if not command: return
                state = '"activated":"2026-11-20T09:00:00.000Z"'
                client.sendall(('{"class":"DEVICES","devices":[{"class":"DEVICE","path":"%s",%s}]}\\n'
                    % (device, state)).encode())
                if b"WATCH" in command and os.path.exists(mark):
                    client.sendall(('{"class":"DEVICE","path":"%s","activated":0}\\n' % device).encode())
        listener = socket.socket(fileno=4)
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client,), daemon=True).start()
        """

    private let line: ReceiverTerminal
    private let folder: Scratch
    private let mark: String
    private let starts = Kept<StartingGPSD>()
    /// Whether gpsd was still running when the receiver was detached, for each time.
    private let detachments = Kept<Bool>()
    private let clock = ManualClock()
    private let daemon: GPSDOwner

    /// What a closure of the shared gpsd has noted.
    private final class Kept<Value: Sendable>: Sendable {
        private let values = Lock<[Value]>([])
        var all: [Value] { values.withLock { $0 } }
        func add(_ value: Value) { values.withLock { $0.append(value) } }
    }

    init() throws {
        (line, folder) = (try ReceiverTerminal(), try Scratch())
        mark = folder.path("lost")
        let script = try folder.write(Self.program, to: "gpsd.py").path
        var settings = PrivateGPSD.Settings()
        settings.program = try folder.writeScript(
            "for last; do :; done; exec /usr/bin/python3 \(script) \"$last\" \(mark)", to: "gpsd")
        settings.confinedParts = []
        (settings.grace, settings.limit) = (.seconds(100_000), .seconds(60))
        daemon = GPSDOwner { [path = line.path, starts, detachments] () throws(LocationError) in
            AttachedReceiver(path: path) { detachments.add(starts.all.contains { $0.isRunning }) }
        } launch: { [starts, settings] (opening) throws(LocationError) in
            let start = try StartingGPSD(opening, settings)
            starts.add(start)
            return start
        }
    }

    private func session() -> PrivateReceiverSession {
        var options = SessionOptions()
        options.timeouts.silence = .seconds(100_000)
        return PrivateReceiverSession(
            daemon, for: .everything, options: options,
            clock: SessionClock(clock, startingAt: Timestamp(nanosecondsSince1970: 0)))
    }

    /// Steps a session as a loop does, until a condition holds after a step.
    private func run(
        _ session: PrivateReceiverSession, until condition: ([LocationEvent]) throws -> Bool
    ) throws {
        var updates = ReusedQueue<LocationUpdate>()
        var events: [LocationEvent] = []
        while try !condition(events) {
            let isDue = session.timeLeft(until: nil).map { $0 <= .zero } ?? false
            let isReady = PollSet.wait(for: session.descriptor, within: isDue ? .zero : .seconds(60))
            #expect(isReady || isDue, "the session has a descriptor to wait for: \(events)")
            _ = try session.turn(isReady: isReady, into: &updates)
            while let update = updates.popFirst() { events.append(update.event) }
        }
    }

    private func isConnected(_ events: [LocationEvent]) -> Bool {
        events.contains(.searching(.connected(release: "3.22")))
    }

    /// Whether the last of the events is the failure of a daemon for a reason.
    private func failed(_ cause: String) -> ([LocationEvent]) -> Bool {
        { if case .failure(.daemonUnavailable(cause), .some)? = $0.last { true } else { false } }
    }

    private func process(_ index: Int) throws -> Int32 { try #require(try starts.all[index].outcome()?.processID) }

    /// Ends all daemons, for a test that is over.
    private func killAll() throws {
        for start in starts.all { if let process = try start.outcome()?.processID { kill(process, SIGKILL) } }
    }

    @Test func `a stop returns while gpsd runs, and the receiver and the next session wait for its end`() throws {
        let first = session()
        try run(first, until: isConnected)
        let gpsd = try process(0)
        first.stop()
        #expect(daemon.userCount == 0 && RunningProcess(gpsd).isRunning && detachments.all.isEmpty)
        let second = session()
        try run(second) { _ in second.descriptor >= 0 }
        #expect(second.descriptor == starts.all[0].gone.descriptor && starts.all.count == 1)
        #expect(RunningProcess(gpsd).isRunning, "the session waits, and no step does")
        kill(gpsd, SIGKILL)
        try run(second, until: isConnected)
        #expect(starts.all.count == 2 && detachments.all == [false])
        second.stop()
        try killAll()
    }

    @Test func `a gpsd that lost its device is replaced when it has let go of it`() throws {
        try folder.write("", to: "lost")
        let session = session()
        defer { session.stop() }
        try run(session) { _ in starts.all.first?.isEnding == true }
        let gpsd = try process(0)
        #expect(session.descriptor == starts.all[0].gone.descriptor && RunningProcess(gpsd).isRunning)
        #expect(starts.all.count == 1, "the line is still taken")
        #expect(unlink(mark) == 0)
        kill(gpsd, SIGKILL)
        try run(session, until: isConnected)
        #expect(starts.all.count == 2 && detachments.all.isEmpty)
        try killAll()
    }

    @Test func `a gpsd that does not even end when it is killed is a failure that is tried again`() throws {
        try folder.write("", to: "lost")
        let session = session()
        defer { session.stop() }
        try run(session) { _ in starts.all.first?.isEnding == true }
        let left = try #require(session.timeLeft(until: nil))
        #expect(left == .seconds(5))
        clock.advance(by: left)
        try run(session, until: failed("the gpsd before it does not end"))
        #expect(RunningProcess(try process(0)).isRunning)
        try killAll()
    }

    @Test func `the end of gpsd is noticed by a descriptor`() throws {
        let session = session()
        defer { session.stop() }
        try run(session, until: isConnected)
        kill(try process(0), SIGKILL)
        // The clock stands still, so that no deadline passes.
        try run(session) { $0.contains(.failure(.daemonUnavailable(cause: "the private gpsd has ended"))) }
        try run(session, until: isConnected)
        #expect(starts.all.count == 2)
        try killAll()
    }
}
