@testable import LocationPublishing
import LocationTesting
import TestSupport
import Testing

@testable import LocationCore

@Suite(.serialized, .withFew) final class FleetDevicesTests {
    private var fleet = FleetDevices()
    private let boat = "owntracks/anna/boat"

    private func moment(_ seconds: Int) -> Moment { .after(.seconds(seconds)) }

    private func location(_ seconds: Int, battery: Int? = nil) -> String {
        let tst = Int(Timestamp.testEpoch.secondsSince1970) + seconds
        let batt = battery.map { #","batt":\#($0)"# } ?? ""
        return #"{"_type":"location","lat":45.5,"lon":7.5,"tst":\#(tst)\#(batt)}"#
    }

    /// Returns the events as words: what happened, and at which second by the device's clock.
    private func events(
        _ payload: String, on topic: String = "owntracks/anna/boat", isRetained: Bool = false, at seconds: Int = 0
    ) -> [String] {
        var words: [String] = []
        let message = MQTTMessage(topic, Array(payload.utf8), isRetained: isRetained)
        fleet.process(message, at: moment(seconds)) { words.append(word($0.event)) }
        return words
    }

    private func word(_ event: LocationEvent) -> String {
        func second(_ location: Location) -> String {
            location.timestamp.map { "\(Int($0.since(.testEpoch).inSeconds))" } ?? "-"
        }
        return switch event {
        case .location(let location): "\(location.isLate ? "late" : "at") \(second(location))"
        case .notice(let notice):
            switch notice.content {
            case .lastKnown(let location): "known \(second(location))"
            case .fence(let fence): "\(fence.device ?? "-") \(fence.kind.rawValue) \(fence.fence)"
            case .unknownMessage(let device, _): "unknown \(device)"
            case .messagesSkipped(let count, _): "skipped \(count)"
            default: "\(notice)"
            }
        case .searching(let reason, let device): "\(device ?? "-") \(reason.code)"
        case .device(let status): "\(status.activity.rawValue) \(status.battery ?? -1)"
        case .satellites(let view): "satellites \(view.used ?? -1)"
        default: "\(event)"
        }
    }

    @Test func `a position has the numbers of satellites of its own message`() {
        func used(_ fields: String, at seconds: Int) -> [Int?] {
            var counts: [Int?] = []
            let payload =
                #"{"latitude":45,"longitude":7,"fix":true\#(fields),"last_seen":"2026-11-20T12:00:0\#(seconds).000Z"}"#
            let message = MQTTMessage("locwatch/van/attributes", Array(payload.utf8), isRetained: false)
            fleet.process(message, at: moment(seconds)) {
                if $0.location != nil { counts.append($0.sky?.used) }
            }
            return counts
        }
        #expect(used(#","satellites_used":5"#, at: 1) == [5])
        #expect(used(#","satellites_used":5"#, at: 2) == [5])
        #expect(used("", at: 3) == [nil])
    }

    @Test func `a position has the device of its topic, and the time at which it was received`() {
        var found: [Location] = []
        for (second, isRetained) in [(1, true), (2, false)] {
            let message = MQTTMessage(boat, Array(location(second).utf8), isRetained: isRetained)
            fleet.process(message, at: moment(second + 5)) {
                if case .notice(let notice) = $0.event, case .lastKnown(let location) = notice.content {
                    found.append(location)
                }
                if let location = $0.location { found.append(location) }
            }
        }
        #expect(found.map(\.received) == [moment(6).wall, moment(7).wall] && found.allSatisfy { $0.device == boat })
    }

    @Test func `a position is delivered once, and an older one is late`() {
        #expect(events(location(10)) == ["at 10"])
        #expect(events(location(10)) == [])
        #expect(events(location(12)) == ["at 12"])
        #expect(events(location(11)) == ["late 11"])
        #expect(events(location(11)) == [])
        #expect(events(location(10)) == [])
        #expect(events(location(13)) == ["at 13"])
    }

    @Test func `twenty messages that are sent again after a broken connection are recognized`() {
        for second in 0..<100 { _ = events(location(second)) }
        for second in 80..<100 { #expect(events(location(second)) == []) }
        #expect(events(location(100)) == ["at 100"])
    }

    @Test func `a backlog after the newest position is late, in order, and complete`() {
        #expect(events(location(1000), at: 1000) == ["at 1000"])
        let backlog = (0..<500).flatMap { events(location($0), at: 1001) }
        #expect(backlog == (0..<500).map { "late \($0)" })
    }

    @Test func `devices do not share their times`() {
        #expect(events(location(10)) == ["at 10"])
        #expect(events(location(10), on: "owntracks/bob/car") == ["at 10"])
        #expect(fleet.count == 2)
    }

    @Test func `a retained position is known but not current, and the same one can become current`() {
        #expect(events(location(10), isRetained: true) == ["known 10"])
        #expect(events(location(10)) == ["at 10"])
        #expect(events(location(9)) == ["late 9"])
        // After a reconnection the broker sends it again.
        #expect(events(location(10), isRetained: true) == [])
        #expect(events(location(11), isRetained: true) == ["known 11"])
    }

    @Test func `a device that goes offline is lost once, and online does not find it`() {
        _ = events(location(1))
        #expect(events("offline", on: boat + "/status") == ["\(boat) deviceLost"])
        #expect(events(#"{"_type":"lwt","tst":1}"#) == [])
        #expect(events("online", on: boat + "/status") == ["reporting -1"])
        #expect(events("online", on: boat + "/status") == [])
        #expect(events(location(2)) == ["at 2"])
        #expect(events("offline", on: boat + "/status") == ["\(boat) deviceLost"])
    }

    @Test func `a late position does not make a lost device present`() {
        _ = events(location(5))
        _ = events("offline", on: boat + "/status")
        #expect(events(location(3)) == ["late 3"])
        #expect(events("offline", on: boat + "/status") == [])
    }

    @Test func `a transition is delivered once and never from the broker's store`() {
        let enter = #"{"_type":"transition","event":"enter","desc":"home","tst":1795161600,"lat":1,"lon":2,"acc":5}"#
        let topic = boat + "/event"
        #expect(events(enter, on: topic, isRetained: true) == [])
        #expect(events(enter, on: topic) == ["\(boat) enter home"])
        #expect(events(enter, on: topic, at: 3) == [])
    }

    @Test func `the charge of the battery is reported when it changes`() {
        #expect(events(location(1, battery: 80)) == ["reporting 80", "at 1"])
        #expect(events(location(2, battery: 80)) == ["at 2"])
        #expect(events(location(4, battery: 79)) == ["reporting 79", "at 4"])
        #expect(events(location(3, battery: 80)) == ["late 3"])
        #expect(
            events(location(1, battery: 50), on: "a/b", isRetained: true) == ["unknown 50", "known 1"],
            "a device whose position the broker has kept may be gone")
    }

    @Test func `a device was heard when it reports, and not when the broker has kept what it said`() {
        func status(_ payload: String, on topic: String, isRetained: Bool) -> DeviceStatus? {
            var found: DeviceStatus?
            let message = MQTTMessage(topic, Array(payload.utf8), isRetained: isRetained)
            fleet.process(message, at: moment(5)) { if case .device(let status) = $0.event { found = status } }
            return found
        }
        let kept = status(location(1, battery: 80), on: boat, isRetained: true)
        #expect(kept?.path == boat && kept?.activity == .unknown && kept?.lastHeard == nil && kept?.battery == 80)
        let heard = status(location(2, battery: 79), on: boat, isRetained: false)
        #expect(heard?.activity == .reporting && heard?.lastHeard == moment(5).wall && heard?.battery == 79)
    }

    @Test func `a clock that is far ahead does not make the positions after it late`() {
        #expect(events(location(1_000_000)) == ["at 1000000"])
        #expect(events(location(1), at: 1) == ["at 1"])
        #expect(events(location(2), at: 2) == ["at 2"])
    }

    @Test func `unknown messages are named once for each device and counted`() {
        #expect(events("x") == ["unknown \(boat)"])
        for _ in 2..<10 { #expect(events("x") == []) }
        #expect(events("x") == ["skipped 10"])
        #expect(events("x", on: "owntracks/bob/car") == ["unknown owntracks/bob/car"])
        #expect(fleet.unknownCount == 11)
        #expect(fleet.count == 0)
    }

    @Test func `a flood of unknown devices causes few notices and no devices`() {
        var notices = 0
        for number in 0..<10_000 { notices += events("x", on: "a/\(number)").count }
        #expect(notices < 110)
        #expect(fleet.count == 0)
    }

    @Test func `devices beyond the limit are counted and the known ones go on`() {
        fleet = FleetDevices(limit: 2)
        _ = events(location(1), on: "a/1")
        _ = events(location(1), on: "a/2")
        #expect(events(location(1), on: "a/3") == ["skipped 1"])
        #expect(events(location(1), on: "a/4") == [])
        #expect(events(location(2), on: "a/2") == ["at 2"])
        #expect(fleet.excessCount == 2)
    }

    @Test func `a pattern selects devices before their messages are read`() {
        fleet = FleetDevices(matching: "boat*")
        #expect(events(location(1), on: "owntracks/bob/car") == [])
        #expect(events("x", on: "owntracks/bob/car") == [])
        #expect(events(location(1)) == ["at 1"])
        #expect(events("offline", on: boat + "/status") == ["\(boat) deviceLost"])
    }

    @Test func `a pattern that matches no device so far is said once, with the devices that were seen`() {
        fleet = FleetDevices(matching: "lorry*")
        #expect(fleet.deadline == nil)
        for number in [1, 2, 1] { #expect(events(location(0), on: "owntracks/anna/truck\(number)", at: number) == []) }
        #expect(fleet.deadline == moment(6))
        var said: [String] = []
        fleet.expire { said.append(word($0)) }
        #expect(said.count == 1)
        #expect(
            said[0].contains("no device so far matches lorry*; seen were owntracks/anna/truck1, owntracks/anna/truck2"))
        // The second time, and after a match, nothing is due.
        _ = events(location(9), on: "owntracks/anna/truck3", at: 9)
        #expect(fleet.deadline == nil)
        fleet = FleetDevices(matching: "lorry*")
        _ = events(location(0), on: "owntracks/anna/truck1")
        _ = events(location(0), on: "owntracks/anna/lorry1")
        #expect(fleet.deadline == nil)
        // A crowd is not kept.
        fleet = FleetDevices(matching: "lorry*")
        for number in 0..<10_000 { _ = events(location(0), on: "owntracks/anna/truck\(number)") }
        fleet.expire { said.append(word($0)) }
        #expect(said[1].contains("truck2, others") && !said[1].contains("truck3"))
    }

    @Test func `the attributes without a fix lose the position`() {
        let topic = "locwatch/pi/attributes"
        let found = #"{"latitude":45,"longitude":7,"satellites_used":5,"fix":true}"#
        #expect(events(found, on: topic) == ["satellites 5", "at -"])
        #expect(events(#"{"latitude":45,"longitude":7,"fix":false}"#, on: topic) == ["locwatch/pi noFix"])
    }

    @Test func `a message without a fix says what it knows, and one that the broker has kept where the device was`() {
        let lost = #"{"latitude":45,"longitude":7,"satellites_used":2,"fix":false}"#
        #expect(events(lost, on: "locwatch/pi/attributes") == ["satellites 2", "locwatch/pi noFix"])
        #expect(events(lost, on: "locwatch/van/attributes", isRetained: true) == ["satellites 2", "known -"])
    }

    @Test func `a topic that is too long is counted`() {
        let topic = String(repeating: "x", count: 5000)
        #expect(events(location(1), on: topic) == ["unknown a device"])
        #expect(fleet.count == 0)
    }

    @Test func `a clock that is ten minutes ahead is believed, and one that is further ahead is not`() {
        #expect(events(location(600)) == ["at 600"])
        #expect(events(location(599)) == ["late 599"])
        #expect(events(location(601), on: "owntracks/anna/car") == ["at 601"])
        #expect(events(location(599), on: "owntracks/anna/car") == ["at 599"])
    }

    @Test func `a hundred devices with unknown messages are named, and each power of ten is said`() {
        let words = (1...1000).map { events("x", on: "owntracks/anna/\($0)") }
        #expect(words.count(where: { $0.contains { $0.hasPrefix("unknown") } }) == 100)
        #expect(words[99] == ["unknown owntracks/anna/100", "skipped 100"] && words[100] == [])
        let skipped = words.enumerated().filter { $0.element.contains { $0.hasPrefix("skipped") } }.map {
            $0.offset + 1
        }
        #expect(skipped == [10, 100, 1000] && fleet.unknownCount == 1000)
    }

    @Test func `a topic of a thousand bytes is that of a device, and a larger message is of its device`() {
        let topic = String(repeating: "x", count: 1000)
        #expect(events(location(1), on: topic) == ["at 1"])
        #expect(events(location(1), on: topic + "x") == ["unknown a device"])
        var said: [String] = []
        fleet.noteOversized(topic: "owntracks/anna/boat/event", size: 9) { said.append(word($0)) }
        #expect(said == ["unknown owntracks/anna/boat"])
    }

    @Test func `a position that was delivered 32 positions ago is recognized, and one before that is late`() {
        for second in 0..<33 { _ = events(location(second)) }
        #expect(events(location(1)) == [] && events(location(0)) == ["late 0"])
    }

    @Test func `an event at a fence of the device's own topic is a position too, and one that is kept is neither`() {
        func event(_ second: Int) -> String {
            #"{"event":"location","lat":45.5,"lon":7.5,"fence":"home","change":"enter","#
                + #""time":"2026-11-20T12:00:0\#(second).000Z"}"#
        }
        #expect(events(event(1), isRetained: true) == [])
        #expect(events(event(2)).map { $0.split(separator: " ")[0] } == ["owntracks/anna/boat", "at"])
        #expect(events(event(2)) == [])
        #expect(events(event(3), on: boat + "/event").map { $0.split(separator: " ")[0] } == ["owntracks/anna/boat"])
    }

    @Test func `a device that is offline stays so until it has a position that is not late`() {
        _ = events(location(5, battery: 50))
        _ = events("offline", on: boat + "/status")
        #expect(events(location(3, battery: 40)) == ["late 3"])
        #expect(events(location(6, battery: 40)) == ["gone 40", "at 6"])
        #expect(events(location(7, battery: 30)) == ["reporting 30", "at 7"])
    }
}
