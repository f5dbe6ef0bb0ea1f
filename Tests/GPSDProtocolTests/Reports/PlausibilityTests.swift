import LocationCore
import GPSDProtocol
import Testing

/// Values from a receiver or a peer are checked when reports become events.
struct PlausibilityTests {
    private func notices(_ events: [LocationEvent]) -> [Notice.NoticeContent] { events.compactMap(\.notice) }

    private func report(_ fields: String, device: String = "/dev/a") -> String {
        #"{"class":"TPV","device":"\#(device)","mode":3,"lat":1,"lon":2,\#(fields)}"#
    }

    private static let numbers: [(key: String, value: @Sendable (Location) -> Double?)] = [
        ("eph", { $0.horizontalAccuracy }), ("epx", { $0.longitudeAccuracy }), ("epy", { $0.latitudeAccuracy }),
        ("epv", { $0.verticalAccuracy }), ("sep", { $0.sphericalAccuracy }), ("ept", { $0.timeAccuracy }),
        ("eps", { $0.speedAccuracy }), ("epd", { $0.courseAccuracy }), ("epc", { $0.climbAccuracy }),
        ("speed", { $0.speed }), ("track", { $0.course }), ("magtrack", { $0.courseMagnetic }),
        ("magvar", { $0.magneticVariation }), ("climb", { $0.climb }), ("altMSL", { $0.altitudeMSL }),
        ("altHAE", { $0.altitudeHAE }), ("geoidSep", { $0.geoidSeparation }),
        ("ecefx", { $0[.ecefX] }), ("ecefvz", { $0[.ecefVelocityZ] }),
        ("ecefpAcc", { $0[.ecefPositionAccuracy] }), ("velD", { $0[.velocityDown] }),
        ("relN", { $0[.relativeNorth] }), ("errEllMaj", { $0[.errorEllipseMajor] }),
        ("errEllOr", { $0[.errorEllipseOrientation] }), ("dgpsAge", { $0[.dgpsAge] }),
        ("depth", { $0[.depth] }), ("temp", { $0[.temperature] }),
        ("wtemp", { $0[.waterTemperature] }), ("wangler", { $0[.windAngleApparent] }),
        ("wspeedt", { $0[.windSpeedTrue] }), ("jam", { $0[.jamming] }),
        ("leapseconds", { $0[.leapSeconds] }),
        ("heading", { $0.heading }), ("mheading", { $0.headingMagnetic }), ("pitch", { $0.pitch }),
        ("roll", { $0.roll }), ("rot", { $0.rateOfTurn }),
    ]

    @Test(arguments: numbers.indices, ["1e19", "-9e18", "1e300", "-2000000000"])
    func `an implausible value is dropped and reported once`(_ index: Int, _ value: String) throws {
        let number = Self.numbers[index]
        var session = Session()
        let events = session.hear(report(#""\#(number.key)":\#(value)"#))
        let location = try #require(events.compactMap(\.location).first)
        #expect(number.value(location) == nil)
        // The decoder drops a count beyond 32 bits.
        if !["jam", "leapseconds"].contains(number.key) || value == "-2000000000" {
            #expect(notices(events) == [.implausibleValue(field: number.key, device: "/dev/a")])
        }
        #expect(notices(session.hear(report(#""\#(number.key)":\#(value)"#))).isEmpty)
    }

    @Test(arguments: numbers.indices)
    func `an ordinary value is kept without a notice`(_ index: Int) throws {
        let number = Self.numbers[index]
        var session = Session()
        let events = session.hear(report(#""\#(number.key)":12"#))
        #expect(number.value(try #require(events.compactMap(\.location).first)) == 12)
        #expect(notices(events).isEmpty)
    }

    @Test(arguments: ["eph", "epv", "eps", "speed", "track", "epd"])
    func `minus one means unknown and is not a fault`(_ key: String) throws {
        let number = try #require(Self.numbers.first { $0.key == key })
        var session = Session()
        let events = session.hear(report(#""\#(key)":-1"#))
        #expect(number.value(try #require(events.compactMap(\.location).first)) == nil)
        #expect(notices(events).isEmpty)
    }

    @Test func `minus one is a valid climb, altitude or magnetic variation`() throws {
        var session = Session()
        let location = try #require(session.locations(report(#""climb":-1,"altMSL":-1,"magvar":-1"#)).first)
        #expect(location.climb == -1 && location.altitudeMSL == -1 && location.magneticVariation == -1)
    }

    @Test func `each implausible field is reported once per receiver`() {
        var session = Session()
        let both = #""eph":-9,"epv":-9"#
        #expect(notices(session.hear(report(#""eph":-9"#))).map(\.field) == ["eph"])
        #expect(notices(session.hear(report(both))).map(\.field) == ["epv"])
        #expect(notices(session.hear(report(both, device: "/dev/b"))).map(\.field) == ["eph", "epv"])
        #expect(notices(session.hear(report(both))).isEmpty)
    }

    @Test(arguments: [(#""lat":91,"lon":2"#, "lat"), (#""lat":1,"lon":-4e9"#, "lon")])
    func `an implausible position is dropped and reported`(_ fields: String, _ field: String) {
        var session = Session()
        let events = session.hear(#"{"class":"TPV","device":"/dev/a","mode":3,\#(fields)}"#)
        #expect(events.compactMap(\.location).isEmpty)
        #expect(notices(events).map(\.field) == [field])
    }

    @Test func `a dilution of 0 is unknown, and no fault`() throws {
        var session = Session()
        let events = session.hear(
            #"{"class":"SKY","device":"/dev/a","xdop":0,"ydop":0.0,"vdop":0,"tdop":0,"hdop":0.9,"gdop":0,"pdop":0}"#)
        var dilution = DilutionOfPrecision()
        dilution.horizontal = 0.9
        #expect(events.compactMap(\.sky).first?.dilution == dilution)
        #expect(notices(events).isEmpty)
    }

    @Test func `a satellite keeps its plausible values`() throws {
        var session = Session()
        let satellite =
            #"{"PRN":5,"gnssid":0,"svid":-7,"el":-91,"az":361,"ss":2e9,"qual":-3,"prRes":1e300,"used":true}"#
        let events = session.hear(
            #"{"class":"SKY","device":"/dev/a","hdop":-2,"gdop":1e19,"nSat":2000000,"uSat":-5,"satellites":[\#(satellite)]}"#
        )
        let sky = try #require(events.compactMap(\.sky).first)
        #expect(sky.seen == 1 && sky.used == 1)
        #expect(sky.dilution == DilutionOfPrecision())
        #expect(sky.satellites == [Satellite(constellation: .gps, prn: 5, isUsed: true)])
        #expect(
            Set(notices(events).map(\.field))
                == ["hdop", "gdop", "nSat", "uSat", "svid", "el", "az", "ss", "qual", "prRes"])
        // The search reports the same sky.
        let search = session.hear(#"{"class":"TPV","device":"/dev/a","mode":1}"#)
        #expect(search == [.searching(.noFix(seen: 1, used: 1, best: nil), device: "/dev/a")])
    }

    @Test func `an empty device name counts as none`() throws {
        var session = Session()
        let located = session.hear(#"{"class":"TPV","device":"","mode":3,"lat":1,"lon":2}"#)
        #expect(located.compactMap(\.location).map(\.device) == [nil])
        let seen = session.hear(#"{"class":"SKY","device":"","satellites":[]}"#)
        #expect(seen.compactMap(\.sky).map(\.device) == [nil])
        let told = session.hear(#"{"class":"DEVICE","path":"","activated":"2026-11-20T09:00:00.000Z"}"#)
        #expect((located + seen + told).compactMap(\.status).isEmpty)
    }
}

extension LocationEvent {
    fileprivate var sky: SkyView? { if case .satellites(let sky) = self { sky } else { nil } }
}

extension Notice.NoticeContent {
    fileprivate var field: String { if case .implausibleValue(let field, _) = self { field } else { "\(self)" } }
}
