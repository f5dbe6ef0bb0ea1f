import LocationCore
import LocwatchSupport

#if canImport(Glibc)
    import Glibc
#endif

/// A driver of one source that measures for how long each call of it waits.
///
/// A call has waited for the real time that it took, without the time for which its thread has had a processor or waited for one: slow code,
/// as in a build for debugging, is no wait, and neither is a busy machine.
struct TurnWatch {
    /// A call of a source, and the time for which it has waited.
    struct Wait {
        let call: String
        let time: Duration
    }

    private let source: any Source
    private var updates = ReusedQueue<LocationUpdate>()
    /// The time at which the source is due although its descriptor is not ready, if it has such a time.
    private var due: ContinuousClock.Instant?
    private(set) var longest: Wait
    private(set) var updateCount = 0
    private(set) var hasEnded = false

    /// Begins a source.
    init(_ makeSource: () -> any Source) {
        let (source, time) = Self.measure(makeSource)
        self.source = source
        longest = Wait(call: "the beginning of the source", time: time)
    }

    /// Gives the source a turn if it is due or ready; returns whether it had one.
    mutating func turn() -> Bool {
        guard !hasEnded else { return false }
        let (isReady, now) = (Self.isReady(source), ContinuousClock.now)
        if let left = source.timeLeft(until: nil) { due = min(due ?? now + left, now + left) }
        guard isReady || due.map({ $0 <= now }) ?? false else { return false }
        due = nil
        let (goesOn, time) = Self.measure { (try? source.turn(isReady: isReady, into: &updates)) ?? false }
        note("a turn", time)
        hasEnded = !goesOn
        while updates.popFirst() != nil { updateCount += 1 }
        return true
    }

    /// Ends the source.
    mutating func stop() {
        let (_, time) = Self.measure { source.stop() }
        note("the end of the source", time)
        hasEnded = true
    }

    private mutating func note(_ call: String, _ time: Duration) {
        if time > longest.time { longest = Wait(call: call, time: time) }
    }

    private static func measure<Result>(_ call: () -> Result) -> (result: Result, waited: Duration) {
        let (start, used) = (ContinuousClock.now, ThreadProgress.ownRunnableTime)
        let result = call()
        return (result, start.duration(to: .now) - (ThreadProgress.ownRunnableTime - used))
    }

    private static func isReady(_ source: any Source) -> Bool {
        #if canImport(Glibc)
            let events = Int16(source.waitsForWriting ? POLLIN | POLLOUT : POLLIN)
            var watched = pollfd(fd: source.descriptor, events: events, revents: 0)
            return watched.fd >= 0 && poll(&watched, 1, 0) > 0
        #else
            return false
        #endif
    }
}
