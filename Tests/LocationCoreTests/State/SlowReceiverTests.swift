import LocationCore
import TestSupport
import Testing

/// Receivers that report less often than gpsd says.
@Suite(.serialized, .alone) struct SlowReceiverTests {
    private var oneSecondCycle: LocationEvent {
        var status = DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)
        status.cycle = .seconds(1)
        return .device(status)
    }

    private func codes(_ tracker: inout LocationTracker, _ times: [Double]) -> [String] {
        times.flatMap { tracker.apply(fix($0), at: moment($0)).map(\.reason.code) }
    }

    @Test(arguments: [4.0, 5, 10, 20])
    func `a receiver that reports seldom is lost once at most, while its interval is learnt`(interval: Double) {
        var tracker = LocationTracker()
        _ = tracker.apply(oneSecondCycle, at: moment(0))
        let codes = codes(&tracker, (0..<50).map { (number: Int) -> Double in Double(number) * interval })
        #expect(codes == ["fix", "silent", "fix"])
    }

    @Test func `reports without a fix teach the interval too`() {
        var tracker = LocationTracker()
        for second in [0.0, 10, 20] {
            _ = tracker.apply(.searching(.noFix(seen: 4, used: 0, best: 20)), at: moment(second))
        }
        #expect(codes(&tracker, [30, 40, 50, 60]) == ["fix"])
    }

    @Test func `a shorter interval makes an old position stale now, not in the past`() {
        var tracker = LocationTracker()
        _ = codes(&tracker, [0, 10, 20])
        #expect(tracker.deadline == moment(50))
        for second in [45.0, 46, 47, 48] { #expect(tracker.apply(fix(second, .none), at: moment(second)) == []) }
        #expect(tracker.deadline == moment(48))
        #expect(tracker.expire(at: moment(60))?.moment == moment(48))
    }

    @Test func `a daemon that hears nothing between two reports does not end a position that is current`() {
        var tracker = LocationTracker()
        _ = codes(&tracker, [0, 10, 20, 30])
        let silent = SearchReason.deviceSilent(path: "/dev/ttyACM0")
        #expect(tracker.apply(.searching(silent, device: "/dev/ttyACM0"), at: moment(37)) == [])
        #expect(codes(&tracker, [40]) == [])
        #expect(tracker.apply(.searching(silent, device: "/dev/ttyACM0"), at: moment(47)) == [])
        let lost = tracker.expire(at: moment(90))
        #expect(lost?.to == .searching(silent))
        #expect(lost?.moment == moment(70))
    }

    @Test func `a given staleAfter counts whatever is learnt`() {
        var tracker = LocationTracker(staleAfter: .seconds(4))
        #expect(codes(&tracker, [0, 10, 20]) == ["fix", "silent", "fix", "silent", "fix"])
        var patient = LocationTracker(staleAfter: .seconds(600))
        #expect(codes(&patient, [0, 100, 500]) == ["fix"])
    }

    @Test func `a receiver that jumps between rates is never shown as current for more than a minute`() {
        var generator = SplitMix64(seed: 11)
        var tracker = LocationTracker()
        var (now, last) = (0.0, 0.0)
        for _ in 0..<3000 {
            now += [0, 0.05, 1, 7, 25, 300][Int(generator.next() % 6)]
            for transition in tracker.apply(fix(now), at: moment(now)) where transition.to.location == nil {
                #expect(transition.moment <= moment(last + 60))
            }
            last = now
            #expect(Duration.seconds(3)...Duration.seconds(60) ~= tracker.staleAfter)
        }
    }
}
