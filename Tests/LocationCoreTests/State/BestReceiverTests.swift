import LocationCore
import TestSupport
import Testing

private let usb = "/dev/ttyUSB0"
private let acm = "/dev/ttyACM0"

@Suite struct BestReceiverTests {
    @Test func `a receiver's transitions precede those of the session`() {
        var trackers = SubjectTable()
        let first = trackers.apply(fix(1, device: usb), at: moment(1))
        #expect(first.map(\.kind) == ["device", "session"])
        let second = trackers.apply(fix(1, device: acm), at: moment(1))
        #expect(second.map(\.kind) == ["device"], "the session has a position already")
        #expect(second.devices.map(\.device) == [acm])
        let lost = trackers.apply(.searching(.noDevice), at: moment(2))
        #expect(lost.devices.map(\.device) == [usb, acm])
        #expect(lost.session.map(\.reason.code) == ["noDevice"])
    }

    @Test func `failures change each of many receivers once until it reports again`() {
        var trackers = SubjectTable()
        for number in 0..<200 { _ = trackers.apply(fix(1, device: "d\(number)"), at: moment(1)) }
        func fail(_ cause: String, _ seconds: Double) -> [TrackedUpdate] {
            trackers.apply(.failure(.daemon(message: cause), retry: nil), at: moment(seconds))
        }
        #expect(fail("a", 2).devices.count == 200)
        let others = (0..<10).flatMap { fail($0.isMultiple(of: 2) ? "b" : "a", 2.1) }
        #expect(others.devices.isEmpty)
        #expect(others.session.count == 10, "the session has each failure")
        #expect(trackers.apply(fix(3, device: "d7"), at: moment(3)).devices.map(\.device) == ["d7"])
        #expect(fail("c", 4).devices.map(\.device) == ["d7"])
        #expect(trackers.state(of: "d7") == .error(.daemon(message: "c")))
    }

    /// The fix of the first one of two receivers, the accuracies that each reports in turn, once a second, and the times of
    /// the handovers.
    @Test(
        arguments: [
            // The second is clearly better: more accurate, in more dimensions, or of known accuracy.
            (.threeD, [50], [1], [11.1]), (.twoD, [1], [30], [11.1]), (.threeD, [nil], [50], [11.1]),
            // It is better only at times, or slightly.
            (.threeD, [10], [20, 1, 1, 1, 1, 1, 1, 1], []), (.threeD, [5], [4.1, 5.1], []),
        ] as [(FixKind, [Double?], [Double?], [Double])])
    func `a receiver becomes the current one when it is clearly better for ten seconds`(
        kind: FixKind, first: [Double?], second: [Double?], times: [Double]
    ) {
        var trackers = SubjectTable()
        let handovers = (1...60).flatMap { count -> [Handover] in
            let time = Double(count)
            let one = fix(time, kind, device: usb, accuracy: first[count % first.count])
            let other = fix(time, device: acm, accuracy: second[count % second.count])
            return trackers.apply(one, at: moment(time)).handovers
                + trackers.apply(other, at: moment(time + 0.1)).handovers
        }
        #expect(handovers == times.map { Handover(from: usb, to: acm, reason: .better, at: moment($0)) })
        #expect(trackers.state.location?.device == (times.isEmpty ? usb : acm))
    }

    @Test func `a receiver of a negative accuracy does not win over one of five metres`() {
        var trackers = SubjectTable()
        for count in 1...30 {
            _ = trackers.apply(fix(Double(count), device: acm, accuracy: -1), at: moment(Double(count)))
            _ = trackers.apply(fix(Double(count), device: usb, accuracy: 5), at: moment(Double(count) + 0.1))
        }
        #expect(trackers.state.location?.device == usb)
    }

    @Test func `a current receiver that loses its fix is replaced at once by the best other one`() {
        var trackers = SubjectTable()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(1, device: "/dev/gps9", accuracy: 40), at: moment(1))
        _ = trackers.apply(fix(1, device: acm, accuracy: 12), at: moment(1))
        let lost = SearchReason.deviceLost(path: usb)
        let changes = trackers.apply(.searching(lost, device: usb), at: moment(2))
        #expect(changes.map(\.kind) == ["device", "handover"])
        #expect(changes.handovers == [Handover(from: usb, to: acm, reason: .lost(lost), at: moment(2))])
        #expect(trackers.state.location?.device == acm)
        #expect(trackers.devices[usb] == .searching(lost))
    }

    @Test func `the reason of a loss is that of the lost receiver, and not of one that was lost before`() {
        var trackers = SubjectTable()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(1, device: acm, accuracy: 12), at: moment(1))
        let usbLost = LocationEvent.searching(.deviceLost(path: usb), device: usb)
        #expect(trackers.apply(usbLost, at: moment(2)).handovers.count == 1)
        let lost = SearchReason.deviceLost(path: acm)
        _ = trackers.apply(.searching(lost, device: acm), at: moment(3))
        #expect(trackers.state == .searching(lost))
        _ = trackers.apply(usbLost, at: moment(4))
        #expect(trackers.state == .searching(lost))
    }

    @Test func `a current receiver that falls silent is replaced at its deadline`() {
        var trackers = SubjectTable()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        for second in 1...6 {
            let changes = trackers.apply(
                fix(Double(second), device: acm, accuracy: 12), at: moment(Double(second) + 0.5))
            #expect(changes.handovers.map(\.moment) == (second == 4 ? [moment(4)] : []))
        }
        #expect(trackers.state.location?.device == acm)
    }

    @Test func `many receivers are looked up in constant time and expire separately`() {
        var trackers = SubjectTable()
        let used = threadTime {
            for number in 0..<6_000 {
                let time = Double(number) / 2_000
                _ = trackers.apply(fix(time, device: "/dev/gps\(number % 2_000)", accuracy: 5), at: moment(time))
            }
        }
        #expect(used < .seconds(10), "walking all receivers for every event takes minutes")
        let expired = trackers.expire(at: moment(60)).devices
        #expect(expired.count == 2_000)
        #expect(expired.map(\.moment) == expired.map(\.moment).sorted())
        #expect(expired.last?.moment.elapsed == .seconds(6))
        #expect(trackers.deadline == nil)
    }

    @Test func `the receiver closest to a fix determines the search reason`() {
        var trackers = SubjectTable()
        _ = trackers.apply(.searching(.noFix(seen: 4, used: 0, best: 20), device: usb), at: moment(1))
        #expect(trackers.apply(.searching(.deviceSilent(path: acm), device: acm), at: moment(2)).session == [])
        #expect(trackers.state == .searching(.noFix(seen: 4, used: 0, best: 20)))
    }

    @Test func `a failure of the session ends all positions until a newer fix`() {
        var trackers = SubjectTable()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(1, device: acm, accuracy: 12), at: moment(1))
        let lost = LocationError.connectionLost(host: "localhost", port: 2947, cause: "closed")
        #expect(trackers.apply(.failure(lost), at: moment(2)).session.map(\.to) == [.error(lost)])
        #expect(trackers.apply(fix(1, device: acm, accuracy: 12), at: moment(3)) == [])
        #expect(trackers.apply(fix(4, device: acm, accuracy: 12), at: moment(4)).session.map(\.reason) == [.fix])
        #expect(trackers.state.location?.device == acm)
    }

    @Test func `each position expires at its own deadline, and the last one ends the found state`() {
        var trackers = SubjectTable()
        _ = trackers.apply(fix(1, device: usb, accuracy: 3), at: moment(1))
        _ = trackers.apply(fix(2, device: acm, accuracy: 12), at: moment(2))
        #expect(trackers.deadline == moment(4))
        let transitions = trackers.expire(at: moment(60)).session
        #expect(transitions.map(\.moment) == [moment(5)])
        #expect(transitions.map(\.device) == [acm])
        #expect(trackers.deadline == nil)
    }

    @Test func `a receiver that is only listed changes no state but sets its cycle`() {
        var trackers = SubjectTable()
        _ = trackers.apply(.searching(.connected(release: nil)), at: moment(1))
        var status = DeviceStatus(path: usb, activity: .idle)
        status.cycle = .seconds(10)
        #expect(trackers.apply(.device(status), at: moment(1)) == [])
        _ = trackers.apply(fix(2, device: usb), at: moment(2))
        #expect(trackers.deadline == moment(32))
    }
}

extension TrackedUpdate {
    fileprivate var kind: String {
        switch self {
        case .transition: "session"
        case .deviceTransition: "device"
        case .handover: "handover"
        case .update, .fence, .integrity, .failureEnded: "another"
        }
    }
}
