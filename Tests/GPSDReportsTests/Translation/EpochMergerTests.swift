import GPSDReports
import LocationCore
import Testing

struct EpochMergerTests {
    private var session = Session()

    @Test mutating func `a later report that adds a value is the epoch's next revision`() {
        #expect(heard("0", #""mode":2,"lat":1,"lon":2"#).map(\.revision) == [0])
        let second = heard("0", #""mode":3,"lat":1,"lon":2,"altMSL":30,"status":2"#)
        #expect(second.map(\.revision) == [1])
        #expect(second.first?.fix == .threeD)
        let third = heard("0", #""mode":3,"lat":1,"lon":2,"track":90"#)
        #expect(third.map(\.revision) == [2])
        #expect(third.first?.altitudeMSL == 30)
        #expect(third.first?.course == 90)
        #expect(third.first?.quality == .differential)
    }

    @Test mutating func `a later report without new values gives no record`() {
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"altMSL":30"#).count == 1)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"altMSL":30"#).isEmpty)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2"#).isEmpty)
        #expect(heard("0", #""mode":3"#).isEmpty)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"altMSL":31"#).map(\.revision) == [1])
    }

    @Test(arguments: [
        "altMSL", "altHAE", "geoidSep", "eph", "epx", "epy", "epv", "sep", "ept", "speed", "eps", "track", "epd",
        "magtrack", "magvar", "climb", "epc",
    ])
    mutating func `each value is kept within an epoch and not carried into the next`(key: String) {
        let only = heard("0", #""mode":3,"lat":1,"lon":2,"\#(key)":7"#)
        let other = key == "climb" ? "speed" : "climb"
        var merged = heard("0", #""mode":3,"lat":1,"lon":2,"\#(other)":8"#)
        #expect(merged.map(\.revision) == [1])
        if other == "climb" { merged[0].climb = nil } else { merged[0].speed = nil }
        merged[0].revision = 0
        #expect(merged == only)
        let next = heard("1", #""mode":3,"lat":1,"lon":2"#)
        #expect(next == [bare("1")])
    }

    /// Each accuracy with the value it belongs to, and a number of units that moves the value by one metre or degree.
    private static let accuracies: [(accuracy: String, value: String, unit: Double)] = [
        ("eph", "lat", 1 / 111_200), ("epx", "lon", 1 / 111_200), ("epy", "lat", 1 / 111_200),
        ("sep", "lon", 1 / 111_200), ("epv", "altMSL", 1), ("epv", "altHAE", 1), ("eps", "speed", 1),
        ("epd", "track", 1), ("epc", "climb", 1),
    ]

    /// Returns a report whose value has moved from 45 by a number of metres or degrees, with the accuracy.
    private func report(_ row: (accuracy: String, value: String, unit: Double), moved: Double, _ accuracy: Double)
        -> String
    {
        let place = ["lat", "lon"].filter { $0 != row.value }.map { ",\"\($0)\":45" }.joined()
        return #""mode":3\#(place),"\#(row.value)":\#(45 + moved * row.unit),"\#(row.accuracy)":\#(accuracy)"#
    }

    @Test mutating func `the smaller accuracy of an epoch counts in either order while the later value lies within it`()
    {
        for row in Self.accuracies {
            for (first, second) in [(2.0, 16.5), (16.5, 2.0)] {
                _ = heard("0", report(row, moved: 0, first))
                let merged = heard("0", report(row, moved: 1.9, second))
                var expected = heard("1", report(row, moved: 1.9, 2))
                expected[0].timestamp = merged.first?.timestamp
                expected[0].revision = 1
                #expect(merged == expected, "\(row) \(first)")
                session = Session()
            }
        }
    }

    @Test mutating func `a value outside the earlier accuracy brings its own`() {
        for row in Self.accuracies {
            _ = heard("0", report(row, moved: 0, 2))
            let merged = heard("0", report(row, moved: 2.1, 16.5))
            var expected = heard("1", report(row, moved: 2.1, 16.5))
            expected[0].timestamp = merged.first?.timestamp
            expected[0].revision = 1
            #expect(merged == expected, "\(row)")
            session = Session()
        }
    }

    @Test mutating func `an altitude that one report lacks does not end its accuracy`() {
        _ = heard("0", #""mode":3,"lat":1,"lon":2,"epv":2,"altMSL":30"#)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"epv":9,"altHAE":70"#).map(\.verticalAccuracy) == [2])
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"epv":9,"altHAE":71"#).map(\.verticalAccuracy) == [2])
    }

    @Test mutating func `a longitude is compared across the antimeridian`() {
        _ = heard("0", #""mode":3,"lat":1,"lon":179.999999,"eph":2"#)
        #expect(heard("0", #""mode":3,"lat":1,"lon":-179.999999,"eph":9"#).map(\.horizontalAccuracy) == [2])
    }

    @Test mutating func `the accuracy of the time belongs to the epoch, and a course is compared across north`() {
        _ = heard("0", #""mode":3,"lat":1,"lon":2,"ept":0.01"#)
        #expect(heard("0", #""mode":3,"lat":3,"lon":2,"ept":5"#).map(\.timeAccuracy) == [0.01])
        _ = heard("1", #""mode":3,"lat":1,"lon":2,"track":359.5,"epd":2"#)
        #expect(heard("1", #""mode":3,"lat":1,"lon":2,"track":0.5,"epd":9"#).map(\.courseAccuracy) == [2])
    }

    /// A u-blox 8 and a Teseo repeat each epoch with an accuracy that differs in the last digit.
    @Test(arguments: ["eph", "epx", "epy", "epv", "sep", "ept", "eps", "epd", "epc"])
    mutating func `later reports with a larger accuracy and nothing else give no record`(key: String) {
        let value = #""altMSL":30,"speed":1,"track":2,"climb":3"#
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,\#(value),"\#(key)":7.470"#).map(\.revision) == [0])
        for _ in 0..<3 { #expect(heard("0", #""mode":3,"lat":1,"lon":2,\#(value),"\#(key)":7.471"#).isEmpty) }
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,\#(value),"\#(key)":7.469"#).map(\.revision) == [1])
    }

    @Test mutating func `the magnetic course follows the course of a later report`() {
        _ = heard("0", #""mode":3,"lat":1,"lon":2,"track":90,"magvar":4"#)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"track":100"#).map(\.courseMagnetic) == [96])
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"magvar":5"#).map(\.courseMagnetic) == [95])
        _ = heard("1", #""mode":3,"lat":1,"lon":2,"track":90,"magtrack":33"#)
        #expect(heard("1", #""mode":3,"lat":1,"lon":2,"track":100"#).map(\.courseMagnetic) == [nil])
        #expect(heard("1", #""mode":3,"lat":1,"lon":2,"magtrack":40"#).map(\.courseMagnetic) == [40])
    }

    @Test mutating func `details are merged, but do not cause a record by themselves`() {
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"ecefx":5"#).first?.details?.ecefPosition.x == 5)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"ecefx":6,"dgpsAge":3"#).isEmpty)
        let merged = heard("0", #""mode":3,"lat":1,"lon":2,"climb":1"#)
        #expect(merged.map(\.revision) == [1])
        #expect(merged.first?.details?.ecefPosition.x == 6)
        #expect(merged.first?.details?.dgpsAge == 3)
        #expect(heard("1", #""mode":3,"lat":1,"lon":2"#).first?.details == nil)
    }

    @Test(arguments: LocationDetails.fields.map { "\($0.gpsdName)" })
    mutating func `every detail is kept within an epoch`(key: String) throws {
        let full = try #require(heard("0", #""mode":3,"lat":1,"lon":2,"\#(key)":1"#).first?.details)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"climb":1"#).first?.details == full)
    }

    @Test mutating func `the details of a report are in their properties, and are kept together`() throws {
        let numbers = [
            "ecefx", "ecefy", "ecefz", "ecefvx", "ecefvy", "ecefvz", "ecefpAcc", "ecefvAcc", "velN", "velE", "velD",
            "relN", "relE", "relD", "errEllMaj", "errEllMin", "errEllOr", "dgpsAge", "dgpsSta", "leapseconds", "depth",
            "temp", "wtemp", "wangler", "wanglem", "wanglet", "wspeedr", "wspeedt", "ant", "jam",
        ]
        let fields = numbers.enumerated().map { "\"\($1)\":\($0 + 1)" }.joined(separator: ",")
        let full = try #require(heard("0", #""mode":3,"lat":1,"lon":2,"datum":"WGS84",\#(fields)"#).first?.details)
        #expect(full.ecefPosition == Vector3(1, 2, 3))
        #expect(full.ecefVelocity == Vector3(4, 5, 6))
        #expect([full.ecefPositionAccuracy, full.ecefVelocityAccuracy] == [7, 8])
        #expect(full.velocityNED == Vector3(9, 10, 11))
        #expect(full.relativeNED == Vector3(12, 13, 14))
        #expect([full.errorEllipseMajor, full.errorEllipseMinor, full.errorEllipseOrientation] == [15, 16, 17])
        #expect(full.dgpsAge == 18)
        #expect([full.dgpsStation, full.leapSeconds] == [19, 20])
        #expect([full.depth, full.temperature, full.waterTemperature] == [21, 22, 23])
        #expect([full.windAngleApparent, full.windAngleMagnetic, full.windAngleTrue] == [24, 25, 26])
        #expect([full.windSpeedApparent, full.windSpeedTrue] == [27, 28])
        #expect([full.antennaStatus, full.jamming] == [29, 30])
        #expect(full.datum == "WGS84")
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"climb":1"#).first?.details == full)
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"climb":2,"jam":30"#).first?.details == full)
    }

    @Test mutating func `a report older than the one before is late, and the next of its epoch is not`() {
        _ = heard("5", #""mode":3,"lat":1,"lon":2"#)
        #expect(heard("4", #""mode":3,"lat":1,"lon":2"#).map(\.isLate) == [true])
        let again = heard("4", #""mode":3,"lat":1,"lon":2,"climb":1"#)
        #expect(again.map(\.isLate) == [false])
        #expect(again.map(\.revision) == [1])
        #expect(heard("5", #""mode":3,"lat":1,"lon":2"#).map(\.isLate) == [false])
    }

    @Test mutating func `a report without a time is an epoch of its own`() {
        for _ in 0..<3 {
            let location = session.locations(#"{"class":"TPV","mode":3,"lat":1,"lon":2}"#)
            #expect(location.map(\.revision) == [0])
            #expect(location.map(\.isLate) == [false])
        }
        _ = heard("3", #""mode":3,"lat":1,"lon":2"#)
        #expect(session.locations(#"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"lon":2}"#).count == 1)
        #expect(heard("3", #""mode":3,"lat":1,"lon":2"#).map(\.revision) == [0])
    }

    /// gpsd reports each sentence of an epoch until it knows the date.
    @Test mutating func `live reports without a time are revisions of one epoch, which gets its time later`() {
        session = Session(isLive: true)
        func report(_ fields: String = "") -> String {
            #"{"class":"TPV","device":"/dev/a","mode":3,"lat":1,"lon":2\#(fields)}"#
        }
        #expect(session.locations(report()).map(\.revision) == [0])
        #expect(session.locations(report()).isEmpty)
        #expect(session.locations(report(#","altMSL":30"#), after: .milliseconds(200)).map(\.revision) == [1])
        let timed = session.locations(report(#","time":"2026-11-20T09:00:00Z""#), after: .milliseconds(100))
        #expect(timed.map(\.revision) == [2])
        #expect(timed.first?.timestamp == time("09:00:00") && timed.first?.altitudeMSL == 30)
        #expect(session.locations(report(#","time":"2026-11-20T09:00:01Z""#)).map(\.revision) == [0])
    }

    @Test(arguments: [(1.0, 301), (1.5, 0)])
    mutating func `a later live report without a time, or one of another place, is an epoch of its own`(
        latitude: Double, milliseconds: Int
    ) {
        session = Session(isLive: true)
        #expect(session.locations(#"{"class":"TPV","mode":3,"lat":1,"lon":2}"#).map(\.revision) == [0])
        let other = session.locations(
            #"{"class":"TPV","mode":3,"lat":\#(latitude),"lon":2}"#, after: .milliseconds(milliseconds))
        #expect(other.map(\.revision) == [0])
    }

    @Test mutating func `receivers do not share an epoch`() {
        #expect(session.locations(tpv(0)).map(\.revision) == [0])
        #expect(session.locations(tpv(0, device: "/dev/b")).map(\.revision) == [0])
        #expect(session.locations(tpv(0)).isEmpty)
        #expect(session.locations(tpv(0, device: "/dev/b")).isEmpty)
    }

    /// gpsd's own `magtrack` has been seen with the variation added instead of subtracted.
    @Test(arguments: [
        (#""track":90,"magvar":4,"magtrack":94"#, 86.0), (#""track":2,"magvar":4"#, 358),
        (#""track":359,"magvar":-4"#, 3), (#""magtrack":33"#, 33), (#""track":90,"magtrack":33"#, 33),
        (#""track":0,"magvar":1e-300"#, 0), (#""track":0,"magvar":-0.0"#, 0),
    ])
    mutating func `the magnetic course is computed from the course and the variation if both are known`(
        fields: String, expected: Double
    ) throws {
        let location = try #require(heard("0", #""mode":3,"lat":1,"lon":2,\#(fields)"#).first)
        #expect(location.courseMagnetic == expected)
    }

    @Test mutating func `a report without a course has no magnetic course`() {
        #expect(heard("0", #""mode":3,"lat":1,"lon":2,"magvar":4"#).first?.courseMagnetic == nil)
    }

    private mutating func heard(_ second: String, _ fields: String) -> [Location] {
        session.locations(#"{"class":"TPV","device":"/dev/a","time":"2026-11-20T09:00:0\#(second)Z",\#(fields)}"#)
    }

    private func bare(_ second: String) -> Location {
        var location = Location(coordinate: Coordinate(latitude: 1, longitude: 2))
        location.timestamp = time("09:00:0\(second)")
        location.received = session.now.wall
        location.device = "/dev/a"
        return location
    }
}
