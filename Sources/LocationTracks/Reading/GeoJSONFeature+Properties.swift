import LocationCore

extension GeoJSONFeature {
    /// Sets the value of a property with one of gpsd's names, which locwatch writes, or another common name.
    mutating func set(_ name: String, to number: Double) {
        switch name {
        case "mode": setMode(number)
        case "status":
            if 0...9 ~= number { point.location.quality = FixQuality(gpsdStatus: Int(clamping: number)) }
        case "nSat": if 0...999 ~= number { point.seen = Int(clamping: number) }
        case "addedFirst": crosses.first = number == 1
        case "addedLast": crosses.last = number == 1
        case "uSat", "sat": if 0...999 ~= number { point.used = Int(clamping: number) }
        default:
            guard let property = Self.properties[name], number >= 0 || !property.isPositive else { return }
            point[keyPath: property.path] = number
        }
    }

    private mutating func setMode(_ number: Double) {
        switch number {
        case 1: point.location.fix = .none
        case 2: point.location.fix = .twoD
        case 3: point.location.fix = .threeD
        default: return
        }
        isFixKnown = true
    }

    private struct Property {
        let path: any WritableKeyPath<TrackPoint, Double?> & Sendable
        /// Whether a negative number, which some programs write, means that the value is not known.
        let isPositive: Bool

        init(_ path: any WritableKeyPath<TrackPoint, Double?> & Sendable, isPositive: Bool = true) {
            self.path = path
            self.isPositive = isPositive
        }
    }

    private static let properties: [String: Property] = [
        "altMSL": Property(\.location.altitudeMSL, isPositive: false),
        "altitude": Property(\.location.altitudeMSL, isPositive: false),
        "ele": Property(\.location.altitudeMSL, isPositive: false),
        "altHAE": Property(\.location.altitudeHAE, isPositive: false),
        "geoidSep": Property(\.location.geoidSeparation, isPositive: false),
        "eph": Property(\.location.horizontalAccuracy), "accuracy": Property(\.location.horizontalAccuracy),
        "horizontal_accuracy": Property(\.location.horizontalAccuracy), "epx": Property(\.location.longitudeAccuracy),
        "epy": Property(\.location.latitudeAccuracy), "epv": Property(\.location.verticalAccuracy),
        "vertical_accuracy": Property(\.location.verticalAccuracy), "sep": Property(\.location.sphericalAccuracy),
        "ept": Property(\.location.timeAccuracy), "speed": Property(\.location.speed),
        "eps": Property(\.location.speedAccuracy), "track": Property(\.location.course),
        "course": Property(\.location.course), "heading": Property(\.location.course),
        "bearing": Property(\.location.course), "epd": Property(\.location.courseAccuracy),
        "magtrack": Property(\.location.courseMagnetic),
        "magvar": Property(\.location.magneticVariation, isPositive: false),
        "climb": Property(\.location.climb, isPositive: false), "epc": Property(\.location.climbAccuracy),
        "xdop": Property(\.dilution.longitude), "ydop": Property(\.dilution.latitude),
        "hdop": Property(\.dilution.horizontal), "vdop": Property(\.dilution.vertical),
        "pdop": Property(\.dilution.position), "tdop": Property(\.dilution.time),
        "gdop": Property(\.dilution.geometric),
    ]
}
