public import LocationCore

extension LocationError {
    /// One error of each kind, for tests with arguments.
    ///
    /// ```swift
    /// @Test(arguments: LocationError.samples)
    /// func `each error has a text`(error: LocationError) { #expect(!ErrorView(error).text.isEmpty) }
    /// ```
    public static let samples: [LocationError] =
        [
            .unreachable(host: "localhost", port: 2947, cause: "Connection refused"),
            .streamUnavailable(address: "tcp://localhost:10110", cause: "Connection refused"),
            .unresolvable(host: "nowhere.example", port: 2947, cause: "Name or service not known"),
            .notGPSD(host: "localhost", port: "80", answer: "HTTP/1.1 400 Bad Request"),
            .notGPSD(host: "localhost", port: "9", answer: ""),
            .connectionLost(host: "::1", port: 2947, cause: "Connection reset by peer"),
            .denied(what: "/dev/ttyACM0", cause: "Permission denied"),
            .daemon(message: "Unrecognized request"),
            .deviceUnknown(path: "/dev/ttyUSB0", known: ["/dev/ttyACM0"]),
            .deviceUnknown(path: "/dev/ttyUSB0"),
        ] + DeviceFault.samples.map { .deviceUnusable(path: "/dev/ttyACM0", cause: $0) } + [
            .broker(address: "mqtt.example:1883", cause: "the broker refused the user or the password"),
            .daemonUnavailable(cause: "gpsd is not installed"),
            .unreadable(path: "drive.json", cause: "No such file or directory"),
            .notASession(path: "drive.json", line: 3, cause: "no JSON object"),
            .notASession(path: "empty.json", line: 0, cause: "the file is empty"),
            .damaged(path: "drive.json.gz", cause: "gzip ended with code 1: unexpected end of file"),
            .notATrack(path: "ride.gpx", line: 7, cause: "the XML is damaged: no element found"),
            .untimedTrack(path: "ride.gpx", points: 12), .rawLog(path: "drive.ubx"), .notARawLog(path: "drive.json"),
            .unwritable(path: "drive.json", cause: "No space left on device"),
            .programMissing(name: "gpsd", package: "gpsd"),
            .libraryMissing(name: "libexpat.so.1", package: "libexpat1", path: "ride.gpx"),
            .script(cause: "line 3: expected a duration"), .system(cause: "open: Too many open files"),
        ] + Shortfall.samples.map { .noFix($0) } + [
            .cancelled, LocationError.other(code: "sample", message: "a message of another provider"),
        ]
}

extension LocationError.DeviceFault {
    /// One fault of each kind.
    public static let samples: [LocationError.DeviceFault] = [
        .missing, .notPermitted, .busy(holder: "gpsd"), .busy(holder: nil), .notASerialDevice,
        .system(cause: "Input/output error"),
    ]
}

extension LocationError.Shortfall {
    /// One shortfall of each kind.
    public static let samples: [LocationError.Shortfall] = {
        let place = Coordinate(latitude: 52.5163, longitude: 13.3777)
        var location = Location(coordinate: place, fix: .twoD, horizontalAccuracy: 48.5)
        location.timestamp = Timestamp(nanosecondsSince1970: 1_795_161_600_000_000_000)
        location.received = location.timestamp?.advanced(by: .seconds(90))
        return [
            .nothingHeard(after: .seconds(30)),
            .noPosition(after: .seconds(30), reason: .noFix(seen: 7, used: 0, best: 21)),
            .tooCoarse(best: location, wanted: 20), .tooFlat(best: location, wanted: .threeD),
            .tooOld(best: location, wanted: .seconds(5)), .moved(after: .seconds(700), distance: 23.4),
            .interrupted(after: .seconds(700), silence: .seconds(61)),
            .tooBrief(longest: .seconds(700), wanted: .seconds(1800)),
            .tooBrief(longest: .zero, wanted: .seconds(1800)),
        ] + notRecorded
    }()

    /// The ways in which a recording can lack a position at a time.
    private static let notRecorded: [LocationError.Shortfall] = {
        let time = Timestamp(nanosecondsSince1970: 1_795_161_600_000_000_000)
        let (before, after) = (time.advanced(by: .seconds(-23)), time.advanced(by: .milliseconds(101_500)))
        return [
            .notRecorded(at: time, before: before, after: after), .notRecorded(at: time, before: before, after: nil),
            .notRecorded(at: time, before: nil, after: after), .notRecorded(at: time, before: nil, after: nil),
        ]
    }()
}

extension SearchReason {
    /// One reason of each kind, for tests with arguments.
    public static let samples: [SearchReason] = [
        .starting, .connecting(attempt: 1), .connecting(attempt: 3), .unanswered, .connected(release: "3.22"),
        .connected(release: nil), .noDevice, .noFix(seen: nil, used: nil, best: nil),
        .noFix(seen: 7, used: 3, best: 31), .unsuitable, .deviceLost(path: "/dev/ttyACM0"),
        .deviceUnopenable(path: "/dev/ttyACM0"), .deviceSilent(path: "/dev/ttyACM0"),
        .deviceBabbling(path: "/dev/ttyACM0"), .silent(for: .seconds(12)),
    ]
}
