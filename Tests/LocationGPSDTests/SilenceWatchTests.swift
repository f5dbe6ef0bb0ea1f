import LocationCore
import TestSupport
import Testing

@testable import LocationGPSD

/// Returns a moment of a session that began at 2027-01-15T08:00:00Z.
func moment(_ seconds: Double) -> Moment {
    TestSupport.moment(seconds, from: Timestamp(secondsSince1970: 1_800_000_000))
}

@Suite struct SilenceWatchTests {
    private func watch() -> SilenceWatch { SilenceWatch(timeouts: ConnectionTimeouts(), now: moment(0)) }

    /// Returns the moments at which the daemon is asked, if it answers each time and no receiver is heard.
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

    @Test func `a reporting receiver causes no questions`() {
        var watch = watch()
        for second in 1...60 {
            watch.heardDaemon()
            watch.heardReceiver(at: moment(Double(second)))
            #expect(watch.expire(at: moment(Double(second) + 0.9)) == nil)
        }
    }

    @Test func `the interval of the questions about a silent receiver grows to thirty seconds`() {
        var watch = watch()
        #expect(questions(of: &watch, until: 130) == [3, 6, 12, 24, 48, 78, 108].map { .seconds($0) })
    }

    @Test func `an unplugged device is asked about every five seconds`() {
        var watch = watch()
        watch.isMissing = true
        #expect(questions(of: &watch, until: 24) == [3, 6, 11, 16, 21].map { .seconds($0) })
    }

    @Test func `a receiver with a long cycle counts as silent after three cycles`() {
        var watch = watch()
        watch.cycle = .seconds(5)
        watch.heardReceiver(at: moment(10))
        #expect(watch.deadline == moment(25))
    }
}
