import Glibc
import LocwatchPlatform
import LocwatchSupport
import LocwatchTerminal

/// The times at which a file is replaced that is kept up to date while a session lasts.
///
/// The file is written on a separate thread, so that a slow disk does not delay the session. One that cannot be written is tried
/// again, with one message until it can.
final class KeptFile {
    /// Replaces the file; it runs on another thread.
    typealias Writing = @Sendable () throws(OutputFailure) -> Void

    /// The time for which the end of the session waits for the disk.
    private static let limit = Duration.seconds(2)
    /// The time after which a file without an interval is tried again.
    private static let retry = Duration.seconds(5)

    private let narrator: Narrator
    /// The time, which goes on while the machine sleeps.
    private let now: () -> ContinuousClock.Instant
    /// The interval at which the file is written anyway, if it is.
    private let interval: Duration?
    private var due: ContinuousClock.Instant?
    private var written: ContinuousClock.Instant?
    /// A file that is being written, and the failure of that.
    private var writing: Background<OutputFailure?>?
    private(set) var hasFailed = false
    /// Whether the file is written for the last time.
    private var isLast = false
    /// The time at which the end of the session waits no longer for the disk.
    private var giveUp: ContinuousClock.Instant?

    init(
        every interval: Duration?, _ narrator: Narrator, now: @escaping () -> ContinuousClock.Instant = { .now }
    ) {
        (self.interval, self.narrator, self.now) = (interval, narrator, now)
        if interval != nil { due = now() }
    }

    /// Whether the file is being written.
    var isWriting: Bool { writing != nil }

    /// Asks for the file to be written as soon as the shortest interval of such a change permits.
    func change(atMostEvery shortest: Duration) {
        due.shorten(to: written.map { $0 + shortest } ?? now())
    }

    /// Asks for the file to be written at once.
    func hurry() { due = now() }

    /// Writes the file if it is time, and adds what the session waits for.
    ///
    /// - Parameter content: Returns how to write what the file is to have now, or `nil` if it has that.
    func prepare(_ wait: inout SessionWait, _ content: () -> Writing?) {
        if let giveUp {
            guard let writing, now() < giveUp else { return }
            wait.add(writing.done.descriptor, POLLIN)
            return wait.shorten(to: giveUp - now() + .milliseconds(1))
        }
        if !isWriting, let due, now() >= due { start(content()) }
        if let writing {
            wait.add(writing.done.descriptor, POLLIN)
        } else if let due {
            wait.shorten(to: max(.zero, due - now()) + .milliseconds(1))
        }
    }

    func serve(_ ready: PollSet) {
        guard let writing, ready.isReady(writing.done.descriptor) else { return }
        self.writing = nil
        report(writing.value ?? nil)
    }

    /// Writes the file for the last time, unless the disk takes too long; returns whether that is still going on.
    func linger(_ ending: Ending, _ content: () -> Writing?) -> Bool {
        // The content is also that of the command, which can work longer than the session.
        guard !ending.commandIsBusy else { return false }
        if !isWriting, !isLast {
            isLast = true
            start(content())
        }
        let limit = giveUp ?? now() + Self.limit
        giveUp = limit
        return isWriting && now() < limit
    }

    private func start(_ write: Writing?) {
        due = interval.map { now() + $0 }
        guard let write else { return }
        written = now()
        do throws(SystemFailure) {
            writing = try Background {
                do throws(OutputFailure) { try write() } catch { return error }
                return nil
            }
        } catch {
            report(.cannotCreate("\(error)"))
        }
    }

    private func report(_ failure: OutputFailure?) {
        if let failure, !hasFailed { narrator.say(failure.message) }
        hasFailed = failure != nil
        if hasFailed, giveUp == nil { due = due ?? now() + Self.retry }
    }
}
