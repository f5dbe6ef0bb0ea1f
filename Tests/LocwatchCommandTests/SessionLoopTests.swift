import Glibc
import LocationCore
import LocationGPSD
import Platform
import Testing

@testable import LocwatchCommand

/// A session whose time goes on by what stands in a script, without anybody waiting.
private final class ScriptedFeed: SessionFeed {
    enum Step {
        case tell([LocationEvent])
        /// Events that lie so far apart, and are told all at once.
        case tellApart([LocationEvent], Duration)
        case pass(Duration)
        case fail(LocationError)
    }

    private var steps: ArraySlice<Step>
    private(set) var now = ScriptedSession.moment(0)
    private(set) var hasEnded = false
    let descriptor: Int32 = -1
    let patience: Duration? = .zero

    init(_ steps: [Step]) { self.steps = steps[...] }

    func wait(until moment: Moment) -> Duration? { now.duration(to: moment) }

    func end() { hasEnded = true }

    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        switch steps.popFirst() {
        case .tell(let events): for event in events { tell(LocationUpdate(event, at: now)) }
        case .tellApart(let events, let gap):
            for event in events {
                tell(LocationUpdate(event, at: now))
                now = now.advanced(by: gap)
            }
        case .pass(let duration): now = now.advanced(by: duration)
        case .fail(let error): throw error
        case nil: return false
        }
        return true
    }
}

/// Writes down what the loop hands on.
private final class Recorder: SessionHandler {
    var told: [TrackedUpdate] = []
    var expired: [Moment] = []
    var flushes = 0
    var deadline: Moment?
    var answer: (TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? = { _ in nil }
    var onExpiry: () throws(OutputFailure) -> Void = {}
    var onFlush: () throws(OutputFailure) -> Void = {}
    let pendingOutput: Int32 = -1
    let isForReader = false

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        told.append(update)
        return try answer(update)
    }

    func expire(at moment: Moment) throws(OutputFailure) {
        expired.append(moment)
        deadline = nil
        try onExpiry()
    }

    func flush() throws(OutputFailure) {
        flushes += 1
        try onFlush()
    }

    var locations: Int {
        told.count { if case .update(let update) = $0, case .location = update.event { true } else { false } }
    }

    var states: [LocationState] {
        told.compactMap { if case .transition(let transition) = $0 { transition.to } else { nil } }
    }
}

struct SessionLoopTests {
    private static func position(_ seconds: Double) -> LocationEvent { .location(ScriptedSession.location(seconds)) }

    private func loop(
        _ feed: ScriptedFeed, _ recorder: Recorder, _ limits: SessionLoop.Limits = .init()
    ) throws -> SessionLoop {
        SessionLoop(
            feed, recorder, limits: limits, status: StatusDisplay(isWanted: false, glyphs: .ascii),
            signals: try Event())
    }

    @Test func `a source at its end ends the session, after everything was told and written`() throws {
        let (feed, recorder) = (ScriptedFeed([.tell([Self.position(0)]), .pass(.seconds(1))]), Recorder())
        let outcome = try loop(feed, recorder).run()
        #expect(outcome.reason == .ended)
        #expect(recorder.locations == 1)
        #expect(recorder.states == [.found(ScriptedSession.location(0))], "the state that follows from it comes too")
        #expect(feed.hasEnded)
        #expect(recorder.flushes == 3, "after each step")
    }

    @Test func `the handler's answer ends the session at that moment, whatever was read ahead`() throws {
        let feed = ScriptedFeed([.tellApart((0..<5).map { Self.position(Double($0)) }, .seconds(1))])
        let recorder = Recorder()
        recorder.answer = { _ in recorder.locations == 2 ? .count : nil }
        let loop = try loop(feed, recorder)
        #expect(loop.run().reason == .count)
        #expect(recorder.locations == 2)
        #expect(loop.now == ScriptedSession.moment(1))
        #expect(feed.now == ScriptedSession.moment(5))
    }

    @Test func `a duration ends the session, and what lies behind it is not taken`() throws {
        let feed = ScriptedFeed([
            .tell([Self.position(0)]), .tellApart((0..<20).map { Self.position(Double($0)) }, .seconds(1)),
        ])
        let recorder = Recorder()
        #expect(try loop(feed, recorder, .init(duration: .seconds(10))).run().reason == .duration)
        #expect(recorder.locations == 11)
    }

    @Test func `a duration ends a session in which nothing comes`() throws {
        let feed = ScriptedFeed([.pass(.seconds(9)), .pass(.seconds(1)), .tell([Self.position(10)])])
        let recorder = Recorder()
        #expect(try loop(feed, recorder, .init(duration: .seconds(10))).run().reason == .duration)
        #expect(recorder.told.isEmpty)
    }

    @Test(arguments: [(false, SessionEnd.Reason.timeout), (true, .ended)])
    func `a timeout counts until there was a good position`(isGood: Bool, reason: SessionEnd.Reason) throws {
        let feed = ScriptedFeed([.pass(.seconds(1)), .tell([Self.position(1)]), .pass(.seconds(5))])
        let recorder = Recorder()
        let loop = try loop(feed, recorder, .init(timeout: .seconds(5)))
        recorder.answer = { [unowned loop] _ in
            loop.isSatisfied = isGood
            return nil
        }
        #expect(loop.run().reason == reason)
    }

    @Test(arguments: [(2, 3, SessionEnd.Reason.timeout), (3, 2, .duration)])
    func `of two limits the first one ends the session`(
        timeout: Int, duration: Int, reason: SessionEnd.Reason
    ) throws {
        let limits = SessionLoop.Limits(duration: .seconds(duration), timeout: .seconds(timeout))
        #expect(try loop(ScriptedFeed([.pass(.seconds(10))]), Recorder(), limits).run().reason == reason)
    }

    @Test func `an error that ends the source is a state, and the outcome`() throws {
        let error = LocationError.unreadable(path: "x", cause: "no")
        let (feed, recorder) = (ScriptedFeed([.fail(error)]), Recorder())
        guard case .failed(let failure) = try loop(feed, recorder).run() else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure == error)
        #expect(recorder.states == [.error(error)])
        #expect(feed.hasEnded)
    }

    @Test func `a position of which nothing more is heard is current no longer`() throws {
        let feed = ScriptedFeed([.tell([Self.position(0)]), .pass(.milliseconds(2900)), .pass(.milliseconds(100))])
        let recorder = Recorder()
        let loop = try loop(feed, recorder)
        #expect(loop.run().reason == .ended)
        #expect(recorder.states.count == 2)
        #expect(recorder.states.last == .searching(.silent(for: .seconds(3))))
        #expect(loop.state == .searching(.silent(for: .seconds(3))))
    }

    @Test func `the handler is called at its deadline, and not before`() throws {
        let feed = ScriptedFeed([.pass(.seconds(4)), .pass(.seconds(1)), .pass(.seconds(1))])
        let recorder = Recorder()
        recorder.deadline = ScriptedSession.moment(5)
        #expect(try loop(feed, recorder).run().reason == .ended)
        #expect(recorder.expired == [ScriptedSession.moment(5)])
    }

    @Test(arguments: ["take", "expire", "flush"])
    func `output that fails ends the session with its cause`(place: String) throws {
        let full = OutputFailure.system(ENOSPC)
        let recorder = Recorder()
        recorder.deadline = ScriptedSession.moment(1)
        switch place {
        case "take": recorder.answer = { (_) throws(OutputFailure) in throw full }
        case "expire": recorder.onExpiry = { () throws(OutputFailure) in throw full }
        default: recorder.onFlush = { () throws(OutputFailure) in throw full }
        }
        let feed = ScriptedFeed([.tell([Self.position(0), Self.position(1)]), .pass(.seconds(1)), .pass(.seconds(1))])
        guard case .output(let failure) = try loop(feed, recorder).run() else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure == full)
        #expect(feed.hasEnded)
        #expect(place != "take" || recorder.told.count == 1, "nothing is handed on after it")
    }

    // The signals are the whole program's, and a second one ends it: they are caught in a process of their own.
    @Test func `a signal ends the session, and then the program`() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let signals = try Event()
            CaughtSignals.announce(by: signals)
            let feed = ScriptedFeed([.tell([Self.position(0)]), .pass(.seconds(1))])
            let recorder = Recorder()
            recorder.answer = { _ in
                raise(SIGTERM)
                return nil
            }
            let loop = SessionLoop(
                feed, recorder, limits: .init(), status: StatusDisplay(isWanted: false, glyphs: .ascii),
                signals: signals)
            guard case .signal(SIGTERM) = loop.run(), feed.hasEnded, recorder.told.count == 1 else { exit(1) }
            CaughtSignals.die(of: SIGTERM)
        }
    }
}

extension SessionOutcome {
    fileprivate var reason: SessionEnd.Reason? { if case .ended(let reason) = self { reason } else { nil } }
}
