import LocationCore
import GPSDProtocol
import TestSupport
import Testing

struct ReportTranslatorTests {
    private var session: Session = {
        var session = Session()
        _ = session.hear(#"{"class":"TPV","device":"/dev/a","mode":0}"#)
        return session
    }()

    private static let position = #","lat":52.5,"lon":13.3"#

    @Test(arguments: [
        (#""mode":0"# + position, 0), (position.dropFirst().description, 0), (#""mode":2"#, 0),
        (#""mode":2,"lat":52.5"#, 0), (#""mode":2,"lon":13.3"#, 0), (#""mode":3,"lat":90.1,"lon":0"#, 0),
        (#""mode":3,"lat":0,"lon":-180.1"#, 0), (#""mode":3,"lat":1e999,"lon":0"#, 0), (#""mode":2"# + position, 1),
        (#""mode":3"# + position, 1), (#""mode":3,"lat":-90,"lon":180"#, 1), (#""mode":-1"# + position, 0),
        (#""mode":"3""# + position, 0), (#""mode":1"# + position, 0),
    ])
    mutating func `only mode 2 or 3 with a plausible position gives a location`(fields: String, count: Int) {
        #expect(session.locations(#"{"class":"TPV",\#(fields)}"#).count == count)
    }

    @Test mutating func `mode 0 gives no events`() {
        _ = session.hear(tpv(0))
        #expect(session.hear(#"{"class":"TPV","device":"/dev/a","mode":0}"#).isEmpty)
    }

    @Test mutating func `a location has the mode, the arrival time and the device`() {
        var flat = Location(
            coordinate: Coordinate(latitude: 52.5, longitude: 13.3), fix: .twoD, timestamp: time("09:00:00"),
            device: "/dev/a", horizontalAccuracy: 4.5)
        flat.received = session.now.wall
        #expect(session.locations(tpv(0, mode: 2)) == [flat])
        #expect(session.locations(tpv(1, mode: 3)).first?.fix == .threeD)
    }

    @Test mutating func `mode 1 gives a search with the counts of the last sky view`() {
        _ = session.hear(tpv(0))
        #expect(session.hear(tpv(1, mode: 1)) == [search(nil, nil, nil)])
        _ = session.hear(sky(#""nSat":3,"uSat":1,"satellites":[{"PRN":1,"ss":31.5,"used":true},{"PRN":2,"ss":0}]"#))
        #expect(session.hear(tpv(2, mode: 1)) == [search(3, 1, 31.5)])
    }

    @Test(
        arguments: [
            (#""satellites":[{"PRN":1,"ss":20},{"PRN":2,"ss":33,"used":true}]"#, 2, 1, 33),
            (#""nSat":9,"uSat":4"#, 9, 4, nil), (#""satellites":[{"PRN":1,"ss":0}]"#, 1, 0, nil),
            (#""satellites":[]"#, 0, 0, nil), (#""nSat":-1,"uSat":-1,"satellites":[{"PRN":1}]"#, 1, 0, nil),
        ] as [(String, Int?, Int?, Double?)])
    mutating func `a search takes its counts from the report, or from the list`(
        fields: String, seen: Int?, used: Int?, best: Double?
    ) {
        let listed = session.hear(sky(fields))
        #expect(session.hear(tpv(2, mode: 1)) == [search(seen, used, best)])
        // Without the list, everything else is the same.
        var counting = Session(listsSatellites: false)
        _ = counting.hear(#"{"class":"TPV","device":"/dev/a","mode":0}"#)
        let counted = counting.hear(sky(fields))
        #expect(counting.hear(tpv(2, mode: 1)) == [search(seen, used, best)])
        #expect(counted.map(\.withoutList) == listed.map(\.withoutList))
        #expect(counted.count == 1)
    }

    @Test mutating func `a position has a datum only if its report has one`() throws {
        #expect(session.locations(tpv(1, fields: #","datum":"ED50""#)).first?.datum == "ED50")
        let ordinary = #","epv":2,"speed":1,"track":2,"climb":0,"sep":3,"magvar":4,"antPwr":1"#
        let location = try #require(session.locations(tpv(2, fields: ordinary)).first)
        #expect(location.datum == nil)
    }

    @Test(arguments: [#","relH":297.5,"relL":22.8"#, #","baseL":22.8,"baseC":297.5"#])
    mutating func `gpsd 3.22 has the baseline of RTK under other names than later releases`(fields: String) throws {
        let location = try #require(session.locations(tpv(1, fields: fields)).first)
        #expect(location["baseL"] == 22.8 && location["baseC"] == 297.5)
    }

    @Test mutating func `a sky view without a list or counts keeps the counts of the one before`() throws {
        _ = session.hear(sky(#""nSat":7,"uSat":0,"satellites":[{"PRN":1,"ss":20}]"#))
        let events = session.hear(sky(#""hdop":1.2"#))
        guard case .satellites(let view)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(view.satellites == nil && view.seen == nil && view.dilution.horizontal == 1.2)
        #expect(session.hear(tpv(2, mode: 1)) == [search(7, 0, 20)])
    }

    @Test mutating func `each receiver has its own search`() {
        _ = session.hear(tpv(0))
        _ = session.hear(tpv(0, device: "/dev/b"))
        _ = session.hear(sky(#""nSat":7,"uSat":0"#))
        #expect(
            session.hear(tpv(1, mode: 1, device: "/dev/b")) == [
                .searching(.noFix(seen: nil, used: nil, best: nil), device: "/dev/b")
            ])
    }

    @Test mutating func `a sky view contains the reported satellites`() throws {
        let events = session.hear(
            sky(
                #""time":"2026-11-20T09:00:00Z","xdop":1,"ydop":2,"hdop":3,"vdop":4,"pdop":5,"tdop":6,"gdop":7,"#
                    + #""satellites":[{"PRN":301,"gnssid":2,"svid":1,"el":45,"az":90,"ss":40,"used":true,"health":2,"#
                    + #""sigid":4,"freqid":8,"prRes":0.5,"qual":7},{"PRN":1,"gnssid":99,"health":9,"ss":0}]"#))
        guard case .satellites(let view)? = events.last else {
            Issue.record("\(events)")
            return
        }
        var galileo = Satellite(
            constellation: .galileo, number: 1, prn: 301, elevation: 45, azimuth: 90, signal: 40, isUsed: true)
        galileo.health = .bad
        galileo.signalBand = 4
        galileo.frequencySlot = 8
        galileo.residual = 0.5
        galileo.quality = 7
        #expect(view.satellites == [galileo, Satellite(prn: 1)])
        #expect(view.timestamp == time("09:00:00"))
        let dilution = view.dilution
        #expect([dilution.longitude, dilution.latitude, dilution.horizontal] == [1, 2, 3])
        #expect([dilution.vertical, dilution.position, dilution.time, dilution.geometric] == [4, 5, 6, 7])
    }

    @Test mutating func `the daemon's greeting is emitted once, even if it relays another daemon's`() {
        #expect(session.hear(greeting) == [.searching(.connected(release: "3.22"))])
        #expect(session.hear(#"{"class":"VERSION","release":"3.25","remote":"far"}"#).isEmpty)
    }

    @Test mutating func `the answer to the watch authorizes once`() {
        #expect(session.hear(#"{"class":"WATCH","enable":false}"#).isEmpty)
        #expect(session.hear(watching) == [.authorization(.authorized)])
        #expect(session.hear(watching).isEmpty)
    }

    /// The first two messages are answers of gpsd 3.22 to `?WATCH={"enable":true,"device":"/dev/nope"};` and
    /// `?DEVICE={"path":"/dev/nope"};` for a device that it does not have; the third is from its source.
    @Test(arguments: [
        ("No such device as /dev/nope", LocationEvent.failure(.deviceUnknown(path: "/dev/nope"))),
        (
            "Can't open /dev/nope.",
            .failure(.deviceUnusable(path: "/dev/nope", cause: .system(cause: "Can't open /dev/nope.")))
        ),
        (
            "Can't assign /dev/nope",
            .failure(.deviceUnusable(path: "/dev/nope", cause: .system(cause: "Can't assign /dev/nope")))
        ),
        ("Unrecognized request '?FOO;'", .notice(.message("gpsd: Unrecognized request '?FOO;'"))),
        (
            "Can't perform DEVICE configuration, no devices attached.",
            .notice(.message("gpsd: Can't perform DEVICE configuration, no devices attached."))
        ),
    ])
    mutating func `an error of the daemon is mapped to its event`(message: String, expected: LocationEvent) {
        #expect(session.hear(#"{"class":"ERROR","message":"\#(message)"}"#) == [expected])
    }

    @Test mutating func `an error without a message gives a notice`() {
        #expect(session.hear(#"{"class":"ERROR"}"#) == [.notice(.message("gpsd: an error without a message"))])
    }

    @Test mutating func `the answer to a poll is ignored while watching`() {
        _ = session.hear(#"{"class":"WATCH","enable":true,"json":true}"#)
        let poll = #"{"class":"POLL","active":1,"tpv":[\#(tpv(1))],"sky":[]}"#
        #expect(session.hear(poll).isEmpty)
        _ = session.hear(#"{"class":"WATCH","enable":true,"json":false}"#)
        #expect(session.hear(poll).count == 1)
    }

    @Test
    mutating func `the answer to a poll gives only a position`() {
        _ = session.hear(tpv(0))
        let poll = #"{"class":"POLL","active":1,"tpv":[\#(tpv(1))],"sky":[\#(sky(#""nSat":4"#))]}"#
        #expect(session.hear(poll).map(\.isLocation) == [true])
        #expect(session.hear(#"{"class":"POLL","active":0,"tpv":[],"gst":[],"sky":[]}"#).isEmpty)
    }

    @Test(arguments: [
        #"{"class":"GST"}"#, #"{"class":"ATT"}"#, #"{"class":"IMU"}"#, #"{"class":"TOFF"}"#, #"{"class":"PPS"}"#,
        #"{"class":"OSC"}"#, #"{"class":"AIS"}"#, #"{"class":"LOCWATCH","at":3}"#,
    ])
    mutating func `reports of other classes give no events`(line: String) {
        #expect(session.hear(line).isEmpty)
    }

    @Test(arguments: [("2006-04-06T09:00:00Z", true), ("2046-07-07T09:00:00Z", true), ("2019-01-01T00:00:00Z", false)])
    mutating func `a date half a week rollover away is reported once per receiver`(date: String, isDoubted: Bool) {
        func report(_ device: String) -> String { #"{"class":"TPV","device":"\#(device)","mode":0,"time":"\#(date)"}"# }
        for device in ["/dev/a", "/dev/b"] {
            let notices = session.hear(report(device)).filter(\.isNotice)
            let expected = Timestamp(date).map { LocationEvent.notice(.implausibleDate($0, device: device)) }
            #expect(notices == (isDoubted ? [expected] : []))
            #expect(session.hear(report(device)).isEmpty)
        }
    }

    /// gpsd reports the loss before the satellites of the same epoch.
    @Test(arguments: [(9, nil), (4, nil), (3, 3), (0, 0)] as [(Int, Int?)])
    mutating func `a loss does not claim that the satellites of the last fix are used`(used: Int, expected: Int?) {
        let report = #"{"class":"TPV","device":"/dev/a","mode":"#
        _ = session.hear(sky(#""nSat":12,"uSat":\#(used)"#))
        _ = session.hear(report + #"3,"lat":1,"lon":2}"#)
        #expect(session.hear(report + "1}").contains(search(12, expected, nil)))
        // Later ones are what the receiver says of its search.
        #expect(session.hear(report + "1}").contains(search(12, used, nil)))
    }

    private func sky(_ fields: String) -> String { #"{"class":"SKY","device":"/dev/a",\#(fields)}"# }

    private func search(_ seen: Int?, _ used: Int?, _ best: Double?) -> LocationEvent {
        .searching(.noFix(seen: seen, used: used, best: best), device: "/dev/a")
    }
}

extension ReportTranslatorTests {
    @Test func `the number of followed receivers is limited, at a constant cost for each`() {
        var translator = ReportTranslator()
        let moment = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 1_795_179_730_000_000_000))
        var epochs = EpochAssembler()
        epochs.isOfFleet = true
        let time = threadTime {
            for number in 0..<20_000 {
                var report = TPVReport()
                report.device = "/dev/made-up\(number)"
                report.mode = 3
                (report.lat, report.lon) = (45, 7)
                translator.translate(.tpv(report), at: moment, to: &epochs)
            }
        }
        let devices = Set(epochs.updates.compactMap(\.location?.device))
        let notices = epochs.updates.count { $0.event.notice != nil }
        #expect((devices.count, notices) == (256, 1))
        #expect(time < .seconds(10), "walking over lists takes minutes")
    }
}
