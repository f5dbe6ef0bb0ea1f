import Glibc
import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// A runner of hooks, one at a time and in order, which never waits for one while the session lasts.
///
/// A poll loop calls `step` when a descriptor is ready or the time in `wait` has passed.
final class HookRunner {
    private let hooks: [Hook]
    private let precision: Precision
    private let environment: [String: String]
    private let showsOutput: Bool
    private let say: (String) -> Void
    private let sayFailure: (String) -> Void
    private var queue = HookQueue()
    private var failures: HookFailures
    private var process: HookProcess?

    /// - Parameters:
    ///   - say: Prints what a hook has printed; no message contains hidden characters.
    ///   - sayFailure: Prints why a hook has failed.
    init(
        _ settings: Settings, environment: [String: String], say: @escaping (String) -> Void,
        sayFailure: @escaping (String) -> Void
    ) {
        hooks = settings.plan.hooks
        precision = settings.output.precision
        self.environment = environment
        showsOutput = settings.output.verbosity > .quiet
        self.say = say
        self.sayFailure = sayFailure
        failures = HookFailures(hooks)
    }

    /// Whether no hook runs or waits.
    var isIdle: Bool { process == nil && queue.isEmpty }

    func add(_ event: HookEvent) { queue.add(event, for: hooks) }

    func addDescriptors(to set: inout PollSet) { process?.addDescriptors(to: &set) }

    /// The time until `step` must be called if no descriptor becomes ready, or `nil` if no hook runs.
    var wait: Duration? { process?.wait(at: HookRunner.now) }

    /// Serves the hook that runs, and starts the next one if it has ended.
    func step() {
        // A hook that cannot be started makes way for the next one.
        while true {
            if let process {
                let state = process.step(at: HookRunner.now) { say("\(failures.name(of: process.entry.hook)): \($0)") }
                guard case .ended(let failure) = state else { return }
                self.process = nil
                note(process.entry.hook, failure)
            }
            guard let entry = queue.next() else { return }
            start(entry)
        }
    }

    /// Ends the hook that runs, and runs no other one.
    func abandon() {
        queue = HookQueue()
        process = nil
    }

    /// Reports at the end of the session what was only counted before.
    func summarize() {
        for message in failures.summary { sayFailure(message) }
        if queue.dropped > 0 { sayFailure("--on: dropped \(queue.dropped) events, because too many others waited") }
    }

    private func start(_ entry: HookQueue.Entry) {
        let hook = hooks[entry.hook]
        do throws(SystemFailure) {
            process = try HookProcess(
                entry, command: hook.command,
                environment: entry.event.environment(environment, precision: precision),
                showsOutput: showsOutput, timeout: hook.limit, now: HookRunner.now)
        } catch {
            note(entry.hook, "\(error)".printable)
        }
    }

    private func note(_ hook: Int, _ failure: String?) {
        if let message = failures.note(hook, failure: failure) { sayFailure(message) }
    }

    /// The time on the clock of hooks, which advances also while a recording is played as fast as possible.
    private static var now: Duration { .nanoseconds(HostClock.nanoseconds(.sinceBoot)) }
}
