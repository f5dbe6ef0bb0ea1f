import LocationCore

/// A value of a record that JSON and templates can show.
enum RecordValue: Hashable, Sendable {
    case time(Timestamp)
    case coordinate(Double)
    case number(Double)
    case count(Int)
    case word(String)
    case mark(String)

    /// The value as text, with a number of decimals if it has any.
    func text(decimals: Int? = nil) -> String {
        switch self {
        case .time(let time): time.formatted(fractionDigits: 3)
        case .coordinate(let degrees):
            TextBuffer.text { out in
                if let decimals {
                    out.put(fixed: degrees, decimals: decimals)
                } else {
                    out.put(trimmed: degrees, decimals: 7)
                }
            }
        case .number(let number):
            TextBuffer.text { out in
                if let decimals { out.put(fixed: number, decimals: decimals) } else { out.put(shortest: number) }
            }
        case .count(let count): String(count)
        case .word(let word): word
        case .mark(let name): name
        }
    }
}

/// A named field of a record; the names and their meanings are those of the command's JSON and templates.
struct RecordField: Sendable {
    let name: String
    /// Whether a template can ask for a number of decimals.
    let hasDecimals: Bool
    let value: @Sendable (PublishRecord) -> RecordValue?
}

/// A visitor that collects the fields of a record's position.
struct PositionFields: LocationFieldVisitor {
    private(set) var fields: [(name: StaticString, value: RecordValue?, hasDecimals: Bool)] = []
    private let isKnown: Bool

    init(_ record: PublishRecord) {
        isKnown = record.location != nil
        let location = record.location ?? Location(coordinate: Coordinate(latitude: 0, longitude: 0))
        record.visitReported(location, &self)
    }

    var wantsAbsent: Bool { true }
    mutating func time(_ name: StaticString, _ value: Timestamp?) { append(name, value.map(RecordValue.time)) }
    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        append(name, .coordinate(value), hasDecimals: true)
    }
    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) {
        append(name, value.map(RecordValue.number), hasDecimals: true)
    }
    mutating func count(_ name: StaticString, _ value: Int?) { append(name, value.map(RecordValue.count)) }
    mutating func word(_ name: StaticString, _ value: String?) { append(name, value.map(RecordValue.word)) }
    mutating func mark(_ name: StaticString, _ value: Bool) { append(name, value ? .mark(name.description) : nil) }

    private mutating func append(_ name: StaticString, _ value: RecordValue?, hasDecimals: Bool = false) {
        fields.append((name, isKnown ? value : nil, hasDecimals))
    }
}

extension RecordField {
    /// The fields of a position, in the order of a line of `locwatch watch --json`.
    static let reported: [RecordField] = PositionFields(
        PublishRecord(.lost, created: Timestamp(nanosecondsSince1970: 0), location: nil)
    ).fields.enumerated().map { index, field in
        RecordField(name: field.name.description, hasDecimals: field.hasDecimals) {
            PositionFields($0).fields[index].value
        }
    }

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
        RecordField(name: "repeated", hasDecimals: false) { $0.isRepeated ? .mark("repeated") : nil },
    ]

    /// The fields that exist in templates only.
    static let inTemplates: [RecordField] = [
        RecordField(name: "alt", hasDecimals: true) { $0.location?.altitude.map(RecordValue.number) },
        RecordField(name: "unixtime", hasDecimals: false) { .count($0.time.wholeSeconds) },
        RecordField(name: "unixms", hasDecimals: false) { .count($0.time.wholeMilliseconds) },
        RecordField(name: "unixus", hasDecimals: false) {
            .count(Int($0.time.nanosecondsSince1970 / 1000))
        },
        RecordField(name: "latE7", hasDecimals: false) { $0.location.map { .count($0.coordinate.latitude.inE7) } },
        RecordField(name: "lonE7", hasDecimals: false) { $0.location.map { .count($0.coordinate.longitude.inE7) } },
    ]
}

extension Double {
    /// The degrees in units of a ten-millionth, as MAVLink has them.
    fileprivate var inE7: Int { Int(clamping: (self * 1e7).rounded()) }
}

extension PublishRecord.Occasion {
    /// The name of the occasion for programs, which the queue on the disk has too.
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
