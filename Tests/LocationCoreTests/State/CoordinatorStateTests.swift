import LocationTesting
import TestSupport
import Testing

@testable import LocationCore

/// Tests of what a coordinator calls for the messages of its tasks, without a session.
@Suite struct CoordinatorStateTests {
    private let log = EventLog<String>()

    private func state() -> CoordinatorState {
        var state = CoordinatorState(request: .everything)
        state.callbacks.update = { [log] in log.append("\($0.coordinate.latitude)") }
        state.callbacks.stateChange = { [log] in log.append($0.reason.code) }
        state.callbacks.failure = { [log] in log.append($0.code) }
        return state
    }

    private func addTask(_ state: inout CoordinatorState) -> Int { state.addTask { _ in {} } }

    /// Returns what the callbacks for a message log.
    private func called(_ state: inout CoordinatorState, _ message: CoordinatorState.Message, of task: Int) -> [String]
    {
        let before = log.events.count
        for call in state.process(message, of: task) { call() }
        return Array(log.events.dropFirst(before))
    }

    private func followed(_ location: Location) -> CoordinatorState.Message {
        .tracked(.update(LocationUpdate(.location(location), at: .after(.zero))), SessionView(), isLast: false)
    }

    private func received(_ number: Int, after time: Duration) -> Location {
        Sample.numbered(number).with { $0.received = .testEpoch.advanced(by: time) }
    }

    @Test(arguments: [true, false])
    func `a report that a request and the session receive is passed on once`(isRequestFirst: Bool) {
        var state = state()
        let (session, request) = (addTask(&state), addTask(&state))
        state.follow(session)
        let messages = [
            (CoordinatorState.Message.location(received(1, after: .seconds(1))), request),
            (followed(received(1, after: .seconds(2))), session),
        ]
        let calls = (isRequestFirst ? messages : messages.reversed()).map { called(&state, $0, of: $1).count }
        #expect(calls == [1, 0])
    }

    @Test func `a request passes on a report again that the session passed on before the request began`() {
        var state = state()
        let session = addTask(&state)
        state.follow(session)
        #expect(called(&state, followed(received(1, after: .seconds(1))), of: session).count == 1)
        let request = addTask(&state)
        #expect(called(&state, .location(received(1, after: .seconds(2))), of: request).count == 1)
    }

    @Test func `a session passes on the same position twice, because the receiver has reported it twice`() {
        var state = state()
        let session = addTask(&state)
        state.follow(session)
        _ = addTask(&state)
        for _ in 1...2 { #expect(called(&state, followed(received(1, after: .zero)), of: session).count == 1) }
    }

    @Test func `a message of a task that was stopped or has ended causes no call`() {
        var state = state()
        let tasks = [addTask(&state), addTask(&state)]
        state.removeTask(tasks[0])
        #expect(called(&state, .location(Sample.gate), of: tasks[0]) == [])
        #expect(state.stop().count == 1)
        #expect(called(&state, .failure(.cancelled), of: tasks[1]) == [])
        #expect(state.lastLocation == nil && state.cancellations.isEmpty)
    }

    @Test func `a session that has ended reports its end, and leaves the view to the one that was started since`() {
        var state = state()
        let (first, second) = (addTask(&state), addTask(&state))
        state.follow(first)
        let error = LocationError.daemon(message: "no")
        let change = StateChange(
            from: .searching(.starting), to: .error(error), at: .after(.zero), lasted: .zero, device: nil)
        #expect(called(&state, .tracked(.transition(change), SessionView(), isLast: true), of: first) == ["daemon"])
        #expect(!state.isFollowing)
        state.follow(second)
        #expect(called(&state, .end(error), of: first) == ["daemon"])
        #expect(state.isFollowing)
        #expect(called(&state, .end(nil), of: second) == [])
        #expect(!state.isFollowing)
    }

    @Test func `a request with another filter keeps the session`() {
        var state = state()
        state.follow(addTask(&state))
        #expect(state.change(LocationRequest(accuracy: 10)) == nil && state.isFollowing)
    }

    @Test func `a request for another receiver replaces the session`() {
        var state = state()
        let session = addTask(&state)
        state.follow(session)
        #expect(state.change(LocationRequest(device: "/dev/a")) != nil && !state.isFollowing)
        #expect(called(&state, followed(Sample.gate), of: session) == [])
    }
}
