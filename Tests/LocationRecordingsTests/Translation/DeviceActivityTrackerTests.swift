import LocationCore
import Testing

@testable import LocationRecordings

struct DeviceActivityTrackerTests {
    private var session = Session()

    @Test mutating func `a daemon without a receiver is reported once`() {
        let empty = #"{"class":"DEVICES","devices":[]}"#
        #expect(session.hear(empty) == [.searching(.noDevice)])
        #expect(session.hear(empty, after: .seconds(5)).isEmpty)
    }

    @Test mutating func `a receiver listed before the watch is idle`() {
        #expect(session.activities(devices(#"{"path":"/dev/a"}"#)) == [.idle])
    }

    @Test mutating func `a receiver that vanishes without ever being open could not be opened`() {
        _ = session.hear(devices(#"{"path":"/dev/a"}"#))
        let events = session.hear(devices())
        #expect(events.last == .searching(.deviceUnopenable(path: "/dev/a"), device: "/dev/a"))
        #expect(events.count == 2)
        #expect(session.hear(devices(), after: .seconds(5)).isEmpty)
    }

    @Test mutating func `a receiver that vanishes after being open is lost`() {
        _ = session.hear(devices(listed(0, driver: "u-blox")))
        let events = session.hear(devices())
        #expect(events.last == .searching(.deviceLost(path: "/dev/a"), device: "/dev/a"))
    }

    @Test mutating func `receivers that vanish together are reported in the order of their names`() {
        let paths = (0..<20).map { "/dev/tty\($0)" }
        _ = session.hear(devices(paths.map { #"{"path":"\#($0)"}"# }.joined(separator: ",")))
        let told = session.hear(devices()).compactMap { if case .searching(_, let device) = $0 { device } else { nil } }
        #expect(told == paths.sorted())
    }

    @Test mutating func `a peer that invents devices does not exhaust the memory`() {
        for number in 0..<300 { _ = session.hear(#"{"class":"DEVICE","path":"/dev/made-up\#(number)"}"#) }
        #expect(session.hear(#"{"class":"DEVICE","path":"/dev/made-up300","driver":"u-blox"}"#).isEmpty)
        let told = session.hear(devices()).count { if case .searching = $0 { true } else { false } }
        #expect(told == 256)
    }

    @Test func `the first eight receivers are kept for the message about an unknown one`() {
        var tracker = DeviceActivityTracker()
        let moment = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
        for number in 0..<20 { tracker.hear(from: "d\(number / 2)", at: moment) { _ in } }
        #expect(tracker.first == (0..<8).map { "d\($0)" })
    }

    @Test func `empty lists cost no time for each device of a fleet that is gone`() {
        var tracker = DeviceActivityTracker()
        tracker.limit = 10_000
        let moment = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
        for number in 0..<10_000 {
            tracker.hear(from: "d\(number)", at: moment) { _ in }
        }
        var count = 0
        let start = ContinuousClock.now
        for _ in 0..<10_000 { tracker.list([], at: moment) { _ in count += 1 } }
        #expect(count == 20_000)
        #expect(ContinuousClock.now - start < .seconds(10), "searching all devices for each list takes minutes")
    }

    @Test mutating func `a receiver with an unchanged time of the last byte is silent`() {
        _ = session.hear(devices(listed(0, driver: "u-blox")))
        let events = session.hear(devices(listed(0, driver: "u-blox")), after: .seconds(5))
        #expect(events.last == .searching(.deviceSilent(path: "/dev/a"), device: "/dev/a"))
    }

    @Test mutating func `the time at which gpsd opened a receiver that sends nothing is not that of a byte`() {
        func heard(_ events: [LocationEvent]) -> [Bool] {
            events.compactMap { if case .device(let status) = $0 { status.lastHeard != nil } else { nil } }
        }
        #expect(heard(session.hear(devices(listed(0)))) == [false])
        #expect(heard(session.hear(devices(listed(0)), after: .seconds(5))) == [false])
        #expect(heard(session.hear(devices(listed(9, driver: "u-blox")), after: .seconds(5))) == [true])
    }

    @Test mutating func `a silent receiver is found by frequent queries too`() {
        var activities: [DeviceStatus.Activity] = []
        for _ in 0..<5 { activities += session.activities(devices(listed(0, driver: "u-blox")), after: .seconds(1)) }
        #expect(activities == [.reporting, .silent])
    }

    @Test mutating func `two lists in quick succession change nothing`() {
        _ = session.hear(devices(listed(0, driver: "u-blox")))
        #expect(session.hear(devices(listed(0, driver: "u-blox")), after: .milliseconds(1499)).isEmpty)
    }

    @Test mutating func `a slow receiver is silent only after two of its cycles`() {
        let slow = listed(0, driver: "u-blox", more: #","cycle":10.0"#)
        _ = session.hear(devices(slow))
        #expect(session.hear(devices(slow), after: .seconds(19)).isEmpty)
        #expect(session.activities(devices(slow), after: .seconds(1)) == [.silent])
    }

    @Test(arguments: ["1e300", "3601", "0", "-1"])
    mutating func `an implausible cycle is ignored`(cycle: String) {
        let events = session.hear(devices(listed(0, driver: "u-blox", more: ",\"cycle\":\(cycle)")))
        #expect(events.compactMap(\.status).map(\.cycle) == [nil])
    }

    @Test mutating func `a receiver that sends bytes without a driver is babbling`() {
        _ = session.hear(devices(listed(0)))
        #expect(session.activities(devices(listed(1)), after: .seconds(1)).isEmpty)
        let events = session.hear(devices(listed(4)), after: .seconds(3))
        #expect(events.last == .searching(.deviceBabbling(path: "/dev/a"), device: "/dev/a"))
    }

    @Test mutating func `a silent receiver that sends again is reported, with or without a driver`() {
        _ = session.hear(devices(listed(0)))
        #expect(session.activities(devices(listed(0)), after: .seconds(5)) == [.silent])
        #expect(session.activities(devices(listed(9)), after: .seconds(5)) == [.babbling])
        #expect(session.activities(devices(listed(14, driver: "NMEA0183")), after: .seconds(5)) == [.reporting])
    }

    @Test mutating func `a receiver that reports is neither silent nor babbling`() {
        _ = session.hear(devices(listed(0)))
        #expect(session.activities(tpv(1)) == [.reporting])
        #expect(session.hear(devices(listed(0)), after: .seconds(5)).isEmpty)
        #expect(session.activities(devices(listed(0)), after: .seconds(5)) == [.silent])
        let heard = session.hear(tpv(2)).compactMap(\.status)
        // The list has told the byte before the silence.
        #expect(heard.map(\.activity) == [.reporting] && heard[0].lastHeard != nil)
    }

    @Test mutating func `a receiver that the daemon closes is lost until its next report`() {
        _ = session.hear(devices(listed(0, driver: "u-blox")))
        let closed = session.hear(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#)
        #expect(closed.last == .searching(.deviceLost(path: "/dev/a"), device: "/dev/a"))
        #expect(session.hear(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#).isEmpty)
        #expect(session.activities(tpv(3)) == [.reporting])
    }

    @Test mutating func `a vanished receiver returns with the list`() {
        _ = session.hear(devices(listed(0, driver: "u-blox")))
        _ = session.hear(devices())
        #expect(session.activities(devices(listed(9, driver: "u-blox")), after: .seconds(9)) == [.reporting])
    }

    @Test mutating func `a receiver that was never open is not lost when it is closed`() {
        #expect(session.activities(#"{"class":"DEVICE","path":"/dev/a","activated":0}"#) == [.idle])
    }

    @Test mutating func `an unreadable time of the last byte changes nothing`() {
        _ = session.hear(devices(listed(0, driver: "u-blox")))
        let broken = #"{"path":"/dev/a","activated":"yesterday","driver":"u-blox"}"#
        #expect(session.hear(devices(broken), after: .seconds(5)).isEmpty)
    }

    @Test mutating func `the properties of a receiver are reported and kept if a report omits them`() throws {
        let full = listed(
            0, driver: "u-blox",
            more: #","subtype":"SW 1.00","subtype1":"HW 8","bps":9600,"parity":"N","stopbits":1,"cycle":0.25"#)
        let status = try #require(session.hear(devices(full)).compactMap(\.status).first)
        #expect(status.driver == "u-blox")
        #expect(status.subtype == "SW 1.00 HW 8")
        #expect(status.speed == 9600)
        #expect(status.framing == "8N1")
        #expect(status.cycle == .milliseconds(250))
        #expect(status.lastHeard == time("09:00:00"))
        #expect(session.hear(#"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-20T09:00:00.000Z"}"#).isEmpty)
        let changed = session.hear(devices(listed(0, driver: "u-blox", more: #","bps":4800"#)))
        #expect(changed.compactMap(\.status).map(\.speed) == [4800])
        #expect(changed.compactMap(\.status).map(\.subtype) == ["SW 1.00 HW 8"])
    }

    /// gpsd reports parity and stop bits; it sets seven data bits with two stop bits, and eight otherwise.
    @Test(arguments: [("N", 1, "8N1"), ("E", 1, "8E1"), ("O", 2, "7O2"), ("N", 2, "7N2")])
    mutating func `the framing has the data bits that gpsd sets`(
        parity: String, stopbits: Int, framing: String
    ) {
        let events = session.hear(devices(listed(0, more: ",\"parity\":\"\(parity)\",\"stopbits\":\(stopbits)")))
        #expect(events.compactMap(\.status).map(\.framing) == [framing])
    }

    @Test mutating func `a device without a path is ignored`() {
        #expect(session.hear(devices(#"{"driver":"u-blox"}"#)).isEmpty)
        #expect(session.hear(#"{"class":"DEVICE"}"#).isEmpty)
    }
}

private func devices(_ list: String = "") -> String { "{\"class\":\"DEVICES\",\"devices\":[\(list)]}" }

private func listed(_ second: Int, driver: String? = nil, more: String = "") -> String {
    let driver = driver.map { ",\"driver\":\"\($0)\"" } ?? ""
    let second = second < 10 ? "0\(second)" : "\(second)"
    return #"{"path":"/dev/a","activated":"2026-11-20T09:00:\#(second).000Z"\#(driver)\#(more)}"#
}
