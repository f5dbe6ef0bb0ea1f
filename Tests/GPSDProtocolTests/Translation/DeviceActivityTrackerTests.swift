import LocationCore
import TestSupport
import Testing

@testable import GPSDProtocol

struct DeviceActivityTrackerTests {
    private var session = Session()

    @Test mutating func `a daemon without a receiver is reported once`() {
        let empty = #"{"class":"DEVICES","devices":[]}"#
        #expect(session.hear(empty) == [.searching(.noDevice)])
        #expect(session.hear(empty, after: .seconds(5)).isEmpty)
    }

    /// Lines with the seconds that pass before each, and the activities that follow from it.
    struct Story: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let steps: [(line: String, pause: Double, activities: [DeviceStatus.Activity])]

        init(_ name: String, _ steps: [(String, Double, [DeviceStatus.Activity])]) {
            (testDescription, self.steps) = (name, steps)
        }
    }

    private static let path = devices(#"{"path":"/dev/a"}"#)
    private static let open = devices(listed(0, driver: "u-blox"))
    private static let slow = devices(listed(0, driver: "u-blox", more: #","cycle":10.0"#))
    private static let unreadable = devices(#"{"path":"/dev/a","activated":"yesterday","driver":"u-blox"}"#)
    private static let closed = #"{"class":"DEVICE","path":"/dev/a","activated":0}"#

    private static let stories = [
        Story("it is listed before the watch", [(path, 0, [.idle])]),
        Story(
            "it vanishes without ever being open",
            [(path, 0, [.idle]), (devices(), 0, [.unopenable]), (devices(), 5, [])]),
        Story(
            "it vanishes after being open, and returns",
            [(open, 0, [.reporting]), (devices(), 0, [.gone]), (devices(listed(9, driver: "u-blox")), 9, [.reporting])]),
        Story("the time of its last byte is unchanged", [(open, 0, [.reporting]), (open, 5, [.silent])]),
        Story("two lists in quick succession", [(open, 0, [.reporting]), (open, 1.499, [])]),
        Story(
            "frequent lists",
            [(open, 0, [.reporting]), (open, 1, []), (open, 1, [.silent]), (open, 1, []), (open, 1, [])]),
        Story("two of its slow cycles", [(slow, 0, [.reporting]), (slow, 19, []), (slow, 1, [.silent])]),
        Story(
            "bytes without a driver",
            [
                (devices(listed(0)), 0, [.unknown]), (devices(listed(1)), 1, []),
                (devices(listed(4)), 3, [.babbling]),
            ]),
        Story(
            "it sends again after a silence, with or without a driver",
            [
                (devices(listed(0)), 0, [.unknown]), (devices(listed(0)), 5, [.silent]),
                (devices(listed(9)), 5, [.babbling]), (devices(listed(14, driver: "NMEA0183")), 5, [.reporting]),
            ]),
        Story(
            "the daemon closes it, until its next report",
            [(open, 0, [.reporting]), (closed, 0, [.gone]), (closed, 0, []), (tpv(3), 0, [.reporting])]),
        Story("it is closed without ever being open", [(closed, 0, [.idle])]),
        Story(
            "it reports, and so is neither silent nor babbling",
            [
                (devices(listed(0)), 0, [.unknown]), (tpv(1), 0, [.reporting]), (devices(listed(0)), 5, []),
                (devices(listed(0)), 5, [.silent]), (tpv(2), 0, [.reporting]),
            ]),
        Story("the time of its last byte is unreadable", [(open, 0, [.reporting]), (unreadable, 5, [])]),
    ]

    private static func reason(_ activity: DeviceStatus.Activity) -> SearchReason? {
        switch activity {
        case .unopenable: .deviceUnopenable(path: "/dev/a")
        case .silent: .deviceSilent(path: "/dev/a")
        case .babbling: .deviceBabbling(path: "/dev/a")
        case .gone: .deviceLost(path: "/dev/a")
        case .unknown, .idle, .reporting: nil
        }
    }

    @Test(arguments: stories)
    mutating func `a receiver has the activities of its story, each with its reason`(story: Story) {
        for (line, pause, activities) in story.steps {
            let events = session.hear(line, after: .seconds(pause))
            #expect(events.compactMap(\.status).map(\.activity) == activities)
            let reasons = events.compactMap { event -> SearchReason? in
                if case .searching(let reason, "/dev/a") = event { reason } else { nil }
            }
            #expect(reasons == activities.compactMap(Self.reason))
        }
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
        var epochs = EpochAssembler()
        let moment = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
        for number in 0..<20 { tracker.hear(from: "d\(number / 2)", at: moment, &epochs) }
        #expect(tracker.first == (0..<8).map { "d\($0)" })
    }

    @Test func `empty lists cost no time for each device of a fleet that is gone`() {
        var tracker = DeviceActivityTracker()
        var epochs = EpochAssembler()
        tracker.limit = 10_000
        let moment = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
        for number in 0..<10_000 {
            tracker.hear(from: "d\(number)", at: moment, &epochs)
        }
        _ = epochs.takenUpdates()
        let time = threadTime { for _ in 0..<10_000 { tracker.list([], at: moment, &epochs) } }
        #expect(epochs.updates.count == 20_000)
        #expect(time < .seconds(10), "searching all devices for each list takes minutes")
    }

    @Test mutating func `the time at which gpsd opened a receiver that sends nothing is not that of a byte`() {
        func heard(_ events: [LocationEvent]) -> [Bool] {
            events.compactMap { if case .device(let status) = $0 { status.lastHeard != nil } else { nil } }
        }
        #expect(heard(session.hear(devices(listed(0)))) == [false])
        #expect(heard(session.hear(devices(listed(0)), after: .seconds(5))) == [false])
        #expect(heard(session.hear(devices(listed(9, driver: "u-blox")), after: .seconds(5))) == [true])
        // The list has told the byte before the silence.
        #expect(heard(session.hear(devices(listed(9, driver: "u-blox")), after: .seconds(9))) == [true])
        #expect(heard(session.hear(tpv(10))) == [true])
    }

    @Test(arguments: ["1e300", "3601", "0", "-1"])
    mutating func `an implausible cycle is ignored`(cycle: String) {
        let events = session.hear(devices(listed(0, driver: "u-blox", more: ",\"cycle\":\(cycle)")))
        #expect(events.compactMap(\.status).map(\.cycle) == [nil])
    }

    @Test mutating func `the properties of a receiver are reported and kept if a report omits them`() {
        let full = listed(
            0, driver: "u-blox",
            more: #","subtype":"SW 1.00","subtype1":"HW 8","bps":9600,"parity":"N","stopbits":1,"cycle":0.25"#)
        var status = DeviceStatus(path: "/dev/a", activity: .reporting)
        (status.driver, status.subtype, status.speed) = ("u-blox", "SW 1.00 HW 8", 9600)
        (status.framing, status.cycle, status.lastHeard) = ("8N1", .milliseconds(250), time("09:00:00"))
        #expect(session.hear(devices(full)) == [.device(status)])
        #expect(session.hear(#"{"class":"DEVICE","path":"/dev/a","activated":"2026-11-20T09:00:00.000Z"}"#).isEmpty)
        status.speed = 4800
        #expect(session.hear(devices(listed(0, driver: "u-blox", more: #","bps":4800"#))) == [.device(status)])
    }

    /// gpsd reports parity and stop bits; it sets seven data bits with two stop bits, and eight otherwise.
    @Test(arguments: [("N", 1, "8N1"), ("E", 1, "8E1"), ("O", 2, "7O2"), ("N", 2, "7N2")])
    mutating func `the framing has the data bits that gpsd sets`(parity: String, stopbits: Int, framing: String) {
        let events = session.hear(devices(listed(0, more: ",\"parity\":\"\(parity)\",\"stopbits\":\(stopbits)")))
        #expect(events.compactMap(\.status).map(\.framing) == [framing])
    }

    @Test mutating func `the shortest cycle is that of the driver of now, which tells it only if it can set any`() {
        let cycles = [("u-blox", ",\"mincycle\":0.02"), ("NMEA0183", ""), ("MTK-3301", ",\"mincycle\":0.10")].map {
            session.hear(devices(listed(0, driver: $0, more: $1))).compactMap(\.status).map(\.minimumCycle)
        }
        #expect(cycles == [[.milliseconds(20)], [nil], [.milliseconds(100)]])
    }

    @Test(arguments: ["1e300", "3601", "-1", "\"x\"", "null"])
    mutating func `an implausible shortest cycle is none`(cycle: String) {
        let events = session.hear(devices(listed(0, driver: "u-blox", more: ",\"mincycle\":\(cycle)")))
        #expect(events.compactMap(\.status).map(\.minimumCycle) == [nil])
    }

    /// gpsd writes it as a text, from 3.23 on.
    @Test(arguments: [("\"true\"", true), ("true", true), ("\"false\"", false), ("false", false), ("7", false)])
    mutating func `a gpsd that writes nothing says so`(text: String, isReadOnly: Bool) {
        let events = session.hear(devices(listed(0, driver: "u-blox", more: ",\"readonly\":\(text)")))
        #expect(events.compactMap(\.status).map(\.isReadOnly) == [isReadOnly])
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
