import LocationCore
import Testing

@Suite struct DeviceTrackersTests {
    private let usb = "/dev/ttyUSB0"
    private let acm = "/dev/ttyACM0"

    @Test func `one receiver among them gives its own transitions`() {
        var trackers = DeviceTrackers()
        #expect(trackers.state == .searching(.starting))
        #expect(trackers.apply(.searching(.connecting(attempt: 1)), at: moment(0)).map(\.reason.code) == ["connecting"])
        #expect(
            trackers.apply(.searching(.connected(release: "3.22")), at: moment(1)).map(\.reason.code) == ["connected"])
        #expect(trackers.apply(fix(2), at: moment(2)).map(\.reason) == [.fix])
        #expect(trackers.apply(fix(9), at: moment(9)).map(\.reason.code) == ["silent", "fix"])
        #expect(trackers.deadline == moment(12))
    }

    @Test func `the best fix wins, whichever came last`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(fix(1, .threeD, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(1, .threeD, device: acm, accuracy: 12), at: moment(1.1))
        #expect(trackers.state.location?.device == usb)
        #expect(trackers.devices.keys.compactMap(\.self).sorted() == [acm, usb])
    }

    @Test func `three dimensions are better than two, however accurate the two are`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(fix(1, .twoD, device: usb, accuracy: 1), at: moment(1))
        #expect(trackers.state.location?.device == usb)
        _ = trackers.apply(fix(1, .threeD, device: acm, accuracy: 30), at: moment(1.1))
        #expect(trackers.state.location?.device == acm)
    }

    @Test func `two receivers alike do not take turns`() {
        var trackers = DeviceTrackers()
        var shown: Set<String?> = []
        for second in 1...20 {
            let better = second.isMultiple(of: 2) ? 4.9 : 5.1
            _ = trackers.apply(fix(Double(second), device: usb, accuracy: 5), at: moment(Double(second)))
            _ = trackers.apply(fix(Double(second), device: acm, accuracy: better), at: moment(Double(second) + 0.1))
            shown.insert(trackers.state.location?.device)
        }
        #expect(shown == [usb])
    }

    @Test func `an accuracy that is known is better than one that is not`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(fix(1, device: usb), at: moment(1))
        _ = trackers.apply(fix(1, device: acm, accuracy: 50), at: moment(1))
        #expect(trackers.state.location?.device == acm)
        _ = trackers.apply(fix(2, device: usb), at: moment(2))
        #expect(trackers.state.location?.device == acm)
    }

    @Test func `when the better receiver loses its fix the other one goes on without a transition`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(1, device: acm, accuracy: 12), at: moment(1))
        #expect(trackers.apply(.searching(.deviceLost(path: usb), device: usb), at: moment(2)) == [])
        #expect(trackers.state.location?.device == acm)
        #expect(trackers.devices[usb] == .searching(.deviceLost(path: usb)))
    }

    @Test func `the receiver that is nearest to a fix speaks for all that search`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(.searching(.noFix(seen: 4, used: 0, best: 20), device: usb), at: moment(1))
        #expect(trackers.apply(.searching(.deviceSilent(path: acm), device: acm), at: moment(2)) == [])
        #expect(trackers.state == .searching(.noFix(seen: 4, used: 0, best: 20)))
    }

    @Test func `a failure of the session ends every position, and only a newer fix brings one back`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(1, device: acm, accuracy: 12), at: moment(1))
        let lost = LocationError.connectionLost(host: "localhost", port: "2947", cause: "closed")
        #expect(trackers.apply(.failure(lost), at: moment(2)).map(\.to) == [.error(lost)])
        #expect(trackers.apply(fix(1, device: acm, accuracy: 12), at: moment(3)) == [])
        #expect(trackers.apply(fix(4, device: acm, accuracy: 12), at: moment(4)).map(\.reason) == [.fix])
        #expect(trackers.state.location?.device == acm)
    }

    @Test func `positions expire each at its own deadline, and the last one ends found`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(2, device: acm, accuracy: 12), at: moment(2))
        let transitions = trackers.expire(at: moment(60))
        #expect(transitions.map(\.moment) == [moment(5)])
        #expect(transitions.map(\.device) == [acm])
        #expect(trackers.deadline == nil)
    }

    @Test func `a receiver that is only listed changes nothing and lends its cycle`() {
        var trackers = DeviceTrackers()
        _ = trackers.apply(.searching(.connected(release: nil)), at: moment(1))
        var status = DeviceStatus(path: usb, activity: .idle)
        status.cycle = .seconds(10)
        #expect(trackers.apply(.device(status), at: moment(1)) == [])
        _ = trackers.apply(fix(2, device: usb), at: moment(2))
        #expect(trackers.deadline == moment(32))
    }

    @Test func `a position without a name of its receiver is tracked like any other`() {
        var trackers = DeviceTrackers()
        #expect(trackers.apply(fix(1, device: nil), at: moment(1)).map(\.reason) == [.fix])
        #expect(trackers.apply(.searching(.noFix(seen: nil, used: nil, best: nil)), at: moment(2)).count == 1)
        #expect(trackers.state == .searching(.noFix(seen: nil, used: nil, best: nil)))
    }
}
