import LocationCore
import Testing

@testable import GPSDProtocol

/// Tests of the position that an epoch's reports make together.
struct EpochMergingTests {
    /// Returns the positions of the reports of an epoch, which arrive at one moment.
    private func positions(_ reports: [String], second: Int = 0, in assembler: inout EpochAssembler) -> [Location] {
        var session = Session()
        for fields in reports {
            let line = #"{"class":"TPV","device":"/dev/a","time":"2026-11-20T09:00:0\#(second)Z","mode":3,\#(fields)}"#
            session.hear(line, into: &assembler)
        }
        assembler.finish(at: session.now)
        return assembler.takenUpdates().compactMap(\.location)
    }

    /// Returns the position of the reports of the first epoch of a session.
    private func whole(_ reports: String...) throws -> Location {
        var assembler = EpochAssembler()
        let positions = positions(reports, in: &assembler)
        try #require(positions.count == 1)
        return positions[0]
    }

    private static let place = #""lat":1,"lon":2"#

    @Test func `later reports add values and change them`() throws {
        let location = try whole(
            Self.place, Self.place + #","altMSL":30,"status":2"#, Self.place + #","track":90"#,
            Self.place + #","altMSL":31"#)
        #expect(location.altitudeMSL == 31 && location.course == 90 && location.quality == .differential)
    }

    private static let keys = Location.Field.rows.map { "\($0.gpsdName)" }

    @Test(arguments: keys)
    func `each value is kept within an epoch and not carried into the next`(key: String) throws {
        let report = Self.place + #","\#(key)":7"#
        let other = #","\#(key == "climb" ? "speed" : "climb")":8"#
        let both = try whole(report + other)
        #expect(try both != whole(Self.place + other))
        #expect(try whole(report, Self.place + other) == both)
        #expect(try whole(Self.place + other, report) == both)
        var assembler = EpochAssembler()
        _ = positions([report], in: &assembler)
        var bare = try whole(Self.place)
        bare.timestamp = time("09:00:01")
        #expect(positions([Self.place], second: 1, in: &assembler) == [bare])
    }

    /// An accuracy with the value it belongs to, and a number of units that moves the value by one metre or degree.
    typealias Accuracy = (accuracy: String, value: String, unit: Double)

    private static let accuracies: [Accuracy] = [
        ("eph", "lat", 1 / 111_200), ("epx", "lon", 1 / 111_200), ("epy", "lat", 1 / 111_200),
        ("sep", "lon", 1 / 111_200), ("epv", "altMSL", 1), ("epv", "altHAE", 1), ("eps", "speed", 1),
        ("epd", "track", 1), ("epc", "climb", 1),
    ]

    /// Returns a report whose value has moved from 45 by a number of metres or degrees, with the accuracy.
    private func report(_ row: Accuracy, moved: Double, _ accuracy: Double) -> String {
        let place = ["lat", "lon"].filter { $0 != row.value }.map { "\"\($0)\":45," }.joined()
        return #"\#(place)"\#(row.value)":\#(45 + moved * row.unit),"\#(row.accuracy)":\#(accuracy)"#
    }

    @Test func `the smaller accuracy of an epoch counts in either order while the later value lies within it`() throws {
        for row in Self.accuracies {
            for (first, second) in [(2.0, 16.5), (16.5, 2.0)] {
                let merged = try whole(report(row, moved: 0, first), report(row, moved: 1.9, second))
                #expect(try merged == whole(report(row, moved: 1.9, 2)), "\(row) \(first)")
            }
        }
    }

    @Test(arguments: accuracies) func `a value outside the earlier accuracy brings its own`(row: Accuracy) throws {
        let merged = try whole(report(row, moved: 0, 2), report(row, moved: 2.1, 16.5))
        #expect(try merged == whole(report(row, moved: 2.1, 16.5)))
    }

    @Test func `an altitude that one report lacks does not end its accuracy`() throws {
        let merged = try whole(
            Self.place + #","epv":2,"altMSL":30"#, Self.place + #","epv":9,"altHAE":70"#,
            Self.place + #","epv":9,"altHAE":71"#)
        #expect(merged.verticalAccuracy == 2)
    }

    @Test func `a longitude is compared across the antimeridian, and a course across north`() throws {
        let merged = try whole(#""lat":1,"lon":179.999999,"eph":2"#, #""lat":1,"lon":-179.999999,"eph":9"#)
        #expect(merged.horizontalAccuracy == 2)
        let turned = try whole(Self.place + #","track":359.5,"epd":2"#, Self.place + #","track":0.5,"epd":9"#)
        #expect(turned.courseAccuracy == 2)
    }

    @Test func `the accuracy of the time belongs to the epoch`() throws {
        #expect(try whole(#""lat":1,"lon":2,"ept":0.01"#, #""lat":3,"lon":2,"ept":5"#).timeAccuracy == 0.01)
    }

    @Test func `the magnetic course follows the course of a later report`() throws {
        let first = Self.place + #","track":90,"magvar":4"#
        #expect(try whole(first, Self.place + #","track":100"#).courseMagnetic == 96)
        #expect(try whole(first, Self.place + #","magvar":5"#).courseMagnetic == 85)
        let named = Self.place + #","track":90,"magtrack":33"#
        #expect(try whole(named, Self.place + #","track":100"#).courseMagnetic == nil)
        #expect(try whole(named, Self.place + #","magtrack":40"#).courseMagnetic == 40)
    }

    @Test func `each number of a report is the one of its row, and all are kept together`() throws {
        // A course and a heading from magnetic north follow from those from true north.
        let fields = Location.Field.allCases.filter { ![.courseMagnetic, .headingMagnetic].contains($0) }
        let numbers = fields.map { "\"\($0.row.gpsdName)\":\($0.rawValue + 1)" }.joined(separator: ",")
        let report = Self.place + #","datum":"WGS84",\#(numbers)"#
        let full = try whole(report)
        for field in fields { #expect(full[field] == Double(field.rawValue + 1)) }
        #expect(full.datum == "WGS84")
        let (climb, jam) = (Location.Field.climb.rawValue + 1, Location.Field.jamming.rawValue + 1)
        let later = [#","climb":1"#, #","climb":\#(climb),"jam":\#(jam)"#].map { Self.place + $0 }
        #expect(try whole(report, later[0], later[1]) == full)
    }

    /// gpsd's own `magtrack` has been seen with the variation added instead of subtracted.
    @Test(arguments: [
        (#""track":90,"magvar":4,"magtrack":94"#, 86.0), (#""track":2,"magvar":4"#, 358),
        (#""track":359,"magvar":-4"#, 3), (#""magtrack":33"#, 33), (#""track":90,"magtrack":33"#, 33),
        (#""track":0,"magvar":1e-300"#, 0), (#""track":0,"magvar":-0.0"#, 0), (#""magvar":4"#, nil),
    ])
    func `the magnetic course is computed from the course and the variation if both are known`(
        fields: String, expected: Double?
    ) throws {
        #expect(try whole(Self.place + "," + fields).courseMagnetic == expected)
    }
}
