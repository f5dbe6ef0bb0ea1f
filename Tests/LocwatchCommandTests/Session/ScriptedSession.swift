import LocationCore
import LocationTesting
import TestSupport

@testable import LocwatchArguments

/// A session with every kind of event that a printer can print.
enum ScriptedSession {
    static let start = SessionStart(source: .standard, now: time(0))

    static func time(_ seconds: Double) -> Timestamp {
        // 2026-11-20T13:02:10.000Z
        Timestamp(nanosecondsSince1970: 1_795_179_730_000_000_000).advanced(
            by: .milliseconds(Int64((seconds * 1000).rounded())))
    }

    /// The position of a receiver at the Brandenburg Gate.
    static let gate = Location(
        coordinate: Coordinate(latitude: 52.5163, longitude: 13.3777), timestamp: .testEpoch, device: "/dev/gps0",
        horizontalAccuracy: 5, altitudeMSL: 34, speed: 1.2, course: 90)

    static func moment(_ seconds: Double) -> Moment { .after(.seconds(seconds), from: time(0)) }

    static func location(_ seconds: Double, latitude: Double = 45.073612, longitude: Double = 7.680431) -> Location {
        var location = Location(
            coordinate: Coordinate(latitude: latitude, longitude: longitude), timestamp: time(seconds),
            device: "/dev/ttyACM0", horizontalAccuracy: 5.4, altitudeMSL: 263.9, speed: 1.2, course: 142.3)
        location.altitudeHAE = 312.1
        location.verticalAccuracy = 9.2
        location.received = time(seconds + 0.125)
        return location
    }

    static var updates: [TrackedUpdate] {
        let device = with(DeviceStatus(path: "/dev/ttyACM0", activity: .reporting)) {
            ($0.driver, $0.subtype, $0.speed, $0.framing) = ("u-blox", "ROM 3.01", 9600, "8N1")
            ($0.cycle, $0.lastHeard) = (.seconds(1), time(2))
        }
        let noFix = SearchReason.noFix(seen: 7, used: 0, best: 24)
        let error = LocationError.unreachable(host: "localhost", port: 2947, cause: "connection refused")
        var coarse = location(22.2, latitude: -0.00000001, longitude: -107.5)
        coarse.fix = .twoD
        coarse.altitudeMSL = nil
        coarse.altitudeHAE = nil
        coarse.verticalAccuracy = nil
        coarse.speed = nil
        coarse.course = 359.7
        coarse.horizontalAccuracy = 123.45
        coarse.quality = .deadReckoning
        coarse.isLate = true
        let states: [LocationState] = [
            .searching(.starting), .searching(.connected(release: "3.22")), .searching(noFix),
            .found(location(21)), .searching(.silent(for: .seconds(3))), .error(error),
        ]
        let updates: [TrackedUpdate] = [
            transition(states[0], states[1], at: 1, lasted: 1),
            .update(LocationUpdate(.device(device), at: 1.5)),
            transition(states[1], states[2], at: 2, lasted: 1, device: "/dev/ttyACM0"),
            .update(LocationUpdate(.searching(noFix, device: "/dev/ttyACM0"), at: 2)),
            .update(LocationUpdate(.satellites(sky), at: 20)),
            transition(states[2], states[3], at: 21, lasted: 19.8, searchedBefore: 1.2, device: "/dev/ttyACM0"),
            .update(LocationUpdate(.location(location(21)), at: 21)),
            .update(LocationUpdate(.location(everything), at: 22)),
            .update(LocationUpdate(.location(coarse), at: 22.5)),
            .handover(
                Handover(
                    from: "/dev/ttyACM0", to: "/dev/ttyUSB0", reason: .lost(.silent(for: .seconds(3))),
                    at: moment(22.5))),
            .update(LocationUpdate(.notice(.linesSkipped(count: 2, cause: "no JSON: \u{1B}[2J")), at: 23)),
            .update(LocationUpdate(.notice(.dropped(locations: 3, skyViews: 0, others: 2)), at: 23)),
            .update(LocationUpdate(.notice(.implausibleDate(time(-619_315_200), device: "/dev/ttyACM0")), at: 23)),
            .update(LocationUpdate(.notice(.tornEnd(bytes: 12)), at: 23)),
            .update(LocationUpdate(.notice(.message("hello")), at: 23)),
            .update(LocationUpdate(.notice(.corrections(corrections)), at: 23)),
            .update(LocationUpdate(.notice(.corrections(missing)), at: 23)),
            .update(LocationUpdate(.authorization(.denied), at: 23)),
            transition(states[3], states[4], at: 90, lasted: 69, device: "/dev/ttyACM0"),
            transition(states[4], states[5], at: 100, lasted: 10),
            .update(LocationUpdate(.failure(error), at: 100)),
            .update(LocationUpdate(.attitude(compass), at: 101)),
            .update(LocationUpdate(.location(location(86_400)), at: 86_400)),
        ]
        return updates.withSkies
    }

    static var fence: FenceEvent {
        FenceEvent(
            fence: "ho\u{7}me", kind: .enter, moment: moment(22),
            coordinate: Coordinate(latitude: 45.07, longitude: 7.68))
    }

    static let end = SessionEnd(time: time(101), reason: .count, locations: 4)

    fileprivate static func transition(
        _ from: LocationState, _ to: LocationState, at seconds: Double, lasted: Double, searchedBefore: Double = 0,
        device: String? = nil
    ) -> TrackedUpdate {
        var change = StateChange(from: from, to: to, at: moment(seconds), lasted: .seconds(lasted), device: device)
        change.searchedBefore = .seconds(searchedBefore)
        return .transition(change)
    }

    /// The attitude of a compass that gives no position.
    static let compass = Attitude(
        heading: 244.25, headingMagnetic: 241, pitch: 1.5, roll: -0.25, rateOfTurn: 6, timestamp: time(100.9),
        device: "/dev/ttyACM0")

    private static var sky: SkyView {
        var dilution = DilutionOfPrecision()
        dilution.horizontal = 1.1
        dilution.position = 1.9
        dilution.longitude = 0.8
        dilution.latitude = 0.9
        dilution.vertical = 1.5
        dilution.time = 1.2
        dilution.geometric = 2.2
        var strong = Satellite(
            constellation: .gps, number: 5, prn: 5, elevation: 61, azimuth: 214, signal: 41.5, isUsed: true)
        strong.health = .ok
        strong.quality = 7
        strong.signalBand = 0
        strong.residual = -0.4
        var weak = Satellite(constellation: .glonass, number: 3, prn: 67, elevation: -1, azimuth: 12)
        weak.frequencySlot = 4
        weak.health = .bad
        return SkyView(
            satellites: [strong, weak, Satellite()], seen: 16, used: 9, dilution: dilution, timestamp: time(20),
            device: "/dev/ttyACM0")
    }

    /// The states of corrections that arrive, and that are refused.
    static let corrections = CorrectionsStatus(source: "ntrip://anna@caster.example:2101/MOUNT")
    static let missing = CorrectionsStatus(
        source: "ntrip://anna@caster.example:2101/MOUNT", fault: .password,
        cause: "the caster refuses the user or the password")

    /// A position with every field known.
    static var everything: Location {
        var location = location(22)
        location.quality = .other(42)
        location.geoidSeparation = 48.2
        location.longitudeAccuracy = 3.1
        location.latitudeAccuracy = 4.2
        location.sphericalAccuracy = 10.5
        location.timeAccuracy = 0.005
        location.speedAccuracy = 0.3
        location.courseAccuracy = 12
        location.courseMagnetic = 139.1
        location.magneticVariation = 3.2
        location.climb = -0.1
        location.climbAccuracy = 1.5
        (location[.ecefX], location[.ecefY], location[.ecefZ]) = (4_472_345.67, 603_222.11, 4_493_666.02)
        (location[.ecefVelocityX], location[.ecefVelocityY], location[.ecefVelocityZ]) = (0.1, -0.2, 0.3)
        location[.ecefPositionAccuracy] = 6.5
        location[.ecefVelocityAccuracy] = 0.4
        (location[.velocityNorth], location[.velocityEast], location[.velocityDown]) = (1, 2, 3)
        (location[.relativeNorth], location[.relativeEast], location[.relativeDown]) = (10.5, -20.25, 0.125)
        (location[.baselineLength], location[.baselineCourse]) = (22.8, 297.5)
        location[.errorEllipseMajor] = 5
        location[.errorEllipseMinor] = 3
        location[.errorEllipseOrientation] = 33
        location[.dgpsAge] = 1.5
        location[count: .dgpsStation] = 120
        location[count: .leapSeconds] = 18
        location.datum = "WGS84"
        location[.depth] = 12.5
        location[.temperature] = 41
        location[.waterTemperature] = 18.5
        location[.windAngleApparent] = 30
        location[.windAngleMagnetic] = 40
        location[.windAngleTrue] = 43
        location[.windSpeedApparent] = 5.5
        location[.windSpeedTrue] = 4.4
        location[count: .antennaStatus] = 2
        location[count: .jamming] = 17
        (location[count: .meanCount], location[.meanDuration], location[.correlationTime]) = (1800, 1800.5, 21.5)
        (location.heading, location.headingMagnetic) = (155.6, 152.4)
        (location.pitch, location.roll, location.rateOfTurn) = (2.5, -3.75, -12)
        return location
    }
}

extension EventPrinter {
    /// Returns the complete output of this printer for the scripted session.
    func scripted(retry: Duration? = nil) -> String {
        var (printer, view, out) = (self, SessionView(), TextBuffer())
        printer.start(ScriptedSession.start, into: &out)
        for update in ScriptedSession.updates + [.fence(ScriptedSession.fence)] {
            printer.print(update, noting: &view, into: &out)
            printer.printPending(into: &out)
        }
        printer.print(.daemon(message: "no"), retry: retry, at: ScriptedSession.moment(100.5), into: &out)
        for report in ScriptedSession.deliveries { printer.print(report, into: &out) }
        printer.end(ScriptedSession.end, into: &out)
        return out.text
    }
}

extension ScriptedSession {
    /// The changes of the delivery to a target.
    static var deliveries: [DeliveryReport] {
        let changes: [DeliveryReport.Change] = [
            .waiting(cause: "cannot resolve broker.example", retry: .milliseconds(400)), .connected,
            .held(cause: "the broker refused the user or the password", retry: .seconds(300)), .dropped(2),
            .rejected(1), .complete, .ended,
        ]
        return changes.map { change in
            DeliveryReport(
                time: time(101), target: "mqtt://broker.example/owntracks/anna/boat", change: change, queued: 3,
                sent: 12)
        }
    }

    /// Further changes of state, with reasons that have values.
    static var moreUpdates: [TrackedUpdate] {
        let reasons: [SearchReason] = [.connecting(attempt: 2), .deviceLost(path: "/dev/ttyACM0")]
        return reasons.map { transition(.searching(.starting), .searching($0), at: 1, lasted: 1) } + fleetUpdates
    }

    /// Updates that only a fleet causes.
    static var fleetUpdates: [TrackedUpdate] {
        let boat = "owntracks/anna/boat"
        var location = Location(
            coordinate: Coordinate(latitude: 52.5, longitude: 13.4), fix: .twoD, timestamp: time(0), device: boat,
            horizontalAccuracy: 12, speed: 3, course: 90)
        location.received = time(1)
        let fence = FenceEvent(
            fence: "harbour", device: boat, kind: .enter, moment: moment(2), coordinate: location.coordinate)
        var status = DeviceStatus(path: boat, activity: .reporting)
        status.battery = 81
        let events: [LocationEvent] = [
            .notice(.lastKnown(location)), .location(location), .notice(.fence(fence)), .device(status),
            .notice(.unknownMessage(device: boat, cause: "it is encrypted")),
            .notice(.messagesSkipped(count: 10, cause: "they are not understood")),
        ]
        return events.map { .update(LocationUpdate($0, at: 3)) }
    }
}

extension LocationUpdate {
    /// Creates the update of an event at a time of the scripted session.
    init(_ event: LocationEvent, at seconds: Double) { self.init(event, at: ScriptedSession.moment(seconds)) }
}
