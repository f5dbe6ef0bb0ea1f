import LocationCore
import GPSDProtocol

/// The members of a message that mean something in one of the three forms, gathered in one pass.
///
/// A value of another type than expected is left out, and so is a number that is impossible.
struct FleetFields {
    private var type: String?
    private var event: String?
    private var latitude: Double?
    private var longitude: Double?
    private var hasAttributes = false
    private var seconds: Double?
    private var time: Timestamp?
    private var lastSeen: Timestamp?
    private var kilometresPerHour: Double?
    private var mode: Double?
    private var hasFix: Bool?
    private var description: String?
    private var fence: String?
    private var change: FenceEvent.Kind?
    /// The other values, without the coordinate and the time.
    private var values = FleetReport(location: Location(coordinate: Coordinate(latitude: 0, longitude: 0)))
    private var numbers = FixNumbers()

    mutating func read(_ key: String, _ value: JSONValue) {
        switch key {
        case "lat": latitude = value.number
        case "lon": longitude = value.number
        case "latitude":
            latitude = value.number
            hasAttributes = true
        case "longitude": longitude = value.number
        case "tst": seconds = value.number
        case "_type": type = value.text
        case "event": event = value.text
        case "time": time = value.text.flatMap { Timestamp($0) }
        case "last_seen": lastSeen = value.text.flatMap { Timestamp($0) }
        case "acc", "eph", "gps_accuracy": numbers[.horizontalAccuracy] = value.positive
        case "vac", "epv": numbers[.verticalAccuracy] = value.positive
        case "alt", "altMSL", "altitude": numbers[.altitudeMSL] = value.number(in: -1e5...1e5)
        case "altHAE": numbers[.altitudeHAE] = value.number(in: -1e5...1e5)
        case "vel": kilometresPerHour = value.number(in: 0...4e5)
        case "speed": numbers[.speed] = value.number(in: 0...1e5)
        case "cog", "course": numbers[.course] = value.number(in: 0...360)
        case "climb": numbers[.climb] = value.number(in: -1e5...1e5)
        case "mode": mode = value.number
        case "batt", "battery", "battery_level": values.battery = value.count(upTo: 100)
        case "seen": values.seen = value.count(upTo: 1000)
        case "used", "satellites_used": values.used = value.count(upTo: 1000)
        case "fix": hasFix = value.flag
        case "desc": description = value.text
        case "fence": fence = value.text
        case "change": change = value.text.flatMap(FenceEvent.Kind.init).flatMap { $0.isOfStay ? $0 : nil }
        default: break
        }
    }

    /// The message that the members stand for.
    var message: FleetMessage {
        if let type { return ownTracks(type) }
        if let event { return locwatch(event) }
        guard hasAttributes else { return .unknown(cause: "it has neither _type, event nor latitude") }
        return report(at: lastSeen) { hasFix == false ? .noFix($0) : .position($0) }
    }

    private func ownTracks(_ type: String) -> FleetMessage {
        switch type {
        case "location": return report(at: epoch, isDated: true) { .position($0) }
        case "lwt": return .offline
        case "transition":
            guard let name = description, let kind = event.flatMap(Self.transition) else {
                return .unknown(cause: "a transition needs event and desc")
            }
            return report(at: epoch, isDated: true) { .fence($0, name: name, kind) }
        case "waypoint", "waypoints", "cmd", "card", "configuration", "dump", "status", "steps", "step", "beacon",
            "request":
            return .other
        case "encrypted": return .unknown(cause: "it is encrypted")
        default: return .unknown(cause: "its _type is unknown")
        }
    }

    private func locwatch(_ event: String) -> FleetMessage {
        switch event {
        // The record of an event at a fence is a position too.
        case "location":
            return report(at: time) { report in
                guard let fence, let change else { return .position(report) }
                return .fence(report, name: fence, change)
            }
        case "lost": return report(at: time) { .noFix($0) }
        case "fence":
            guard let fence, let change else {
                return .unknown(cause: "an event at a fence needs fence and change")
            }
            return report(at: time) { .fence($0, name: fence, change) }
        default: return .other
        }
    }

    private static func transition(_ word: String) -> FenceEvent.Kind? {
        switch word {
        case "enter": .enter
        case "leave": .exit
        default: nil
        }
    }

    /// The time of an OwnTracks message.
    private var epoch: Timestamp? {
        // Until the year 2262, where timestamps end; 0 is what a program without a time writes.
        seconds.flatMap { 1...9.2e9 ~= $0 ? Timestamp(secondsSince1970: $0) : nil }
    }

    private func report(
        at time: Timestamp?, isDated: Bool = false, _ make: (FleetReport) -> FleetMessage
    ) -> FleetMessage {
        guard let latitude, let longitude else { return .unknown(cause: "it has no coordinates") }
        guard let coordinate = Coordinate(checking: latitude, longitude) else {
            return .unknown(cause: "its coordinates are out of range")
        }
        if isDated, time == nil { return .unknown(cause: "it has no valid tst") }
        let hasAltitude = numbers[.altitudeMSL] != nil || numbers[.altitudeHAE] != nil
        var facts = Location.Facts(
            coordinate: coordinate, fix: mode.map { $0 >= 3 } ?? hasAltitude ? .threeD : .twoD)
        facts.timestamp = time
        var numbers = numbers
        numbers[.speed] = numbers[.speed] ?? kilometresPerHour.map { ($0 / 3.6 * 1e4).rounded() / 1e4 }
        var report = values
        report.location = Location(facts, numbers)
        return make(report)
    }
}

extension JSONValue {
    fileprivate var positive: Double? { number.flatMap { $0 > 0 ? $0 : nil } }

    fileprivate func number(in range: ClosedRange<Double>) -> Double? { number.flatMap { range ~= $0 ? $0 : nil } }

    fileprivate func count(upTo most: Double) -> Int? { number(in: 0...most).flatMap { Int(exactly: $0.rounded()) } }
}
