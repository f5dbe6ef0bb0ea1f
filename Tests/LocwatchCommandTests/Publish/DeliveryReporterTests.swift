import LocationCore
import TestSupport
import Testing

@testable import LocationPublishing
@testable import LocwatchArguments
@testable import LocwatchCommand
@testable import LocwatchTerminal

@Suite struct DeliveryReporterTests {
    private var reporter = DeliveryReporter(["mqtt://broker"])
    private var status = DeliveryStatus()

    private mutating func reports(_ phase: DeliveryStatus.Phase, at seconds: Int = 0) -> [DeliveryReport] {
        status.phase = phase
        return reporter.reports([status], at: .seconds(seconds), wall: Timestamp(nanosecondsSince1970: 0))
    }

    private mutating func changes(_ phase: DeliveryStatus.Phase, at seconds: Int = 0) -> [DeliveryReport.Change] {
        reports(phase, at: seconds).map(\.change)
    }

    private static let refused = DeliveryStatus.Phase.waiting(cause: "refused", until: .seconds(3))

    @Test mutating func `a connection is reported once`() {
        let phases: [DeliveryStatus.Phase] = [.connecting, .connected, .connected]
        #expect(phases.map { changes($0) } == [[], [.connected], []])
    }

    @Test mutating func `a connection tells what was queued before it, and not what is left when it is noticed`() {
        (status.queued, status.taken) = (8, 2)
        #expect(changes(.connecting) == [])
        (status.queued, status.taken) = (3, 7)
        #expect(reports(.connected).map(\.queued) == [8])
    }

    @Test mutating func `records that need no message are no sign of a connection, but were queued before it`() {
        (status.queued, status.omitted) = (5, 3)
        #expect(changes(.ready) == [])
        #expect(changes(.closed) == [.ended])
        var other = Self()
        (other.status.queued, other.status.omitted, other.status.taken) = (2, 5, 1)
        #expect(other.reports(.connected).map(\.queued) == [8])
    }

    @Test(
        arguments: [
            (.connecting, []), (refused, [.waiting(cause: "refused", retry: .seconds(2))]),
        ] as [(DeliveryStatus.Phase, [DeliveryReport.Change])])
    mutating func `a delivery that is over before its connection was seen is reported like any other`(
        before: DeliveryStatus.Phase, reported: [DeliveryReport.Change]
    ) {
        #expect(changes(before, at: 1) == reported)
        status.taken = 3
        #expect(changes(.closed, at: 4) == [.connected, .complete, .ended])
        #expect(changes(.closed, at: 4) == [])
    }

    @Test mutating func `a delivery that ends with an obstacle is not reported as connected`() {
        status.taken = 3
        #expect(changes(Self.refused, at: 1) == [.waiting(cause: "refused", retry: .seconds(2))])
        #expect(changes(.closed, at: 4) == [.ended])
    }

    @Test mutating func `an obstacle is reported once until the next connection`() {
        #expect(changes(Self.refused, at: 1) == [.waiting(cause: "refused", retry: .seconds(2))])
        #expect(changes(.connecting) == [])
        #expect(changes(.waiting(cause: "refused", until: .seconds(9)), at: 5) == [])
        #expect(
            changes(.held(cause: "denied", until: .seconds(9)), at: 8) == [.held(cause: "denied", retry: .seconds(1))])
        #expect(changes(.connected) == [.connected])
        #expect(changes(Self.refused, at: 2) == [.waiting(cause: "refused", retry: .seconds(1))])
    }

    @Test mutating func `a target that has not answered yet is not connected`() {
        status.queued = 2
        #expect(changes(.ready) == [])
        #expect(
            changes(.waiting(cause: "busy", until: .seconds(2)), at: 1) == [.waiting(cause: "busy", retry: .seconds(1))]
        )
        #expect(changes(.ready) == [])
        status.queued = 0
        #expect(changes(.connected) == [.connected, .complete])
    }

    @Test mutating func `the end of a backlog is reported`() {
        status.queued = 5
        #expect(changes(.connected) == [.connected])
        for (queued, change) in [(1, []), (0, [.complete]), (3, []), (0, [])] as [(Int, [DeliveryReport.Change])] {
            status.queued = queued
            #expect(changes(.connected) == change)
        }
    }

    @Test mutating func `dropped records are counted together for ten seconds`() {
        status.dropped = 2
        #expect(changes(.connecting, at: 1) == [.dropped(2)])
        status.dropped = 5
        #expect(changes(.connecting, at: 2) == [])
        status.dropped = 6
        #expect(changes(.connecting, at: 11) == [.dropped(4)])
        status.rejected = 1
        status.dropped = 7
        #expect(changes(.closed, at: 12) == [.dropped(1), .rejected(1), .ended])
        #expect(changes(.closed, at: 13) == [])
    }

    @Test mutating func `what a target does not take because it is not the newest is not reported as dropped`() {
        (status.dropped, status.outdated) = (40, 40)
        #expect(changes(.connecting, at: 1) == [])
        status.dropped = 43
        #expect(changes(.connecting, at: 2) == [.dropped(3)])
    }

    @Test(arguments: [
        (DeliveryReport.Change.connected, 5, "mqtt://broker, 5 records queued"), (.connected, 1, "mqtt://broker"),
        (
            .waiting(cause: "no \u{1B}route", retry: .milliseconds(1234)), 0,
            "mqtt://broker: no \\x1broute; next attempt in 1.2 s"
        ),
        (.complete, 0, "mqtt://broker: nothing queued, 7 records sent"),
        (.dropped(1), 0, "mqtt://broker: 1 record dropped"), (.ended, 2, "mqtt://broker: 2 records not sent"),
    ])
    func `a report is one line of text`(change: DeliveryReport.Change, queued: Int, text: String) {
        let report = DeliveryReport(
            time: Timestamp(nanosecondsSince1970: 0), target: "mqtt://broker", change: change, queued: queued, sent: 7)
        #expect(report.words(to: 100, .utf8) == text)
    }
}

@Suite struct PublishStatusTextTests {
    private func words(_ statuses: DeliveryStatus..., at seconds: Int = 0, perSecond: Double = 0) -> String {
        PublishStatusText.words(statuses, at: .seconds(seconds), perSecond: perSecond)
    }

    @Test func `the status line tells what is queued, left out and not answered, and how long it takes`() {
        var status = DeliveryStatus()
        (status.phase, status.queued) = (.ready, 4)
        #expect(words(status) == "no answer yet, 4 queued, 0 sent")
        (status.phase, status.queued, status.taken, status.omitted) = (.connected, 0, 3, 2)
        #expect(words(status) == "connected, 3 sent, 2 left out")
        (status.queued, status.taken, status.omitted) = (500, 120, 0)
        let waiting = "connected, 500 queued, 120 sent, 100 per second, 5 s left"
        #expect(words(status, at: 9, perSecond: 100) == waiting)
        (status.queued, status.lastTaken) = (0, .seconds(7))
        #expect(words(status, at: 9) == "connected, 120 sent, last 2 s ago")
        #expect(words(status, DeliveryStatus(), at: 9) == "1 of 2 connected, 120 sent, last 2 s ago")
    }

    @Test func `while a target is not reached the status line counts down to the earliest next attempt`() {
        var (status, held, connected) = (DeliveryStatus(), DeliveryStatus(), DeliveryStatus())
        (status.phase, status.queued) = (.waiting(cause: "no", until: .milliseconds(19_200)), 3)
        #expect(words(status, at: 8) == "not connected, next attempt in 12 s, 3 queued, 0 sent")
        #expect(words(status, at: 20) == "not connected, next attempt in 0 s, 3 queued, 0 sent")
        (held.phase, connected.phase) = (.held(cause: "no", until: .seconds(300)), .connected)
        #expect(words(held, at: 0) == "not connected, next attempt in 5 min, 0 sent")
        #expect(words(held, connected, status, at: 8) == "1 of 3 connected, next attempt in 12 s, 3 queued, 0 sent")
    }

    @Test func `a record that a target has not had the time to take is not shown as queued`() {
        var delay = DeliveryDelay()
        var status = DeliveryStatus()
        (status.phase, status.queued) = (.connected, 1)
        #expect(delay.withoutNew([status], at: .seconds(1)).map(\.queued) == [0] && delay.isUndecided)
        #expect(delay.withoutNew([status], at: .milliseconds(1099)).map(\.queued) == [0])
        #expect(delay.withoutNew([status], at: .milliseconds(1100)).map(\.queued) == [1] && !delay.isUndecided)
        status.queued = 0
        #expect(delay.withoutNew([status], at: .milliseconds(1200)).map(\.queued) == [0] && !delay.isUndecided)
        // The next record has the same time, unless the target is away.
        status.queued = 1
        #expect(delay.withoutNew([status], at: .seconds(2)).map(\.queued) == [0] && delay.isUndecided)
        status.phase = .connecting
        #expect(delay.withoutNew([status], at: .seconds(2)).map(\.queued) == [1])
    }

    @Test func `a target is waited for until it takes none for ten seconds or refuses, or until a given time`() {
        var status = DeliveryStatus()
        (status.phase, status.queued) = (.connected, 2)
        var watch = DeliveryProgressWatch([status], at: .zero)
        #expect(watch.timeLeft([status], at: .seconds(7)) == .seconds(3))
        #expect([3000, 1000, 500].map { watch.isLastAttemptDue(.milliseconds($0)) } == [false, true, false])
        #expect(watch.timeLeft([status], at: .seconds(11)) == .seconds(-1))
        (status.queued, status.taken) = (1, 1)
        #expect(watch.timeLeft([status], at: .seconds(11)) == .seconds(10))
        #expect([10_000, 1000].map { watch.isLastAttemptDue(.milliseconds($0)) } == [false, true])
        status.phase = .held(cause: "no", until: .seconds(300))
        #expect(watch.timeLeft([status], at: .seconds(12)) == .zero)
        // Another target can still take its record.
        var other = status
        other.phase = .connected
        #expect(watch.timeLeft([status, other], at: .seconds(12)) == .seconds(10))
        watch = DeliveryProgressWatch([other], at: .seconds(20), within: .seconds(5))
        other.taken = 9
        #expect(watch.timeLeft([other], at: .seconds(24)) == .seconds(1))
    }

    @Test func `the rate is measured over two seconds`() {
        var rate = DeliveryRate()
        var status = DeliveryStatus()
        rate.note([status], at: .zero)
        status.taken = 50
        rate.note([status], at: .seconds(1))
        #expect(rate.perSecond == 0)
        status.taken = 300
        rate.note([status], at: .seconds(3))
        #expect(rate.perSecond == 100)
    }
}
