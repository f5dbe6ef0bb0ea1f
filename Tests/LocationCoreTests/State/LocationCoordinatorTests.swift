import Dispatch
import Foundation
import LocationCore
import LocationTesting
import Synchronization
import Testing

// Serialized because blocked callbacks occupy threads that all tests share.
@Suite(.serialized) struct LocationCoordinatorTests {
    private let clock = ManualClock()
    private let log = EventLog<String>()

    private func coordinator(_ source: ScriptedLocationSource) -> LocationCoordinator {
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [log] in log.append("update \($0.coordinate.latitude)") }
        coordinator.onFailure = { [log] in log.append("failure \($0.code)") }
        coordinator.onStateChange = { [log] in log.append("state \($0.reason.code)") }
        coordinator.onAuthorizationChange = { [log] in log.append("authorization \($0.rawValue)") }
        return coordinator
    }

    @Test func `callbacks for positions, failures, states and authorization run in order`() async throws {
        let source = ScriptedLocationSource(
            [
                .searching(.noDevice), .authorization(.authorized), .location(1, 1), .location(2, 2),
                .error(.daemon(message: "no")), .notice(.message("hello")), .location(3, 3),
            ], clock: clock)
        let coordinator = coordinator(source)
        coordinator.start()
        let events = try await log.wait(for: "the last position") { $0.contains("update 3.0") }
        #expect(
            events == [
                "state noDevice", "authorization authorized", "state fix", "update 1.0", "update 2.0", "state daemon",
                "failure daemon", "state fix", "update 3.0",
            ])
        #expect(coordinator.authorization == .authorized)
        coordinator.stop()
    }

    @Test func `the request reaches the source, and starting twice starts one session`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let request = LocationRequest(accuracy: 10, device: "/dev/a")
        let coordinator = LocationCoordinator(source, for: request)
        coordinator.start()
        coordinator.start()
        try await source.untilRunning()
        coordinator.stop()
        try await source.untilRunning(0)
        #expect(source.calls == [.started(request), .stopped])
    }

    @Test func `a request that times out is reported as a failure`() async throws {
        let coordinator = coordinator(ScriptedLocationSource(clock: clock))
        coordinator.requestCurrent(within: .seconds(5), clock: clock)
        try await clock.untilSleeping()
        clock.advance(by: .seconds(5))
        try await log.wait(for: "the failure") { $0 == ["failure noFix"] }
    }

    @Test(arguments: [
        (AuthorizationStatus.authorized, ["authorization authorized"]), (.denied, ["authorization denied"]),
    ])
    func `an authorization request reports the status and ends its session`(
        status: AuthorizationStatus, told: [String]
    ) async throws {
        let source = ScriptedLocationSource(clock: clock)
        source.forceAuthorization(status)
        let coordinator = coordinator(source)
        coordinator.requestAuthorization { _ in }
        #expect(try await log.wait(for: "the answer") { !$0.isEmpty } == told)
        try await source.untilRunning(0)
        #expect(source.calls == [.authorizationAsked, .stopped])
        #expect(coordinator.authorization == status)
    }

    @Test func `an authorization request reports the failures before a position, but no position`() async throws {
        let source = ScriptedLocationSource([.error(.daemon(message: "no")), .location(1, 1)], clock: clock)
        source.forceAuthorization(.notDetermined)
        let coordinator = coordinator(source)
        coordinator.requestAuthorization(clock: clock) { _ in }
        try await log.wait(for: "the answer") { $0 == ["failure daemon", "authorization authorized"] }
        try await source.untilRunning(0)
    }

    @Test func `stop can be called from within a callback, which is then the last one`() async throws {
        let source = ScriptedLocationSource([.location(1, 1), .location(2, 2)], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [weak coordinator, log] in
            coordinator?.stop()
            log.append("update \($0.coordinate.latitude)")
        }
        coordinator.start()
        try await source.untilCalled(.stopped)
        #expect(log.events == ["update 1.0"])
    }

    /// An object that stops a coordinator as it ends.
    private final class Owner: Sendable {
        let coordinator: LocationCoordinator
        private let log: EventLog<String>

        init(_ coordinator: LocationCoordinator, _ log: EventLog<String>) {
            (self.coordinator, self.log) = (coordinator, log)
        }

        deinit {
            coordinator.stop()
            log.append("released")
        }
    }

    @Test(arguments: [true, false])
    func `what a callback captures may stop the coordinator as it is released`(isWithin: Bool) async throws {
        let coordinator = LocationCoordinator(ScriptedLocationSource([.location(1, 1)], clock: clock))
        coordinator.onUpdate = { [owner = Owner(coordinator, log)] _ in owner.coordinator.onUpdate = nil }
        if isWithin { coordinator.start() } else { coordinator.onUpdate = nil }
        try await log.wait(for: "the release") { $0 == ["released"] }
    }

    @Test func `a coordinator can be started again from within a callback`() async throws {
        let source = ScriptedLocationSource(sessions: [[.location(1, 1)], [.location(2, 2)]], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [weak coordinator, log] in
            if log.events.isEmpty {
                coordinator?.stop()
                coordinator?.start()
            }
            log.append("update \($0.coordinate.latitude)")
        }
        coordinator.start()
        try await log.wait(for: "the position of the second session") { $0 == ["update 1.0", "update 2.0"] }
        coordinator.stop()
    }

    @Test func `a callback may stop another coordinator`() async throws {
        let source = ScriptedLocationSource([.location(1, 1)], clock: clock)
        let other = coordinator(source)
        other.start()
        try await log.wait(for: "the other's position") { $0.contains("update 1.0") }
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { [log] _ in
            other.stop()
            log.append("stopped the other")
        }
        coordinator.start()
        try await log.wait(for: "the stop") { $0.last == "stopped the other" }
        try await source.untilRunning(1)
    }

    /// A provider that calls a closure when it is asked for updates.
    private final class CallingProvider: LocationProvider {
        let source: ScriptedLocationSource
        let onRequest = Mutex<(@Sendable () -> Void)?>(nil)

        init(_ source: ScriptedLocationSource) { self.source = source }

        func updates(for request: LocationRequest) -> LocationUpdates {
            onRequest.withLock { $0 }?()
            return source.updates(for: request)
        }
    }

    @Test func `a provider may read its coordinator while it is asked for updates`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let provider = CallingProvider(source)
        let coordinator = LocationCoordinator(provider)
        provider.onRequest.withLock {
            $0 = { [log, weak coordinator] in
                guard let coordinator else { return }
                let isStarting = coordinator.state == .searching(.starting)
                log.append("\(isStarting ? "starting" : "?") \(coordinator.request.device ?? "any")")
            }
        }
        coordinator.start()
        try await source.untilRunning()
        coordinator.request = LocationRequest(device: "/dev/a")
        try await source.untilCalled(.started(LocationRequest(device: "/dev/a")))
        #expect(log.events == ["starting any", "starting /dev/a"])
        coordinator.stop()
        try await source.untilRunning(0)
    }

    @Test func `a session that is stopped while its provider is asked for updates does not begin`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let provider = CallingProvider(source)
        let coordinator = LocationCoordinator(provider)
        provider.onRequest.withLock { $0 = { [weak coordinator] in coordinator?.stop() } }
        coordinator.start()
        #expect(!coordinator.isRunning && coordinator.state == .searching(.starting))
        for _ in 0..<100 { await Task.yield() }
        #expect(source.calls.isEmpty)
        provider.onRequest.withLock { $0 = nil }
        coordinator.start()
        try await source.untilRunning()
        coordinator.stop()
    }

    /// An actor with a thread of its own.
    private actor Threaded {
        private final class Executor: SerialExecutor {
            let queue = DispatchQueue(label: "a coordinator's callbacks")

            func enqueue(_ job: consuming ExecutorJob) {
                let job = UnownedJob(job)
                queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
            }
        }

        private let executor = Executor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    }

    @Test func `two coordinators may stop each other in callbacks that run at the same time`() async throws {
        let source = ScriptedLocationSource([.location(1, 1)], clock: clock)
        let coordinators = (0..<2).map { _ in LocationCoordinator(source, on: Threaded()) }
        let begun = DispatchGroup()
        for _ in coordinators { begun.enter() }
        for (coordinator, other) in zip(coordinators, coordinators.reversed()) {
            coordinator.onUpdate = { [log, weak other] _ in
                begun.leave()
                begun.wait()
                other?.stop()
                log.append("stopped")
            }
        }
        for coordinator in coordinators { coordinator.start() }
        try await log.wait(for: "both callbacks") { $0.count == 2 }
        try await source.untilRunning(0)
    }

    @Test func `stop waits for a callback that runs on another thread`() async throws {
        let source = ScriptedLocationSource([.location(1, 1)], clock: clock)
        let coordinator = LocationCoordinator(source)
        let stopped = EventLog<Void>()
        coordinator.onUpdate = { [log, weak coordinator] _ in
            log.append("begun")
            Self.untilStopBegins(coordinator, or: stopped)
            log.append(stopped.hasAny ? "stop did not wait" : "over")
        }
        coordinator.start()
        try await log.wait(for: "the callback") { $0 == ["begun"] }
        coordinator.stop()
        stopped.append(())
        #expect(log.events == ["begun", "over"])
    }

    @Test func `stop in a task started by an earlier callback waits for the running one`() async throws {
        let source = ScriptedLocationSource(clock: clock)
        let coordinator = LocationCoordinator(source)
        let stopped = EventLog<Void>()
        let secondHasBegun = EventLog<Void>()
        coordinator.onUpdate = { [log, weak coordinator] location in
            if location.coordinate == Sample.gate.coordinate {
                Task { [weak coordinator] in
                    try await secondHasBegun.wait(for: "the second callback") { !$0.isEmpty }
                    coordinator?.stop()
                    stopped.append(())
                    log.append("stopped")
                }
                log.append("task begun")
            } else {
                secondHasBegun.append(())
                Self.untilStopBegins(coordinator, or: stopped)
                log.append(stopped.hasAny ? "stop did not wait" : "second over")
            }
        }
        coordinator.start()
        try await source.untilRunning()
        source.forceLocation(Sample.gate)
        source.forceLocation(Sample.numbered(1))
        #expect(try await log.wait(for: "the stop") { $0.count == 3 } == ["task begun", "second over", "stopped"])
    }

    @Test func `stop in a task that a callback has started waits for that callback`() async throws {
        let coordinator = LocationCoordinator(ScriptedLocationSource([.location(1, 1)], clock: clock))
        let stopped = EventLog<Void>()
        coordinator.onUpdate = { [log, weak coordinator] _ in
            Task { [weak coordinator] in
                coordinator?.stop()
                stopped.append(())
                log.append("stopped")
            }
            Self.untilStopBegins(coordinator, or: stopped)
            log.append(stopped.hasAny ? "stop did not wait" : "over")
        }
        coordinator.start()
        #expect(try await log.wait(for: "the stop") { $0.count == 2 } == ["over", "stopped"])
    }

    @Test func `a callback that is called first for a message may stop the coordinator before the second`() async throws
    {
        let coordinator = coordinator(ScriptedLocationSource([.location(1, 1)], clock: clock))
        coordinator.onChange = { [log, weak coordinator] in
            coordinator?.stop()
            log.append("stopped")
        }
        coordinator.start()
        try await log.wait(for: "the first callback") { !$0.isEmpty }
        // Waits until the callbacks of the message are over.
        coordinator.stop()
        #expect(log.events == ["stopped"])
    }

    /// Holds a callback until `stop` has begun, and a little longer, during which `stop` must not return.
    private static func untilStopBegins(_ coordinator: LocationCoordinator?, or stopped: EventLog<Void>) {
        // Bounded because `stop` may need the very thread that is blocked here.
        for _ in 0..<5_000 where coordinator?.state.location != nil { usleep(100) }
        for _ in 0..<100 where !stopped.hasAny { usleep(100) }
    }

    @Test func `no callback begins after stop under concurrent load`() async throws {
        for _ in 0..<20 {
            let source = ScriptedLocationSource(clock: clock)
            let coordinator = LocationCoordinator(source)
            let isStopped = Atomic(false)
            let calls = Atomic(0)
            let late = Atomic(0)
            coordinator.onUpdate = { _ in
                calls.add(1, ordering: .relaxed)
                if isStopped.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
            }
            coordinator.onFailure = { _ in
                if isStopped.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
            }
            coordinator.start()
            try await source.untilRunning()
            let noise = Task.detached {
                while !Task.isCancelled {
                    source.forceLocation(Sample.gate)
                    source.forceError(.daemon(message: "no"))
                    await Task.yield()
                }
            }
            try await eventually("callbacks come", { calls.load(ordering: .relaxed) }, is: { $0 > 10 })
            DispatchQueue.concurrentPerform(iterations: 4) { _ in coordinator.stop() }
            isStopped.store(true, ordering: .releasing)
            try await source.untilRunning(0)
            noise.cancel()
            await noise.value
            #expect(late.load(ordering: .relaxed) == 0)
        }
    }

    @Test func `starting and stopping from many threads leaves no session running`() async throws {
        let source = ScriptedLocationSource([.location(1, 1)], clock: clock)
        let coordinator = LocationCoordinator(source)
        coordinator.onUpdate = { _ in }
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            switch number % 4 {
            case 0: coordinator.stop()
            case 1: coordinator.requestCurrent(clock: clock)
            case 2: coordinator.requestAuthorization { _ in }
            default: coordinator.start()
            }
        }
        coordinator.stop()
        try await source.untilRunning(0)
        // A task that was cancelled before it began still opens its session and closes it at once.
        try await eventually("each session that was begun has been stopped", is: 0) {
            source.calls.count - 2 * source.calls.count { $0 == .stopped }
        }
    }

    @Test func `releasing a running coordinator stops its sessions, and releases its provider`() async throws {
        var source: ScriptedLocationSource? = ScriptedLocationSource([.location(1, 1)], clock: clock)
        var coordinator: LocationCoordinator? = source.map { self.coordinator($0) }
        weak let remainingSource = source
        weak let remains = coordinator
        coordinator?.start()
        coordinator?.requestCurrent(accuracy: 1, clock: clock)
        coordinator?.requestAuthorization { _ in }
        try await log.wait(for: "the position") { $0.contains("update 1.0") }
        coordinator = nil
        try await eventually("it is gone", is: true) { remains == nil }
        try await source?.untilRunning(0)
        source = nil
        try await eventually("the provider is gone", is: true) { remainingSource == nil }
    }
}

extension EventLog {
    fileprivate var hasAny: Bool { !events.isEmpty }
}
