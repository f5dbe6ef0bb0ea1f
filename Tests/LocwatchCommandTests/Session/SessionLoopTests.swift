import Glibc
import LocationCore
import LocationGPSD
import LocationTesting
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSupport
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession
@testable import LocwatchTerminal

@Suite(.serialized, .alone) struct SessionLoopTests {
    private static func position(_ seconds: Double) -> LocationEvent { .location(ScriptedSession.location(seconds)) }

    private let recorder = UpdateRecorder()

    private func loop(
        _ session: SteppedSource, _ limits: SessionLimits = .init(), goal: LocationRequest? = nil,
        isLive: Bool = true
    ) throws -> SessionLoop {
        try SessionLoop(polling: session, [recorder], limits: limits, goal: goal, isLive: isLive)
    }

    @Test func `a source at its end ends the session after all updates are processed and flushed`() throws {
        let session = SteppedSource([.emit([Self.position(0)]), .pass(.seconds(1))])
        #expect(try loop(session).run().reason == .ended)
        #expect(recorder.locations == 1)
        #expect(recorder.states == [.found(ScriptedSession.location(0))], "the state that follows from it comes too")
        #expect(session.hasStopped)
        #expect(recorder.flushes == 3, "after each step")
    }

    @Test func `a peer that waited while the program was stopped is answered with the state after the stop`() throws {
        let session = SteppedSource([.emit([Self.position(0)]), .pass(.zero)])
        session.pause = .seconds(20)
        let loop = try loop(session)
        var answers: [LocationState] = []
        recorder.onFlush = { [unowned loop] in answers.append(loop.view.state) }
        _ = loop.run()
        #expect(answers.first == .found(ScriptedSession.location(0)))
        #expect(answers.dropFirst().allSatisfy { $0.location == nil } && answers.count > 1)
    }

    @Test func `a consumer's reason ends the session at once and discards updates that were read ahead`() throws {
        let session = SteppedSource([.emit((0..<5).map { Self.position(Double($0)) }, gap: .seconds(1))])
        recorder.answer = { _ in recorder.locations == 2 ? .count : nil }
        let loop = try loop(session)
        #expect(loop.run().reason == .count)
        #expect(recorder.locations == 2)
        #expect(loop.now == ScriptedSession.moment(1))
        #expect(session.now == ScriptedSession.moment(5))
    }

    @Test func `a duration ends the session and discards later updates`() throws {
        let session = SteppedSource([
            .emit([Self.position(0)]), .emit((0..<20).map { Self.position(Double($0)) }, gap: .seconds(1)),
        ])
        #expect(try loop(session, .init(duration: .seconds(10))).run().reason == .duration)
        #expect(recorder.locations == 11)
    }

    @Test(arguments: [(false, SessionEnd.Reason.timeout), (true, .ended)])
    func `a timeout applies until the first good position`(isGood: Bool, reason: SessionEnd.Reason) throws {
        let session = SteppedSource([.pass(.seconds(1)), .emit([Self.position(1)]), .pass(.seconds(5))])
        let goal = LocationRequest(accuracy: isGood ? 1000 : 0.001)
        let loop = try loop(session, .init(timeout: .seconds(5)), goal: goal)
        #expect(loop.run().reason == reason)
    }

    @Test(arguments: [(2, 3, SessionEnd.Reason.timeout), (3, 2, .duration)])
    func `the earlier of two limits ends the session`(timeout: Int, duration: Int, reason: SessionEnd.Reason) throws {
        let limits = SessionLimits(timeout: .seconds(timeout), duration: .seconds(duration))
        #expect(try loop(SteppedSource([.pass(.seconds(10))]), limits).run().reason == reason)
    }

    @Test func `an operator passes on what it wants, and its error ends the session`() throws {
        let session = SteppedSource([.emit((0..<6).map { Self.position(Double($0)) }, gap: .seconds(1))])
        let log = EventLog<String>()
        let lost = LocationError.daemon(message: "the disk is full")
        let loop = try SessionLoop(polling: session, [recorder]) { beginning in
            log.append("begins at \(beginning.elapsed.inSeconds)")
            return SessionOperator { (update) throws(LocationError) in
                let second = update.moment.elapsed.inSeconds
                log.append("\(second)")
                if second == 4 { throw lost }
                return second == 1 ? nil : update
            } end: {
                log.append("ends")
            }
        }
        guard case .failed(let error) = loop.run().outcome else {
            Issue.record("the error is the outcome")
            return
        }
        #expect(error == lost)
        #expect(recorder.locations == 3 && recorder.states.last == .error(lost))
        #expect(log.events == ["begins at 0.0", "0.0", "1.0", "2.0", "3.0", "4.0", "ends"])
        #expect(session.hasStopped)
    }

    @Test func `an error before any update is the last state and the outcome`() throws {
        let error = LocationError.daemonUnavailable(cause: "no")
        let session = SteppedSource([.fail(error)])
        let outcome = try loop(session).run().outcome
        guard case .failed(error) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(recorder.states == [.error(error)])
        #expect(session.hasStopped)
    }

    @Test func `a consumer expires at its deadline, and not before`() throws {
        let session = SteppedSource([.pass(.seconds(4)), .pass(.seconds(1)), .pass(.seconds(1))])
        recorder.deadline = ScriptedSession.moment(5)
        #expect(try loop(session).run().reason == .ended)
        #expect(recorder.expired == [ScriptedSession.moment(5)])
    }

    @Test(arguments: ["take", "expire", "flush"])
    func `failing output ends the session with the cause`(place: String) throws {
        let full = OutputFailure.system(ENOSPC)
        recorder.deadline = ScriptedSession.moment(1)
        switch place {
        case "take": recorder.answer = { (_) throws(OutputFailure) in throw full }
        case "expire": recorder.onExpiry = { () throws(OutputFailure) in throw full }
        default: recorder.onFlush = { () throws(OutputFailure) in throw full }
        }
        let session = SteppedSource([
            .emit([Self.position(0), Self.position(1)]), .pass(.seconds(1)), .pass(.seconds(1)),
        ])
        let outcome = try loop(session).run().outcome
        guard case .output(full) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(session.hasStopped)
        #expect(place != "take" || recorder.told.count == 1, "nothing is handed on after it")
    }

    // MARK: The end

    @Test func `a session that has ended lingers until no consumer is busy`() throws {
        let session = SteppedSource([.emit([Self.position(0)])])
        var left = 3
        recorder.onEnd = { ending in
            #expect(session.hasStopped && ending.reason == .ended)
            defer { left -= 1 }
            return left > 0
        }
        let ending = try loop(session).run()
        #expect(ending.reason == .ended && left == -1)
        #expect(recorder.flushes == 5, "it is served after each wait")
    }

    @Test func `output that fails while the session lingers is its outcome`() throws {
        let session = SteppedSource([.emit([Self.position(0)])])
        recorder.onEnd = { ending in
            recorder.onFlush = { () throws(OutputFailure) in throw .system(ENOSPC) }
            return !ending.hasFailedOutput
        }
        #expect(try loop(session).run().hasFailedOutput)
    }

    @Test(arguments: [[3, 1], [1, 3], [0, 3], [0, 0]])
    func `each consumer works on after the end whatever its place, and a companion knows how long the command does`(
        turns: [Int]
    ) throws {
        let consumers = turns.map { _ in UpdateRecorder() }
        var asked = [0, 0]
        for (place, consumer) in consumers.enumerated() {
            consumer.onEnd = { _ in
                asked[place] += 1
                return asked[place] <= turns[place]
            }
        }
        var isBusy: [Bool] = []
        recorder.onEnd = { ending in
            isBusy.append(ending.commandIsBusy)
            // It has something left to do when the command is done.
            return !ending.commandIsBusy && isBusy.count <= 4
        }
        let session = SteppedSource([.emit([Self.position(0)])])
        _ = try SessionLoop(polling: session, consumers, companions: [recorder]).run()
        #expect(asked == [5, 5], "all are asked as long as one works")
        #expect(isBusy == (1...5).map { $0 <= turns.max() ?? 0 })
    }

    @Test(arguments: [0, 1, 3])
    func `the last file of metrics is written when the command has done its work`(turns: Int) throws {
        let scratch = try Scratch()
        let path = scratch.path("locwatch.prom")
        var settings = Settings()
        settings.reactions.metricsFile = path
        let context = try CommandContext(environment: [:], machine: PretendedMachine())
        let metrics = try #require(try MetricsFile(settings, context.narrator))
        var left = turns
        recorder.onEnd = { _ in
            defer { left -= 1 }
            guard left >= 0 else { return false }
            #expect(metrics.metrics.text.text.contains("locwatch_state{"), "the session counts as running")
            return left > 0
        }
        let session = SteppedSource([.emit([Self.position(0)])])
        _ = try SessionLoop(polling: session, [recorder], companions: [metrics]).run()
        let written = try scratch.text("locwatch.prom")
        #expect(written.contains("locwatch_positions_total{") && !written.contains("locwatch_state{"), "\(written)")
    }

    @Test func `a consumer's reason has precedence over an error in the same step`() throws {
        let session = SteppedSource([.fail(.cancelled, after: [Self.position(0)])])
        recorder.answer = { _ in recorder.locations == 1 ? .count : nil }
        #expect(try loop(session).run().reason == .count)
    }

    // MARK: Consumers that can take no more

    /// Returns a session with five positions, one for each step, of which the recorder is full after two.
    private func full() -> SteppedSource {
        recorder.refreshInterval = .milliseconds(1)
        recorder.answer = { _ in
            if recorder.locations == 2 { recorder.isFull = true }
            return nil
        }
        return SteppedSource((0..<5).map { .emit([Self.position(Double($0))]) })
    }

    @Test func `a full consumer stops a recording, which goes on when there is room again`() throws {
        let session = full()
        var seen: [Int] = []
        recorder.onRefresh = {
            guard recorder.isFull else { return }
            seen.append(recorder.locations)
            if seen.count == 20 { recorder.isFull = false }
        }
        #expect(try loop(session, isLive: false).run().reason == .ended)
        #expect(seen == Array(repeating: 2, count: 20))
        #expect(recorder.locations == 5)
    }

    @Test func `a full consumer does not stop a live source`() throws {
        let session = full()
        #expect(try loop(session).run().reason == .ended)
        #expect(recorder.locations == 5 && recorder.isFull)
    }

    @Test func `a consumer's deadline is due while a recording is stopped`() throws {
        let session = full()
        recorder.onRefresh = { if recorder.isFull, recorder.expired.isEmpty { recorder.deadline = session.now } }
        recorder.onExpiry = {
            #expect(recorder.locations == 2)
            recorder.isFull = false
        }
        #expect(try loop(session, isLive: false).run().reason == .ended)
        #expect(recorder.expired == [ScriptedSession.moment(0)])
        #expect(recorder.locations == 5)
    }

    @Test func `a duration ends a session whose recording is stopped`() throws {
        let session = full()
        session.realTime = .zero
        recorder.onRefresh = { if recorder.isFull { session.realTime = .seconds(60) } }
        #expect(try loop(session, .init(duration: .seconds(60)), isLive: false).run().reason == .duration)
        #expect(recorder.locations == 2)
    }

    @Test func `a signal ends a session whose recording is stopped`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let signals = try Event()
            CaughtSignals.announce(by: signals)
            let session = SteppedSource([.emit([Self.position(0)]), .emit([Self.position(1)])])
            let recorder = UpdateRecorder()
            recorder.isFull = true
            recorder.onRefresh = { raise(SIGTERM) }
            let loop = try SessionLoop(polling: session, [recorder], isLive: false, signals: signals)
            guard case .signal(SIGTERM) = loop.run().outcome, session.hasStopped, recorder.told.isEmpty else { exit(1) }
            CaughtSignals.die(of: SIGTERM)
        }
    }

    @Test func `a position that waits for the rest of its epoch is handed on before a signal ends the session`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let signals = try Event()
            CaughtSignals.announce(by: signals)
            let session = SteppedSource([.emit([Self.position(0)]), .pass(.seconds(1))])
            let recorder = UpdateRecorder()
            recorder.onFlush = { raise(SIGTERM) }
            let loop = try SessionLoop(polling: session, [recorder], signals: signals)
            guard case .signal(SIGTERM) = loop.run().outcome, recorder.locations == 1 else { exit(1) }
            CaughtSignals.die(of: SIGTERM)
        }
    }

    @Test func `a signal that timeout repeats for the group is one`() async {
        await #expect(processExitsWith: .success) {
            CaughtSignals.announce(by: try Event())
            raise(SIGTERM)
            raise(SIGTERM)
            guard CaughtSignals.first == SIGTERM else { exit(1) }
        }
    }
}
