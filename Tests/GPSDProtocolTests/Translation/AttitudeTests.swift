import Foundation
import LocationCore
import TestSupport
import Testing

@testable import GPSDProtocol

/// Tests of gpsd's reports of attitudes, in the forms of its releases: 3.22 has only the heading of a sentence, 3.25 also the one from
/// magnetic north and the rate of turn, each report with all values so far, and binary receivers have times.
struct AttitudeTests {
    /// A session whose lines arrive at given times.
    private struct Receiver {
        var session: Session
        var assembler = EpochAssembler()

        init(isLive: Bool = true) { session = Session(isLive: isLive) }

        mutating func hear(_ line: String, after milliseconds: Int = 0) {
            _ = session.hear(#"{"class":"LOG"}"#, after: .milliseconds(milliseconds))
            session.hear(line, into: &assembler)
        }

        /// Ends the session, and returns its events.
        mutating func events() -> [LocationEvent] {
            assembler.finish(at: session.now)
            return assembler.takenUpdates().map(\.event).filter {
                $0.location != nil || $0.attitude != nil || $0.notice != nil
            }
        }
    }

    private func att(_ fields: String, device: String = "/dev/a") -> String {
        #"{"class":"ATT","device":"\#(device)",\#(fields)}"#
    }

    private func headings(_ events: [LocationEvent]) -> [Double?] { events.compactMap(\.location).map(\.heading) }

    private func attitudes(_ events: [LocationEvent]) -> [Double?] { events.compactMap(\.attitude).map(\.heading) }

    // MARK: Joining

    @Test(arguments: [true, false])
    func `an attitude after its position belongs to it, and no position waits longer for it than for another part`(
        isLive: Bool
    ) {
        var receiver = Receiver(isLive: isLive)
        for second in 0..<5 {
            receiver.hear(tpv(second), after: 900)
            receiver.hear(att(#""heading":\#(100 + second).5"#), after: isLive ? 100 : 0)
        }
        let events = receiver.events()
        #expect(headings(events) == [100.5, 101.5, 102.5, 103.5, 104.5])
        #expect(attitudes(events).isEmpty)
    }

    @Test func `an attitude shortly before a position that it reports is joined to it`() {
        var receiver = Receiver()
        receiver.hear(tpv(0))
        for second in 1..<5 {
            receiver.hear(att(#""heading":\#(100 + second).5"#), after: 900)
            receiver.hear(tpv(second), after: 100)
        }
        let events = receiver.events()
        #expect(headings(events) == [nil, 101.5, 102.5, 103.5, 104.5])
        #expect(attitudes(events).isEmpty)
    }

    @Test func `two attitudes shortly before a position are joined to it together`() throws {
        var receiver = Receiver()
        receiver.hear(tpv(0))
        receiver.hear(att(#""heading":101.5,"pitch":1"#), after: 900)
        receiver.hear(att(#""pitch":2,"roll":-3"#), after: 50)
        receiver.hear(tpv(1), after: 50)
        let events = receiver.events()
        #expect(attitudes(events).isEmpty)
        let last = try #require(events.last?.location)
        #expect([last.heading, last.pitch, last.roll] == [101.5, 2, -3])
    }

    @Test func `the values that come one after another are in one position`() throws {
        var receiver = Receiver()
        for second in 0..<3 {
            receiver.hear(tpv(second), after: 700)
            receiver.hear(att(#""heading":4.000"#), after: 50)
            receiver.hear(tpv(second), after: 50)
            receiver.hear(att(#""heading":4.000,"pitch":0.135,"roll":3.861,"rot":0.013"#), after: 50)
        }
        let events = receiver.events()
        #expect(attitudes(events).isEmpty)
        #expect(events.count == 3)
        let last = try #require(events.last?.location)
        #expect([last.heading, last.pitch, last.roll, last.rateOfTurn] == [4, 0.135, 3.861, 0.013])
    }

    @Test func `an attitude with a time belongs to the position of that time, before or after it`() {
        var receiver = Receiver()
        let time = { (tenths: Int) in
            #""time":"2026-11-20T09:00:0\#(tenths / 10).\#(tenths % 10)00Z","heading":\#(tenths)"#
        }
        receiver.hear(tpv(0))
        for tenths in 1...20 {
            receiver.hear(att(time(tenths)), after: 100)
            if tenths % 10 == 0 { receiver.hear(tpv(tenths / 10)) }
        }
        receiver.hear(att(time(20)))
        let events = receiver.events()
        #expect(headings(events) == [nil, 10, 20])
        // All others are attitudes by themselves, in their order.
        #expect(attitudes(events) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    }

    @Test func `the attitude of a time that is years away counts as one without a time`() {
        var receiver = Receiver()
        for second in 0..<3 {
            receiver.hear(tpv(second), after: 900)
            receiver.hear(att(#""time":"2019-04-09T15:31:52.100Z","heading":25\#(second).5"#), after: 20)
        }
        let events = receiver.events()
        #expect(headings(events) == [250.5, 251.5, 252.5])
        #expect(attitudes(events).isEmpty)
    }

    @Test func `an attitude is joined to no position of another receiver`() {
        var receiver = Receiver()
        receiver.hear(tpv(0))
        receiver.hear(att(#""heading":90"#, device: "/dev/compass"))
        let events = receiver.events()
        #expect(headings(events) == [nil])
        #expect(events.compactMap(\.attitude) == [Attitude(heading: 90, device: "/dev/compass")])
    }

    @Test func `the receiver that a client watches is the only one whose attitudes count`() {
        var assembler = EpochAssembler()
        assembler.watched = "/dev/a"
        var session = Session()
        session.hear(att(#""heading":1"#), into: &assembler)
        session.hear(att(#""heading":2"#, device: "/dev/b"), into: &assembler)
        #expect(assembler.takenUpdates().compactMap(\.event.attitude?.heading) == [1])
    }

    // MARK: By itself

    @Test func `a compass without a position reports each attitude at once`() {
        var receiver = Receiver()
        receiver.hear(att(#""heading":244.28"#))
        #expect(receiver.assembler.updates.compactMap(\.event.attitude?.heading) == [244.28])
        #expect(receiver.assembler.deadline == nil)
    }

    @Test func `an attitude has an event of its own from the loss of the position on`() {
        var receiver = Receiver()
        receiver.hear(tpv(0))
        receiver.hear(att(#""heading":1"#))
        receiver.hear(tpv(1, mode: 1), after: 1000)
        receiver.hear(att(#""heading":2"#), after: 10)
        let soFar = receiver.assembler.updates.map(\.event)
        #expect(headings(soFar) == [1] && attitudes(soFar) == [2])
        receiver.hear(tpv(2), after: 990)
        receiver.hear(att(#""heading":3"#), after: 10)
        #expect(headings(receiver.events()) == [1, 3])
    }

    @Test func `an attitude that no position follows is reported by itself when a position would no longer wait`() {
        var receiver = Receiver()
        receiver.hear(tpv(0))
        receiver.hear(att(#""heading":1"#), after: 600)
        #expect(receiver.assembler.deadline == receiver.session.now.advanced(by: Location.assemblyLimit))
        receiver.hear(#"{"class":"LOG"}"#, after: 301)
        receiver.assembler.expire(at: receiver.session.now)
        let events = receiver.assembler.updates.map(\.event)
        #expect(headings(events) == [nil] && attitudes(events) == [1])
        #expect(receiver.assembler.deadline == nil)
    }

    @Test(arguments: [
        #""acc_x":-3.35814,"acc_y":-8.12093,"acc_z":4.42758,"gyro_x":0.00496"#, #""depth":3"#, #""heading":null"#,
        #""heading":"north""#, #""heading":-1"#,
    ])
    func `a report without a value that is known gives no event, and changes no position`(fields: String) {
        var receiver = Receiver()
        receiver.hear(att(fields))
        receiver.hear(tpv(0))
        receiver.hear(att(fields))
        receiver.hear(tpv(1), after: 1000)
        let events = receiver.events()
        #expect(events.count == 2 && events.allSatisfy { $0.location != nil && $0.location?.attitude == nil })
    }

    // MARK: Values

    /// By default, compasses of True North Technologies report counts, which gpsd passes on as degrees.
    @Test func `the angles of a compass that reports counts are absent, also those that could be degrees`() {
        var receiver = Receiver()
        let counts = { (heading: Int, pitch: Int) in
            #""heading":\#(heading).000,"mag_st":"N","pitch":\#(pitch).000,"pitch_st":"N","roll":-43.000,"roll_st":"N","dip":13641.000"#
        }
        receiver.hear(att(counts(14_223, 169)))
        // Near north, the counts of the heading are small.
        receiver.hear(att(counts(200, 80)))
        receiver.hear(tpv(0))
        receiver.hear(att(counts(14_222, 171)))
        let events = receiver.events()
        #expect(
            events.compactMap(\.notice) == [
                .implausibleValue(field: "heading", device: "/dev/a"),
                .implausibleValue(field: "pitch", device: "/dev/a"),
            ])
        #expect(attitudes(events).isEmpty && events.compactMap(\.location?.attitude).isEmpty)
    }

    @Test(arguments: ["heading": "361", "mheading": "-0.5", "pitch": "90.5", "roll": "-181", "rot": "40000"])
    func `a value out of its range is absent, and the others are kept`(key: String, value: String) throws {
        var receiver = Receiver()
        let fields = ["heading": "0", "mheading": "360", "pitch": "-90", "roll": "180", "rot": "0"]
            .merging([key: value]) { $1 }
        receiver.hear(att(fields.map { "\"\($0)\":\($1)" }.joined(separator: ",")))
        let events = receiver.events()
        let attitude = try #require(events.compactMap(\.attitude).first)
        let values = [
            "heading": attitude.heading, "mheading": attitude.headingMagnetic, "pitch": attitude.pitch,
            "roll": attitude.roll, "rot": attitude.rateOfTurn,
        ]
        let expected: [String: Double?] = ["heading": 0, "mheading": 360, "pitch": -90, "roll": 180, "rot": 0]
        #expect(values == expected.merging([key: nil]) { $1 })
        #expect(events.compactMap(\.notice) == [.implausibleValue(field: key, device: "/dev/a")])
    }

    @Test(
        arguments: [
            (#""heading":10"#, 3.5, 10, 6.5), (#""heading":2"#, 3.5, 2, 358.5), (#""mheading":359"#, 3.5, 2.5, 359),
            (#""heading":10,"mheading":20"#, 3.5, 10, 20), (#""mheading":10"#, -14.5, 355.5, 10),
        ] as [(String, Double, Double, Double)])
    func `the variation gives the heading from the other north, unless the receiver reports it`(
        fields: String, variation: Double, heading: Double, magnetic: Double
    ) throws {
        for isFirst in [true, false] {
            var receiver = Receiver()
            receiver.hear(tpv(0, fields: isFirst ? #","magvar":\#(variation)"# : ""))
            receiver.hear(att(fields))
            if !isFirst { receiver.hear(tpv(0, fields: #","magvar":\#(variation)"#)) }
            let location = try #require(receiver.events().first?.location)
            #expect([location.heading, location.headingMagnetic] == [heading, magnetic])
        }
    }

    @Test func `without a variation only the reported heading is known`() throws {
        var receiver = Receiver()
        receiver.hear(tpv(0))
        receiver.hear(att(#""mheading":218.634"#))
        let location = try #require(receiver.events().first?.location)
        #expect(location.heading == nil && location.headingMagnetic == 218.634)
    }

    // MARK: Recordings of real receivers

    @Test func `each position of a receiver with two antennas has the heading that came with it`() throws {
        let path = SampleRecording.receiver("skytraq-PX1172RH_DS")
        let updates = read(Array(try Data(contentsOf: URL(filePath: path))))
        let reported = try SampleRecording(path: path).reports.filter { $0["class"] as? String == "ATT" }
            .compactMap { $0["heading"] as? Double }
        #expect(reported.count == 9)
        #expect(updates.locations.compactMap(\.heading) == reported)
        #expect(updates.compactMap(\.event.attitude).isEmpty)
    }
}

extension LocationEvent {
    fileprivate var attitude: Attitude? { if case .attitude(let attitude) = self { attitude } else { nil } }
}
