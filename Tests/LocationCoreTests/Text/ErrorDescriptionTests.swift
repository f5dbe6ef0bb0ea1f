import LocationCore
import LocationTesting
import Testing

@Suite struct ErrorDescriptionTests {
    @Test func `the samples have every kind of error and of reason`() {
        let codes = Set(LocationError.samples.map(\.code))
        #expect(
            codes == [
                "unreachable", "unresolvable", "notGPSD", "connectionLost", "denied", "daemon", "deviceUnknown",
                "deviceUnusable", "broker", "daemonUnavailable", "unreadable", "notASession", "damaged",
                "track", "untimed", "rawLog", "recording", "programMissing", "library", "script", "system", "noFix",
                "cancelled", "sample",
            ])
        #expect(
            Set(SearchReason.samples.map(\.code)) == [
                "starting", "connecting", "unanswered", "connected", "noDevice", "noFix", "unsuitable", "deviceLost",
                "deviceUnopenable", "deviceSilent", "deviceBabbling", "silent",
            ])
    }

    @Test func `each error has its own sentence`() {
        #expect(
            LocationError.samples.map(\.description) == [
                "no gpsd at localhost:2947: Connection refused",
                "cannot open the stream tcp://localhost:10110: Connection refused",
                "cannot resolve nowhere.example:2947: Name or service not known",
                "the server at localhost:80 is not a gpsd: it sends \"HTTP/1.1 400 Bad Request\"",
                "the server at localhost:9 is not a gpsd: it sends nothing",
                "lost the connection to [::1]:2947: Connection reset by peer",
                "not permitted: /dev/ttyACM0: Permission denied", "gpsd reports: Unrecognized request",
                "there is no receiver /dev/ttyUSB0, but /dev/ttyACM0",
                "there is no receiver /dev/ttyUSB0", "/dev/ttyACM0 does not exist",
                "/dev/ttyACM0 cannot be opened: permission denied", "/dev/ttyACM0 is in use by gpsd",
                "/dev/ttyACM0 is in use", "/dev/ttyACM0 is not a serial device",
                "/dev/ttyACM0 cannot be used: Input/output error",
                "the broker at mqtt.example:1883: the broker refused the user or the password",
                "cannot start a private gpsd: gpsd is not installed",
                "cannot read drive.json: No such file or directory",
                "drive.json is not a gpsd recording: line 3: no JSON object",
                "empty.json is not a gpsd recording: the file is empty",
                "drive.json.gz is torn or damaged: gzip ended with code 1: unexpected end of file",
                "cannot read the track ride.gpx: line 7: the XML is damaged: no element found",
                "cannot read the track ride.gpx: none of its 12 points has a valid time",
                "drive.ubx is the raw log of a receiver, which RawLogSource of LocationGPSD plays",
                "drive.json is a gpsd recording, not a receiver's log; leave out \"raw:\"",
                "cannot write drive.json: No space left on device",
                "gpsd is not installed: install the package gpsd",
                "cannot read the track ride.gpx: it needs libexpat.so.1, which is in the package libexpat1",
                "line 3: expected a duration", "open: Too many open files", "no report of a receiver within 30 s",
                "no position within 30 s: no fix, 7 satellites seen, 0 used, best signal 21 dB-Hz",
                "no position accurate to 20 m; the best is accurate to 48.5 m", "no 3D fix",
                "no position younger than 5 s; the newest is 90 s old",
                "the receiver stood still for 700 s, and then moved by 23 m",
                "the receiver stood still for 700 s, and then gave no position for 61 s",
                "no standstill of 1800 s; the longest was 700 s",
                "no standstill of 1800 s; the receiver did not stand still for a minute",
                "no position at 2026-11-20T08:00:00.000Z: the nearest are at 2026-11-20T07:59:37.000Z, 23 s before, and "
                    + "2026-11-20T08:01:41.500Z, 101.5 s after",
                "no position at 2026-11-20T08:00:00.000Z: the last one is at 2026-11-20T07:59:37.000Z, 23 s before",
                "no position at 2026-11-20T08:00:00.000Z: the first one is at 2026-11-20T08:01:41.500Z, 101.5 s after",
                "no position at 2026-11-20T08:00:00.000Z: there is none with a time", "the request was cancelled",
                "a message of another provider",
            ])
    }

    @Test func `each reason has its own phrase`() {
        #expect(
            SearchReason.samples.map(\.description) == [
                "starting", "connecting", "connecting, attempt 3",
                "connected, but the server sends nothing, and is perhaps not a gpsd",
                "connected to gpsd 3.22", "connected", "gpsd has no receiver", "no fix",
                "no fix, 7 satellites seen, 3 used, best signal 31 dB-Hz",
                "no position is as accurate and recent as requested",
                "the receiver /dev/ttyACM0 is gone", "the receiver /dev/ttyACM0 cannot be opened",
                "the receiver /dev/ttyACM0 sends nothing",
                "the receiver /dev/ttyACM0 sends data that gpsd does not recognize", "no report for 12 s",
            ])
    }

    @Test func `hidden characters from outside are shown as visible text`() {
        let evil = "a\u{1b}[2J\nb\u{202e}"
        for error in [
            LocationError.daemon(message: evil), .deviceLost(evil), .unreadable(path: evil, cause: evil),
            LocationError.other(code: "x", message: evil), .notGPSD(host: evil, port: evil, answer: evil),
        ] {
            #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202e })
        }
        #expect(LocationError.daemon(message: evil).description == #"gpsd reports: a\x1b[2J\nb\u{202e}"#)
    }

    @Test func `numbers that cannot be printed as decimals do not trap`() {
        let shortfall = LocationError.Shortfall.nothingHeard(after: .seconds(Int64.max))
        #expect(shortfall.description.hasPrefix("no report of a receiver within 9"))
        var location = Location(coordinate: Coordinate(latitude: 0, longitude: 0))
        location.horizontalAccuracy = 1e300
        #expect(
            LocationError.Shortfall.tooCoarse(best: location, wanted: .nan).description
                == "no position accurate to nan m; the best is accurate to 1e+300 m")
    }
}

extension LocationError {
    fileprivate static func deviceLost(_ path: String) -> LocationError { .deviceUnusable(path: path, cause: .missing) }
}
