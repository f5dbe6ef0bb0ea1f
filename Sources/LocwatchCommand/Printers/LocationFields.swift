import LocationCore

/// A position with what other reports of its session add to it.
struct ReportedLocation {
    var location: Location
    /// When it arrived.
    var received: Timestamp
    /// Satellites that the fix is made of, and that are seen, as the receiver told last.
    var used: Int?
    var seen: Int?
}

/// Takes the fields of a position one by one; what is unknown comes as `nil`.
protocol LocationFieldVisitor {
    /// Whether fields that are all unknown are to be shown too, for their names or their places.
    var wantsAbsent: Bool { get }
    mutating func time(_ key: StaticString, _ value: Timestamp?)
    /// Latitude or longitude.
    mutating func coordinate(_ key: StaticString, _ value: Double, _ axis: CoordinateAxis)
    mutating func number(_ key: StaticString, _ value: Double?, _ quantity: Quantity)
    mutating func count(_ key: StaticString, _ value: Int?)
    mutating func word(_ key: StaticString, _ value: String?)
    /// Something that is said only when it is so.
    mutating func mark(_ key: StaticString, _ value: Bool)
}

enum CoordinateAxis {
    case latitude, longitude
}

/// What a number measures, by which its unit is chosen.
enum Quantity {
    case length, speed, other
}

extension ReportedLocation {
    /// Shows every field to a visitor, always in the same order; the keys are those of JSON, CSV and templates.
    func visit(_ visitor: inout some LocationFieldVisitor) {
        visitMain(&visitor)
        visitRest(&visitor)
        visitDetails(&visitor)
    }

    /// What nearly every receiver tells.
    func visitMain(_ visitor: inout some LocationFieldVisitor) {
        visitor.time("time", location.timestamp)
        visitor.coordinate("lat", location.coordinate.latitude, .latitude)
        visitor.coordinate("lon", location.coordinate.longitude, .longitude)
        visitor.number("altMSL", location.altitudeMSL, .length)
        visitor.number("altHAE", location.altitudeHAE, .length)
        visitor.count("mode", location.fix.rawValue)
        visitor.word("quality", location.quality == .ordinary ? nil : location.quality.code)
        visitor.number("eph", location.horizontalAccuracy, .length)
        visitor.number("epv", location.verticalAccuracy, .length)
        visitor.number("speed", location.speed, .speed)
        visitor.number("course", location.course, .other)
        visitor.number("climb", location.climb, .speed)
        visitor.word("device", location.device)
        visitor.count("used", used)
        visitor.count("seen", seen)
        visitor.time("received", received)
    }

    /// What a record of CSV has; a column that is new comes last, so that the others keep their places.
    func visitCSV(_ visitor: inout some LocationFieldVisitor) {
        visitMain(&visitor)
        visitor.count("revision", location.revision)
    }

    /// What many receivers tell and few ask for.
    func visitRest(_ visitor: inout some LocationFieldVisitor) {
        visitor.count("revision", location.revision == 0 ? nil : location.revision)
        visitor.mark("late", location.isLate)
        visitor.number("epx", location.longitudeAccuracy, .length)
        visitor.number("epy", location.latitudeAccuracy, .length)
        visitor.number("sep", location.sphericalAccuracy, .length)
        visitor.number("ept", location.timeAccuracy, .other)
        visitor.number("eps", location.speedAccuracy, .speed)
        visitor.number("epd", location.courseAccuracy, .other)
        visitor.number("epc", location.climbAccuracy, .speed)
        visitor.number("courseMagnetic", location.courseMagnetic, .other)
        visitor.number("magvar", location.magneticVariation, .other)
        visitor.number("geoidSep", location.geoidSeparation, .length)
        if case .other(let status) = location.quality {
            visitor.count("status", status)
        } else {
            visitor.count("status", nil)
        }
    }
}

extension FixQuality {
    /// A short stable word for programs.
    var code: String {
        switch self {
        case .ordinary: "ordinary"
        case .differential: "differential"
        case .rtkFixed: "rtkFixed"
        case .rtkFloat: "rtkFloat"
        case .deadReckoning: "deadReckoning"
        case .satellitesAndDeadReckoning: "satellitesAndDeadReckoning"
        case .surveyedTime: "surveyedTime"
        case .simulated: "simulated"
        case .precisionCode: "precisionCode"
        case .other: "other"
        }
    }
}
