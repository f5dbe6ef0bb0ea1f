import LocationCore
import LocationTesting
import TestSupport
import Testing

/// The text that `print` and a failed expectation show of a value.
@Suite struct ValueDescriptionTests {
    private static let here = Location(
        coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), timestamp: .testEpoch, device: "/dev/a",
        horizontalAccuracy: 4)
    private static let place = "time 2026-01-01T00:00:00.000Z, lat 52.5163, lon 13.3777, mode 3, eph 4, device /dev/a"

    @Test func `a location shows its known values only`() {
        #expect("\(Self.here)" == Self.place)
        #expect("\([Self.here])" == "[\(Self.place)]")
        let detailed = Self.here.with {
            $0[.temperature] = -4.5
            ($0[.ecefX], $0[.ecefZ]) = (1, 2.5)
            $0.isLate = true
        }
        #expect("\(detailed)".hasPrefix(Self.place + ", late, "))
        #expect("\(detailed)".contains("temp -4.5"))
        for value in ["\(detailed)", "\(DilutionOfPrecision())"] {
            #expect(!value.contains("nan") && !value.contains("nil") && !value.contains("OptionalDouble"), "\(value)")
        }
        #expect("\(detailed)".contains("ecefx 1, ecefz 2.5"))
    }

    @Test func `locations that differ look different`() {
        var other = Self.here
        other.coordinate = Coordinate(latitude: 52.5163.nextUp, longitude: 13.3777)
        #expect("\(other)" != "\(Self.here)")
    }

    @Test func `a sky view shows its satellites`() {
        var satellite = Satellite(constellation: .galileo, number: 5, elevation: 40, signal: 38, isUsed: true)
        satellite.signalBand = 1
        #expect(
            "\(SkyView(satellites: [satellite], device: "/dev/a"))"
                == "device /dev/a, seen 1, used 1; [constellation galileo, number 5, sigid 1, el 40, ss 38, used]")
    }

    @Test(
        arguments: [
            (LocationEvent.location(here), "location \(place)"),
            (
                .searching(.noFix(seen: 7, used: nil, best: 31), device: "/dev/a"),
                "searching no fix, 7 satellites seen, best signal 31 dB-Hz, device /dev/a"
            ),
            (.failure(.cancelled, retry: .seconds(2)), "failure the request was cancelled, retry after 2.0 seconds"),
            (.authorization(.denied), "authorization denied"), (.line([65, 10]), "a line of 2 bytes"),
            (.device(DeviceStatus(path: "/dev/a", activity: .babbling)), "device /dev/a: babbling"),
            (.receiver(ReceiverReport(antennaStatus: 2)), "receiver without a name, antenna 2"),
            (
                .notice(.lastKnown(here)),
                "notice the last known position of /dev/a is 52.51630, 13.37770 at 2026-01-01T00:00:00Z"
            ), (.notice(.message("hello")), "notice hello"), (.other("a\u{1b}b"), #"a\x1bb"#),
        ] as [(LocationEvent, String)])
    func `an event is one line`(event: LocationEvent, text: String) {
        #expect("\(event)" == text)
        #expect("\(LocationUpdate(event, at: .after(.seconds(3))))" == "\(text) at 3.0 seconds")
    }

    @Test func `states, changes and requests are one line`() {
        let change = StateChange(
            from: .searching(.starting), to: .found(Self.here), at: .after(.seconds(4)), lasted: .seconds(4))
        #expect("\(change)" == "from searching starting to found \(Self.place) at 4.0 seconds, after 4.0 seconds")
        #expect("\(LocationState.error(.daemon(message: "no")))" == "error gpsd reports: no")
        #expect("\(LocationRequest.everything)" == "updates")
        #expect("\(LocationRequest(includesLines: true, includesClock: true))" == "updates, with lines, with clock")
        #expect("\(LocationRequest(device: "/dev/a", purpose: .once))" == "once, device /dev/a")
        #expect("\(SourceCall.oneShotAsked(LocationRequest(purpose: .once)))" == "oneShotAsked(once)")
    }
}
