import LocationCore
import GPSDProtocol
import LocationTracks
import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchCommand

@Suite struct ValueTests {
    @Test(
        arguments: [
            ("250ms", .milliseconds(250)), ("10s", .seconds(10)), ("10", .seconds(10)), ("5m", .seconds(300)),
            ("1h", .seconds(3600)), ("1.5h", .seconds(5400)), ("1h30m", .seconds(5400)), ("2d", .seconds(172_800)),
            (".5s", .milliseconds(500)), ("0", .zero), ("1H", .seconds(3600)), ("", nil), ("s", nil), ("-1s", nil),
            ("1e3s", nil), ("10 s", nil), ("1h30", nil), ("inf", nil), ("nan", nil), ("0x10s", nil),
            ("36525d", .seconds(36_525 * 86_400)), ("36526d", nil), ("1..5s", nil),
        ] as [(String, Duration?)])
    func `a duration has units, or is a bare number of seconds`(text: String, duration: Duration?) {
        #expect(DurationText.read(text) == duration)
    }

    @Test(
        arguments: [
            ("50", 50), ("50m", 50), ("0.5km", 500), ("100ft", 30.48), ("1nmi", 1852), ("1mi", 1609.344), ("50 m", 50),
            ("-5", nil), ("1e3", nil), ("5 parsecs", nil), ("", nil), ("nan", nil), ("0", nil), ("1e999", nil),
            ("99999999999", nil),
        ] as [(String, Double?)])
    func `a length is in metres unless it has a unit`(text: String, metres: Double?) {
        #expect((try? ValueSyntax<Double>.metres().read(text)) == metres)
    }

    @Test(
        arguments: [
            ("recorded", .recorded), ("max", .max), ("10x", .times(10)), ("0.5x", .times(0.5)), ("MAX", .max),
            ("0x", nil), ("x", nil), ("10", nil), ("-1x", nil),
        ] as [(String, ReplayPace?)])
    func `a pace is a word or a factor`(text: String, pace: ReplayPace?) {
        let choice = try? ValueSyntax<PaceChoice>.pace.read(text)
        if let pace { #expect(choice == .pace(pace)) } else { #expect(choice == nil) }
    }

    @Test(
        arguments: [
            ("1h", .duration(.seconds(3600))), ("10MB", .size(10_000_000)), ("1MiB", .size(1_048_576)), ("10", nil),
            ("1B", nil), ("1ms", nil), ("0kB", nil), ("day", .calendar(.day)), ("hour", .calendar(.hour)),
            ("week", nil),
        ] as [(String, TrackRotation?)])
    func `a rotation is a period of the calendar, a time or a size`(text: String, rotation: TrackRotation?) {
        #expect((try? ValueSyntax<TrackRotation>.rotation.read(text)) == rotation)
    }

    @Test(
        arguments: [
            ("0.0.0.0", ListenAddress(host: "0.0.0.0")), ("0.0.0.0:80", ListenAddress(host: "0.0.0.0", port: 80)),
            ("[::1]:2948", ListenAddress(host: "::1", port: 2948)), ("[::1]", ListenAddress(host: "::1")),
            ("host:70000", nil), ("host:1:2", nil), ("", nil), ("::1", nil), ("host:gpsd", nil),
        ] as [(String, ListenAddress?)])
    func `a listening address can have a port`(text: String, address: ListenAddress?) {
        #expect((try? ValueSyntax<ListenAddress>.listenAddress.read(text)) == address)
    }

    @Test(arguments: [
        ("wayba", "waybar"), ("polybr", "polybar"), ("i3-bar", "i3bar"), ("json", "-j"), ("CSV", "--csv"),
    ])
    func `a word that is nearly the name of a format is not a template`(word: String, meant: String) throws {
        #expect(try #require(UsageError.message("-f \(word) x")).contains("did you mean \(meant)?"))
    }

    @Test(
        arguments: [
            ("%{lat} %{lon}", [.value(1, decimals: nil), .text(" "), .value(2, decimals: nil)]),
            ("%%{lat}", [.text("%{lat}")]), ("", []), ("100%%", [.text("100%")]), ("5%", [.text("5%")]),
            ("\\x", [.text("\\x")]), ("a%{age:.1}", [.text("a"), .value(PointFieldNames.all.count, decimals: 1)]),
            ("%{fence.a.b.distance:.0}", [.fence("a.b", .distance, decimals: 0)]),
            ("%{fence.home.bearing}", [.fence("home", .bearing, decimals: nil)]),
        ] as [(String, [Template.Piece])])
    func `a template has the fields of a position and the extra values`(text: String, pieces: [Template.Piece]) {
        #expect((try? Template.read(text))?.pieces == pieces)
        #expect(Template.Extra(value: PointFieldNames.all.count) == .age && Template.Extra(value: 1) == nil)
    }

    @Test(arguments: ["%{fence.home}", "%{fence.home.height}", "%{fence..distance}", "%{fence.home.distance:x}"])
    func `a value of a fence has a name and a figure`(text: String) {
        #expect(throws: UsageError.self) { try Template.read(text) }
    }

    @Test(
        arguments: [
            ("anchor=here,40", "anchor", nil, nil), ("a=here, 40m", "a", nil, nil),
            ("a=here,40,10m", "a", 600, nil), ("a=here,40,margin=5", "a", nil, 5),
            ("a=here,40,10m,margin=10ft", "a", 600, 3.048), ("a=here,40,margin=0", "a", nil, 0),
        ] as [(String, String, Int?, Double?)])
    func `an anchor has a radius, and perhaps a time and a margin`(
        text: String, name: String, dwell: Int?, margin: Double?
    ) throws {
        var expected = try Fence(name: name, shape: .anchor(radius: 40))
        expected.dwellAfter = dwell.map { .seconds($0) }
        expected.margin = margin
        #expect(try ValueSyntax<Fence>.fence.read(text) == expected)
    }

    @Test(arguments: [
        "a=here", "a=here,", "a=here,0", "a=there,40", "a=here,40,margin=x", "a=here,40,margin=5,10m", "a=1,2",
        "a=1,2,3,4m,5m", "a=1,2,3,margin=-1", "=here,40",
    ])
    func `what is not a fence is refused`(text: String) {
        #expect(throws: UsageError.self) { try ValueSyntax<Fence>.fence.read(text) }
    }
}
