import Glibc
import LocwatchPlatform
import LocwatchTerminal

/// A hook that runs: a child process, its output, and the time at which it is ended.
///
/// The child reads the event from a file in memory, so that it need not read it. Standard output and standard error are
/// one pipe, which is read as far as that is possible without waiting. What the hook leaves running in its process group
/// ends with it.
final class HookProcess {
    /// The state of a hook after a step.
    enum ProcessState: Hashable {
        case running
        /// The hook has ended; `failure` is the reason why it did not succeed, if any.
        case ended(failure: String?)
    }

    let entry: HookQueue.WaitingEvent
    private let child: ChildProcess
    /// The end of the pipe to read from, or −1 if the output is not shown.
    private var source: Int32 = -1
    private var output = HookOutput()
    private let timeout: Duration
    private let deadline: Duration
    /// Whether the time limit has passed and the end was requested.
    private var isOverdue = false
    /// The time before which discarded output is not read, so that a program that prints without end costs little.
    private var pause: Duration?

    /// The time after the time limit from which on a hook that keeps its end from being noticed is given up.
    private static let patience = Duration.seconds(5)
    /// The time between two reads of output that is discarded.
    private static let discardInterval = Duration.milliseconds(100)

    /// Starts a command line in the shell; `now` is of the clock that `step` uses.
    init(
        _ entry: HookQueue.WaitingEvent, command: String, environment: [String: String],
        showsOutput: Bool, timeout: Duration, now: Duration
    ) throws(SystemFailure) {
        self.entry = entry
        self.timeout = timeout
        deadline = now + timeout
        let input = try MemoryInput(entry.event.json)
        let pipe = showsOutput ? try PrivatePipe() : nil
        defer { if let pipe { close(pipe.writeEnd) } }
        do throws(SystemFailure) {
            child = try ChildProcess(
                path: "/bin/sh", arguments: ["-c", command], environment: environment, input: input.descriptor,
                output: pipe?.writeEnd, error: pipe?.writeEnd)
        } catch {
            if let pipe { close(pipe.readEnd) }
            throw error
        }
        if let pipe {
            source = pipe.readEnd
            _ = fcntl(source, F_SETFL, O_NONBLOCK)
        }
    }

    deinit { if source >= 0 { close(source) } }

    func addDescriptors(to set: inout PollSet) {
        set.add(child.descriptor, POLLIN)
        if pause == nil { set.add(source, POLLIN) }
    }

    /// Returns the time until `step` must be called if no descriptor becomes ready.
    func wait(at now: Duration) -> Duration? {
        let next = [isOverdue ? deadline + Self.patience : deadline, pause].compactMap(\.self).min()
        return next.map { max(.zero, $0 - now) }
    }

    /// Reads the output and checks the time limit, without waiting.
    func step(at now: Duration, say: (String) -> Void) -> ProcessState {
        let ending = child.endingIfAny
        if let pause, now >= pause { self.pause = nil }
        if pause == nil || ending != nil { read(at: now, say) }
        if let ending {
            output.finish(say)
            return .ended(failure: isOverdue ? overdue : ending.hookFailure)
        }
        // One that stops its parent again and again; its release kills both.
        if isOverdue, now >= deadline + Self.patience { return .ended(failure: overdue) }
        if !isOverdue, now >= deadline {
            isOverdue = true
            child.requestEnd()
        }
        return .running
    }

    private var overdue: String { "did not end within \(timeout.spoken)" }

    /// Reads a part of the output, because a program that prints without end must not keep the session waiting.
    private func read(at now: Duration, _ say: (String) -> Void) {
        guard source >= 0 else { return }
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HookOutput.limit) { buffer in
            let count = Glibc.read(source, buffer.baseAddress, buffer.count)
            let code = errno
            if count > 0 {
                output.append(buffer[..<count], say)
                if output.isExceeded { pause = now + Self.discardInterval }
            } else if count == 0 || code != EAGAIN && code != EINTR {
                close(source)
                source = -1
            }
        }
    }
}
