import Foundation
import LocationCore
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchPrinting
@testable import LocwatchTerminal

private let turin = LocalTime { _ in 3600 }

private func text(
    _ style: TextStyle = TextStyle(), _ selection: EventSelection = EventSelection(sky: true)
) -> TextPrinter {
    TextPrinter(style: style, selection: selection, localTime: turin)
}

private func template(
    _ form: String, style: TextStyle = TextStyle(), selection: EventSelection = EventSelection()
) throws -> TemplatePrinter {
    TemplatePrinter(template: try Template.read(form), style: style, selection: selection, localTime: turin)
}

@Suite struct PrinterTests {
    @Test func `text has one line per event, in columns`() throws {
        try Golden.expect(text().scripted(retry: .seconds(2)), is: "Printers/session.txt")
    }

    @Test func `an unknown time is not shown as 1970`() {
        let location = with(ScriptedSession.location(1)) { ($0.timestamp, $0.received) = (nil, nil) }
        let unknown = Moment(elapsed: .zero, wall: Timestamp(nanosecondsSince1970: 0))
        let line = text(TextStyle(), EventSelection())
            .text(of: [.update(LocationUpdate(.location(location), at: unknown))])
        #expect(line.hasPrefix("--:--:--  45.0736120    7.6804310 ") && !line.contains("1970"), "\(line)")
    }

    @Test func `text follows the chosen units, degrees and ASCII`() throws {
        let style = TextStyle(degrees: .seconds, units: .nautical, glyphs: .ascii)
        let printed = text(style).scripted()
        #expect(printed.utf8.allSatisfy { $0 < 0x7F })
        try Golden.expect(printed, is: "Printers/session-ascii.txt")
    }

    @Test func `colour does not change the text`() throws {
        let plain = text(TextStyle(degrees: .minutes, units: .imperial)).scripted()
        let colored = text(TextStyle(degrees: .minutes, units: .imperial, usesColor: true)).scripted()
        #expect(colored.contains("\u{1B}[32mfound\u{1B}[0m"))
        #expect(colored.replacing(/\u{1B}\[\d+m/, with: "") == plain)
        try Golden.expect(plain, is: "Printers/session-imperial.txt")
    }

    @Test func `with states only, positions and receivers are not printed`() throws {
        let selection = with(EventSelection()) { $0.locations = false }
        try Golden.expect(text(TextStyle(), selection).scripted(), is: "Printers/session-states.txt")
    }

    @Test func `JSON has one object per line`() throws {
        let printer = JSONPrinter(selection: EventSelection(sky: true))
        try Golden.expect(printer.scripted(retry: .seconds(2)), is: "Printers/session.jsonl")
    }

    @Test func `JSON with full precision keeps every bit of a coordinate`() throws {
        let text = JSONPrinter(precision: .full).text(
            of: .location(ScriptedSession.location(1, latitude: 45.07361234567891)))
        #expect(text.contains("\"lat\":45.07361234567891,"))
    }

    @Test func `CSV has a header and the same number of fields in every record`() throws {
        let csv = CSVPrinter().scripted()
        try Golden.expect(csv, is: "Printers/session.csv")
        let counts = csv.components(separatedBy: "\r\n").dropLast().map { $0.count { $0 == "," } }
        #expect(Set(counts) == [CSVColumns.standard.names.count - 1])
    }

    @Test func `CSV has the chosen columns in the chosen order`() throws {
        let columns = try #require(CSVColumns(["lon", "hdop", "jam", "segment", "lat"]))
        let csv = CSVPrinter(columns: columns, precision: .decimals(2)).scripted()
        #expect(
            csv.split(separator: "\r\n") == [
                "lon,hdop,jam,segment,lat", "7.68,1.1,,1,45.07", "7.68,1.1,17,1,45.07",
                "-107.50,1.1,,1,0.00", "7.68,,,2,45.07",
            ])
    }

    @Test func `CSV of satellites has a record for each satellite`() throws {
        let csv = SatelliteCSVPrinter().scripted()
        #expect(
            csv.split(separator: "\r\n") == [
                "time,device,gnss,svid,prn,sigid,el,az,ss,used",
                "2026-11-20T13:02:30.000Z,/dev/ttyACM0,GPS,5,5,0,61,214,41.5,1",
                "2026-11-20T13:02:30.000Z,/dev/ttyACM0,GLONASS,3,67,,-1,12,,0",
                "2026-11-20T13:02:30.000Z,/dev/ttyACM0,,,,,,,,0",
            ])
    }

    @Test func `a receiver was heard at its time in a recording, and one that is gone was not heard just now`() {
        func words(_ activity: DeviceStatus.Activity, heard: Double, isLive: Bool) -> String {
            var table = DeviceTable(showsTime: false, isLive: isLive, localTime: .utc)
            var status = DeviceStatus(path: "/dev/ttyACM0", activity: activity)
            status.lastHeard = ScriptedSession.time(heard)
            table.append(status, at: ScriptedSession.time(10))
            return TextBuffer.text { table.write(into: &$0) }
        }
        #expect(words(.gone, heard: 9.5, isLive: false).contains("2026-11-20 13:02:19"))
        #expect(words(.gone, heard: 9.5, isLive: true).contains("0.5 s ago"))
        #expect(words(.reporting, heard: 9.5, isLive: true).contains("just now"))
        #expect(words(.gone, heard: 15, isLive: true).contains("  0 s ago"))
    }

    @Test func `a template shows known values, and a dash for unknown ones`() throws {
        let form =
            "%{n} %{date} %{clock} %{lat},%{lon} %{alt}%{units} %{speed} %{speedUnits} %{compass} %{fix} "
            + "%{used}/%{seen} %{late} %{jam} 100%% %%{lat}"
        try Golden.expect(try template(form).scripted(), is: "Printers/session-template.txt")
    }

    @Test(arguments: [
        ("%{lat} %{altMSL} %{speed} %{eph}", DegreeStyle.minutes, "45°04.41672'N 865.814 2.684 17.717"),
        ("%{alt:.1} %{speed:.0}", .decimal, "865.8 3"), ("%{lat:.3}", .minutes, "45°04.417'N"),
        ("%{lat:.0}", .seconds, "45°04'25\"N"),
    ])
    func `a template follows the chosen units and degrees, also with decimals`(
        form: String, degrees: DegreeStyle, line: String
    ) throws {
        let style = TextStyle(degrees: degrees, units: .imperial)
        #expect(try template(form, style: style).scripted().hasPrefix(line + "\n"))
    }

    @Test(arguments: [
        ("%{eph:.0} %{eph:.3} %{eph}", "5 5.400 5.4"), ("%{lat:.2},%{lon:.0}", "45.07,8"),
        ("a\\tb\\\\n", "a\tb\\n"), ("%{climb:.1} %{vdop:.1} %{hdop}", "- - 1.1"),
        ("%{geo}", "geo:45.0736120,7.6804310;u=5.4"), ("%{maidenhead} %{mgrs}", "JN35ub 32TLQ9613191974"),
        ("%{utm}", "32T 396131 4991975"),
        ("%{osm}", "https://www.openstreetmap.org/?mlat=45.0736120&mlon=7.6804310#map=17/45.0736120/7.6804310"),
        ("%{fences}", "-"),
    ])
    func `a template supports decimals, tabs, grids, links and the last sky`(_ form: String, _ text: String) throws {
        let dilution = with(DilutionOfPrecision()) { $0.horizontal = 1.1 }
        let sky = SkyView(satellites: nil, dilution: dilution, device: "/dev/ttyACM0")
        #expect(try template(form).text(of: .satellites(sky), .location(ScriptedSession.location(1))) == text + "\n")
    }

    @Test func `links and grids use decimal degrees, and a pole has no grid`() throws {
        let style = TextStyle(degrees: .seconds, precision: .decimals(3))
        let pole = ScriptedSession.location(1, latitude: 90, longitude: -7)
        let text = try template("%{geo} %{utm} %{mgrs}", style: style).text(of: .location(pole))
        #expect(text == "geo:90.000,-7.000;u=5.4 - -\n")
    }

    @Test func `a template lists the fences that were entered but not left`() throws {
        func happens(_ kind: FenceEvent.Kind, _ name: String) -> TrackedUpdate {
            let place = Coordinate(latitude: 45, longitude: 7)
            return .fence(FenceEvent(fence: name, kind: kind, moment: ScriptedSession.moment(1), coordinate: place))
        }
        let moves = TrackedUpdate.update(LocationUpdate(.location(ScriptedSession.location(1)), at: 1))
        let text = try template("%{fences}").text(of: [
            happens(.enter, "home"), moves, happens(.enter, "to\u{1B}wn"), happens(.dwell, "home"), moves,
            happens(.exit, "home"), moves,
        ])
        #expect(text == "home\nhome,to\\x1bwn\nto\\x1bwn\n")
    }

    @Test func `every name of a template has a value when all fields are known`() throws {
        let dilution = with(DilutionOfPrecision()) {
            ($0.longitude, $0.latitude, $0.horizontal, $0.vertical) = (1, 1, 1, 1)
            ($0.position, $0.time, $0.geometric) = (1, 1, 1)
        }
        let satellite = Satellite(signal: 40, isUsed: true)
        let sky = SkyView(satellites: [satellite], dilution: dilution, device: "/dev/ttyACM0")
        let point = ReferencePoint(Coordinate(latitude: 45, longitude: 7), height: 200)
        let selection = with(EventSelection()) { $0.reference = point }
        // The distance is measured by the loop of a session, and the last two are of positions that `once` makes.
        let others = ["late", "fences", "stationary", "integrity", "distance", "interpolated", "tooShort"]
        for name in Template.names.sorted where !others.contains(name) {
            let text = try template("%{\(name)}", selection: selection)
                .text(of: .satellites(sky), .location(ScriptedSession.everything))
            #expect(!["", "-\n", "\n"].contains(text), "%{\(name)}")
        }
    }

    @Test func `the satellites of one receiver are not shown for another`() {
        let sky = SkyView(satellites: nil, seen: 5, used: 4, device: "/dev/ttyUSB0")
        let text = JSONPrinter().text(of: .satellites(sky), .location(ScriptedSession.location(1)))
        #expect(text.contains("\"lat\"") && !text.contains("\"seen\""))
    }
}

@Suite struct AngleTextTests {
    @Test(arguments: [
        (45.0736120, CoordinateAxis.latitude, DegreeStyle.decimal, "45.0736120"),
        (45.0736120, .latitude, .minutes, "45°04.41672'N"), (45.0736120, .latitude, .seconds, "45°04'25.003\"N"),
        (-7.680431, .longitude, .minutes, "007°40.82586'W"), (-0.5, .latitude, .seconds, "00°30'00.000\"S"),
        (59.9999999999, .latitude, .minutes, "60°00.00000'N"), (59.9999999999, .latitude, .seconds, "60°00'00.000\"N"),
        (179.99999999999, .longitude, .seconds, "180°00'00.000\"E"),
        (10.0166666666, .latitude, .seconds, "10°01'00.000\"N"),
        (-0.0, .longitude, .decimal, "0.0000000"), (-1e-9, .latitude, .minutes, "00°00.00000'N"),
    ])
    func `an angle is rounded before it is split, so minutes and seconds never reach 60`(
        degrees: Double, axis: CoordinateAxis, style: DegreeStyle, text: String
    ) {
        #expect(TextBuffer.text { $0.put(coordinate: degrees, axis, TextStyle(degrees: style)) } == text)
    }

    @Test(arguments: [(0, "N"), (22.4, "N"), (23, "NE"), (142.3, "SE"), (337.6, "N"), (359.7, "N"), (-90, "W")])
    func `a course has the nearest point of the compass`(degrees: Double, point: String) {
        #expect(Direction.compassPoint(degrees) == point)
    }
}
