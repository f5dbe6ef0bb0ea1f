import LocationCore
import Testing

@testable import LocationGPSD

/// A moment of a session that began at noon.
func moment(_ seconds: Double) -> Moment {
    Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 1_800_000_000_000_000_000)).advanced(
        by: .seconds(seconds))
}

@Suite struct SilenceWatchTests {
    private func watch() -> SilenceWatch { SilenceWatch(timeouts: ConnectionTimeouts(), now: moment(0)) }

    /// The moments at which the daemon is asked, if it answers each time and no receiver is heard.
    private func questions(of watch: inout SilenceWatch, until end: Double) -> [Duration] {
        var asked: [Duration] = []
        while watch.deadline < moment(end) {
            let now = watch.deadline
            while let action = watch.expire(at: now) {
                #expect(action == .ask(isFirst: asked.isEmpty))
                asked.append(now.elapsed)
            }
            watch.heardDaemon()
        }
        return asked
    }

    @Test func `a receiver that reports is not asked about`() {
        var watch = watch()
        for second in 1...60 {
            watch.heardDaemon()
            watch.heardReceiver(at: moment(Double(second)))
            #expect(watch.expire(at: moment(Double(second) + 0.9)) == nil)
        }
    }

    @Test func `the questions about a silent receiver become rarer, down to one in thirty seconds`() {
        var watch = watch()
        #expect(questions(of: &watch, until: 130) == [3, 6, 12, 24, 48, 78, 108].map { .seconds($0) })
    }

    @Test func `a device that was pulled out is looked for every five seconds`() {
        var watch = watch()
        watch.isMissing = true
        #expect(questions(of: &watch, until: 24) == [3, 6, 11, 16, 21].map { .seconds($0) })
    }

    @Test func `a receiver with a long cycle is given three of them`() {
        var watch = watch()
        watch.cycle = .seconds(5)
        watch.heardReceiver(at: moment(10))
        #expect(watch.deadline == moment(25))
    }

    @Test func `a daemon that does not answer within its time is gone`() {
        var watch = watch()
        #expect(watch.expire(at: moment(3)) == .ask(isFirst: true))
        #expect(watch.expire(at: moment(3)) == nil)
        #expect(watch.expire(at: moment(6)) == .ask(isFirst: false))
        #expect(watch.expire(at: moment(12.9)) == .ask(isFirst: false))
        #expect(watch.deadline == moment(13), "the first question counts, not the last")
        #expect(watch.expire(at: moment(13)) == .giveUp)
    }

    @Test func `a report begins the patience anew`() {
        var watch = watch()
        _ = watch.expire(at: moment(3))
        watch.heardReceiver(at: moment(4))
        #expect(watch.deadline == moment(7))
        #expect(watch.expire(at: moment(7)) == .ask(isFirst: true))
    }
}

@Suite struct ConnectionTimeoutsTests {
    @Test func `retries wait half a second, then double up to thirty`() {
        let pauses = (1...9).map { ConnectionTimeouts().retry(after: $0, spread: 0.5) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        #expect(ConnectionTimeouts().retry(after: 1_000_000, spread: 0.5) == .seconds(30))
    }

    @Test func `retries are spread by a fifth to both sides`() {
        let (shortest, longest) = (
            ConnectionTimeouts().retry(after: 1, spread: 0), ConnectionTimeouts().retry(after: 1, spread: 1)
        )
        #expect(shortest > .milliseconds(399) && shortest < .milliseconds(401))
        #expect(longest > .milliseconds(599) && longest < .milliseconds(601))
    }
}
