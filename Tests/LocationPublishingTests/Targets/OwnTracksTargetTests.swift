import LocationCore
import Testing

@testable import LocationPublishing

@Suite final class OwnTracksTargetTests {
    let device: OwnTracksDevice
    let started = Timestamp(nanosecondsSince1970: 1_773_990_000_900_000_000)
    var target: OwnTracksTarget

    init() throws {
        device = try OwnTracksDevice(user: "anna", device: "boat")
        target = OwnTracksTarget(device, started: started)
    }

    private func messages(_ record: PublishRecord, isOld: Bool = false) -> [MQTTMessage] {
        target.messages(for: record, isOld: isOld)
    }

    private func later(_ seconds: Double, _ occasion: PublishRecord.Occasion = .moved) -> PublishRecord {
        var location = Samples.location
        location.timestamp = Samples.time.advanced(by: .seconds(seconds))
        return Samples.record(occasion, location, created: Samples.time.advanced(by: .seconds(seconds)))
    }

    @Test func `a position is retained on the topic of the device`() {
        let json =
            #"{"_type":"location","lat":45.05,"lon":7.68,"tst":1773998845,"tid":"at","acc":4,"alt":241,"vac":8,"#
            + #""vel":14,"cog":181}"#
        #expect(messages(Samples.record()) == [MQTTMessage("owntracks/anna/boat", Array(json.utf8), isRetained: true)])
    }

    @Test func `an old position is not retained, and says when it was made`() {
        let record = Samples.record(created: Samples.time.advanced(by: .seconds(60)))
        let messages = messages(record, isOld: true)
        #expect(messages.map(\.isRetained) == [false])
        #expect(messages.map { text($0.payload).hasSuffix(#""cog":181,"created_at":1773998905}"#) } == [true])
    }

    @Test(
        arguments: [
            (.moved, nil), (.found, nil), (.heartbeat, "p"), (.manual, "u"),
        ] as [(PublishRecord.Occasion, String?)])
    func `the occasion is the trigger, and a loss has no message`(
        occasion: PublishRecord.Occasion, trigger: String?
    ) throws {
        #expect(messages(Samples.record(.lost)).isEmpty)
        let message = try #require(messages(Samples.record(occasion)).first)
        #expect(try object(message.payload)["t"] as? String == trigger)
    }

    @Test(arguments: [(0, 1), (0.3, 1), (0.7, 1), (1.6, 2), (-1, nil), (1e12, nil)] as [(Double, Int?)])
    func `Home Assistant drops an accuracy of 0, so it is at least 1`(eph: Double, expected: Int?) throws {
        var location = Samples.location
        location.horizontalAccuracy = eph
        let message = try #require(messages(Samples.record(.moved, location)).first)
        #expect(try object(message.payload)["acc"] as? Int == expected)
    }

    @Test func `the speed is rounded to km per hour, and a course of 359 and a half is north`() throws {
        var location = Samples.location
        location.speed = 2.777
        location.course = 359.5
        location.altitudeMSL = 0
        let message = try #require(messages(Samples.record(.moved, location)).first)
        let json = try object(message.payload)
        #expect(json["vel"] as? Int == 10 && json["cog"] as? Int == 0 && json["alt"] as? Int == 0)
    }

    @Test func `a coordinate has seven digits, a time before 1970 is rounded down, and unknown values are left out`() {
        let time = Timestamp(nanosecondsSince1970: -1)
        let record = Samples.record(.moved, Samples.bare(1.0 / 3, -2.0 / 3, time), created: time)
        #expect(
            messages(record).map { text($0.payload) } == [
                #"{"_type":"location","lat":0.3333333,"lon":-0.6666667,"tst":-1,"tid":"at"}"#
            ])
    }

    // MARK: One position for each second

    @Test func `of the positions in one second only the first is published`() {
        let published = [0, 0.1, 0.5, 0.6, 0.7, 1.6].map { messages(later($0)).count }
        #expect(published == [1, 0, 0, 1, 0, 1])
    }

    @Test func `a record that is sent again has its message again`() {
        let record = later(0)
        let first = messages(record)
        #expect(!first.isEmpty && messages(record) == first)
        // After a reconnection also those before the last one.
        _ = messages(later(2))
        #expect(target.greeting().isEmpty)
        #expect(messages(later(0.1), isOld: true).count == 1)
    }

    @Test func `an old position in the second of the newest one is left out`() {
        #expect(messages(later(10.5)).count == 1)
        #expect([0, 0.1, 1, 10.4].map { messages(later($0), isOld: true).count } == [1, 0, 1, 0])
        #expect(messages(later(11)).count == 1)
    }

    // MARK: Transitions

    @Test func `an enter is published on its own topic and not retained`() {
        let json =
            #"{"_type":"transition","lat":45.05,"lon":7.68,"tst":1773998845,"event":"enter","desc":"Home","#
            + #""wtst":1773990000,"acc":4,"tid":"at","t":"l"}"#
        let record = Samples.record(.fence(.enter, name: "Home"))
        #expect(messages(record) == [MQTTMessage("owntracks/anna/boat/event", Array(json.utf8), isRetained: false)])
    }

    @Test(
        arguments: [
            (FenceEvent.Kind.inside, "enter"), (.enter, "enter"), (.exit, "leave"), (.dwell, nil), (.outside, nil),
            (.undecided, nil),
        ] as [(FenceEvent.Kind, String?)])
    func `to be inside is an enter, and only an exit is a leave`(kind: FenceEvent.Kind, event: String?) throws {
        let message = messages(Samples.record(.fence(kind, name: "Home"))).first
        #expect(try message.flatMap { try object($0.payload)["event"] as? String } == event)
    }

    @Test func `a transition has an accuracy even if its position has none`() throws {
        let record = Samples.record(.fence(.enter, name: "Home"), Samples.bare())
        let message = try #require(messages(record).first)
        #expect(try object(message.payload)["acc"] as? Int == 25)
    }

    @Test func `no leave is published before an enter, whatever the way`() throws {
        let center = Coordinate(latitude: 45, longitude: 7)
        let home = try Fence(name: "Home", shape: .circle(center: center, radius: 100))
        var generator = SplitMix64(seed: 7)
        for _ in 0..<50 {
            var monitor = FenceMonitor(fences: [home], dwellAfter: .seconds(5))
            var inside = false
            for second in 0..<200 {
                let offset = Double.random(in: -0.004...0.004, using: &generator)
                let now = Moment(elapsed: .seconds(second), wall: Samples.time.advanced(by: .seconds(second)))
                var location = Samples.bare(45 + offset, 7, now.wall)
                location.horizontalAccuracy = 5
                for event in monitor.update(location, at: now) {
                    let record = Samples.record(.fence(event.kind, name: event.fence), location, created: now.wall)
                    for message in messages(record) {
                        let isEnter = try object(message.payload)["event"] as? String == "enter"
                        #expect(inside != isEnter)
                        inside = isEnter
                    }
                }
            }
        }
    }

    @Test func `a transition that waited is published like any other`() {
        for kind in [FenceEvent.Kind.enter, .exit] {
            let record = later(0, .fence(kind, name: "Home"))
            #expect(messages(record, isOld: true) == messages(record))
        }
    }

    // MARK: The rest

    @Test func `the will is not retained, or it would take the place of the position`() {
        let will = MQTTMessage("owntracks/anna/boat", Array(#"{"_type":"lwt","tst":1773990000}"#.utf8))
        #expect(target.will == will)
        target.willConnect(at: Samples.time)
        #expect(target.will?.payload == Array(#"{"_type":"lwt","tst":1773998845}"#.utf8))
        #expect(target.backlog == .newestFirst && target.subscriptions.isEmpty && target.farewell().isEmpty)
        #expect(target.response(to: will).isEmpty)
    }

    @Test(arguments: [("boat", "at"), ("x", "x"), ("né😀", "é😀")])
    func `a device is marked by the last two characters of its name`(name: String, expected: String) throws {
        #expect(try OwnTracksDevice(user: "a", device: name).trackerID == expected)
        #expect(OwnTracksTarget(device, trackerID: "XY", started: started).trackerID == "XY")
    }

    @Test(
        arguments: [
            ("", "b", .empty), ("a", "", .empty), ("a/b", "c", .slash), ("a", "/", .slash), ("a+", "b", .wildcard),
            ("a", "#", .wildcard), ("$a", "b", .wildcard), ("a\n", "b", .hidden), ("a", "b\0", .hidden),
        ] as [(String, String, MQTTTopicFault)])
    func `a name that makes no topic is refused`(user: String, device: String, fault: MQTTTopicFault) {
        #expect(throws: PublishError.topic(fault)) { try OwnTracksDevice(user: user, device: device) }
        #expect(!fault.rawValue.isEmpty)
    }

    @Test func `every message is valid JSON, with numbers and names of any kind`() throws {
        var count = 0
        for record in Samples.hostileRecords {
            _ = target.greeting()
            for message in messages(record) {
                let json = try object(message.payload)
                #expect(json["lat"] is Double && json["lon"] is Double && json["tst"] is Int)
                if case .fence(_, let name) = record.occasion { #expect(json["desc"] as? String == name) }
                if let acc = json["acc"] as? Int { #expect(acc >= 1) }
                count += 1
            }
        }
        #expect(count > Samples.hostileRecords.count / 2)
    }
}
