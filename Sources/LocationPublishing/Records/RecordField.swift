import LocationCore

/// A value of a record that JSON and templates can show.
enum RecordValue: Hashable, Sendable {
    case time(Timestamp)
    case coordinate(Double)
    case number(Double)
    case count(Int)
    case word(String)
    case mark

    /// The value as text, with a number of decimals if it has any.
    func text(decimals: Int? = nil) -> String {
        switch self {
        case .time(let time): time.formatted(fractionDigits: 3)
        case .coordinate(let degrees): Self.text(degrees, decimals: decimals ?? 7, trimmed: decimals == nil)
        case .number(let number):
            if let decimals { Self.text(number, decimals: decimals, trimmed: false) } else { Self.text(number) }
        case .count(let count): String(count)
        case .word(let word): word
        case .mark: "late"
        }
    }

    private static func text(_ value: Double, decimals: Int, trimmed: Bool) -> String {
        var bytes: [UInt8] = []
        DecimalText.append(value, decimals: decimals, trimmed: trimmed, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func text(_ value: Double) -> String {
        var bytes: [UInt8] = []
        DecimalText.append(shortest: value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A named field of a record; the names and their meanings are those of the command's JSON and templates.
struct RecordField: Sendable {
    let name: String
    /// Whether a template can ask for a number of decimals.
    let hasDecimals: Bool
    let value: @Sendable (PublishRecord) -> RecordValue?

    static func position(_ name: String, _ value: @escaping @Sendable (Location) -> RecordValue?) -> RecordField {
        RecordField(name: name, hasDecimals: false) { $0.location.flatMap(value) }
    }

    static func number(_ name: String, _ value: @escaping @Sendable (Location) -> Double?) -> RecordField {
        RecordField(name: name, hasDecimals: true) { $0.location.flatMap(value).map(RecordValue.number) }
    }

    static func detail(_ name: String, _ value: @escaping @Sendable (LocationDetails) -> Double?) -> RecordField {
        number(name) { $0.hasDetails ? $0.details.flatMap(value) : nil }
    }

    static func coordinate(_ name: String, _ value: @escaping @Sendable (Coordinate) -> Double) -> RecordField {
        RecordField(name: name, hasDecimals: true) { $0.location.map { .coordinate(value($0.coordinate)) } }
    }

    static func count(_ name: String, _ value: @escaping @Sendable (Location) -> Int?) -> RecordField {
        position(name) { value($0).map(RecordValue.count) }
    }
}

extension RecordField {
    /// The fields of a position, in the order of a line of `locwatch watch --json`.
    static let reported: [RecordField] = [
        position("time") { $0.timestamp.map(RecordValue.time) },
        coordinate("lat", \.latitude), coordinate("lon", \.longitude),
        number("altMSL", \.altitudeMSL), number("altHAE", \.altitudeHAE),
        count("mode", \.fix.rawValue),
        position("quality") { $0.quality == .ordinary ? nil : .word($0.quality.code) },
        number("eph", \.horizontalAccuracy), number("epv", \.verticalAccuracy),
        number("speed", \.speed), number("course", \.course), number("climb", \.climb),
        position("device") { $0.device.map(RecordValue.word) },
        RecordField(name: "used", hasDecimals: false) { $0.satellitesUsed.map(RecordValue.count) },
        position("received") { $0.received.map(RecordValue.time) },
        count("revision") { $0.revision == 0 ? nil : $0.revision },
        position("late") { $0.isLate ? .mark : nil },
        number("epx", \.longitudeAccuracy), number("epy", \.latitudeAccuracy), number("sep", \.sphericalAccuracy),
        number("ept", \.timeAccuracy), number("eps", \.speedAccuracy), number("epd", \.courseAccuracy),
        number("epc", \.climbAccuracy), number("courseMagnetic", \.courseMagnetic),
        number("magvar", \.magneticVariation), number("geoidSep", \.geoidSeparation),
        count("status") { if case .other(let status) = $0.quality { status } else { nil } },
        detail("ecefx", \.ecefPosition.x), detail("ecefy", \.ecefPosition.y), detail("ecefz", \.ecefPosition.z),
        detail("ecefvx", \.ecefVelocity.x), detail("ecefvy", \.ecefVelocity.y), detail("ecefvz", \.ecefVelocity.z),
        detail("ecefpAcc", \.ecefPositionAccuracy), detail("ecefvAcc", \.ecefVelocityAccuracy),
        detail("velN", \.velocityNED.x), detail("velE", \.velocityNED.y), detail("velD", \.velocityNED.z),
        detail("relN", \.relativeNED.x), detail("relE", \.relativeNED.y), detail("relD", \.relativeNED.z),
        detail("errEllMaj", \.errorEllipseMajor), detail("errEllMin", \.errorEllipseMinor),
        detail("errEllOr", \.errorEllipseOrientation), detail("dgpsAge", \.dgpsAge),
        count("dgpsSta") { $0.details?.dgpsStation }, count("leapseconds") { $0.details?.leapSeconds },
        position("datum") { $0.details?.datum.map(RecordValue.word) },
        detail("depth", \.depth), detail("temp", \.temperature), detail("wtemp", \.waterTemperature),
        detail("wangler", \.windAngleApparent), detail("wanglem", \.windAngleMagnetic),
        detail("wanglet", \.windAngleTrue), detail("wspeedr", \.windSpeedApparent),
        detail("wspeedt", \.windSpeedTrue),
        count("ant") { $0.details?.antennaStatus }, count("jam") { $0.details?.jamming },
    ]

    /// The fields about the record itself.
    static let ofRecord: [RecordField] = [
        RecordField(name: "occasion", hasDecimals: false) { .word($0.occasion.code) },
        RecordField(name: "fence", hasDecimals: false) {
            if case .fence(_, let name) = $0.occasion { .word(name) } else { nil }
        },
        RecordField(name: "change", hasDecimals: false) {
            if case .fence(let kind, _) = $0.occasion { .word(kind.rawValue) } else { nil }
        },
        RecordField(name: "created", hasDecimals: false) { .time($0.created) },
    ]

    /// The fields that exist in templates only.
    static let inTemplates: [RecordField] = [
        number("alt") { $0.altitudeMSL ?? $0.altitudeHAE },
        RecordField(name: "unixtime", hasDecimals: false) { .count($0.time.wholeSeconds) },
        RecordField(name: "unixms", hasDecimals: false) { .count($0.time.wholeMilliseconds) },
    ]
}

extension PublishRecord.Occasion {
    /// The name of the occasion for programs.
    var code: String {
        switch self {
        case .moved: "moved"
        case .heartbeat: "heartbeat"
        case .manual: "manual"
        case .fence: "fence"
        case .found: "found"
        case .lost: "lost"
        }
    }
}
