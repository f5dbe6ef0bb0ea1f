import LocationCore
import LocationTracks

/// Positions in a form of the user's own, a line each; what is unknown is a `-`.
struct TemplatePrinter: EventPrinter {
    let template: Template
    let style: TextStyle
    let selection: EventSelection
    let localTime: LocalTime
    private var memory = SessionMemory()
    private var count = 0

    init(template: Template, style: TextStyle, selection: EventSelection, localTime: LocalTime) {
        self.template = template
        self.style = style
        self.selection = selection
        self.localTime = localTime
    }

    mutating func print(_ update: TrackedUpdate, into out: inout TextBuffer) {
        guard case .update(let update) = update else { return }
        memory.note(update.event)
        guard selection.locations, case .location(let location) = update.event else { return }
        count += 1
        let reported = memory.reported(location, at: update.moment)
        var fields = TemplateFields(template: template, style: style)
        reported.visitAll(&fields)
        for piece in template.pieces {
            switch piece {
            case .text(let text): out.put(text)
            case .field(let index): out.put(fields.text(of: index))
            case .extra(let extra): put(extra, of: reported, at: update.moment.wall, into: &out)
            }
        }
        out.put("\n")
    }

    private func put(_ extra: Template.Extra, of reported: TrackPoint, at wall: Timestamp, into out: inout TextBuffer) {
        let location = reported.location
        let start = out.count
        let time = localTime.civil(location.timestamp ?? location.received ?? wall)
        switch extra {
        case .clock: out.put(clock: time)
        case .compass: if let course = location.course { out.put(Direction.compassPoint(course)) }
        case .date: out.put(date: time)
        case .fix: out.put(location.fix.words)
        case .n: out.put(count)
        case .units: out.put(style.units.length(0).unit)
        case .speedUnits: out.put(style.units.speed(0).unit)
        }
        if out.count == start { out.put(UInt8(ascii: "-")) }
    }
}

/// Writes the fields that a template names, and keeps where each is.
private struct TemplateFields: PointFieldVisitor {
    private let style: TextStyle
    private let wanted: Set<Int>
    private var out = TextBuffer()
    private var index = -1
    private var places: [Int: Range<Int>] = [:]

    init(template: Template, style: TextStyle) {
        self.style = style
        wanted = Set(
            template.pieces.compactMap { piece in if case .field(let index) = piece { index } else { nil } })
    }

    var wantsAbsent: Bool { true }

    func text(of index: Int) -> ArraySlice<UInt8> {
        places[index].map { out.written[$0] } ?? []
    }

    mutating func time(_ key: StaticString, _ value: Timestamp?) {
        put(value) { $0.put(rfc3339: $1) }
    }

    mutating func coordinate(_ key: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        let style = style
        put(value) { $0.put(coordinate: $1, axis, style) }
    }

    mutating func number(_ key: StaticString, _ value: Double?, _ quantity: Quantity) {
        let style = style
        put(value) { $0.put(shortest: $1, quantity, style) }
    }

    mutating func count(_ key: StaticString, _ value: Int?) {
        put(value) { $0.put($1) }
    }

    mutating func word(_ key: StaticString, _ value: String?) {
        put(value) { $0.put(printable: $1) }
    }

    mutating func mark(_ key: StaticString, _ value: Bool) {
        put(value ? "late" : nil) { (out: inout TextBuffer, text: StaticString) in out.put(text) }
    }

    private mutating func put<Value>(_ value: Value?, _ write: (inout TextBuffer, Value) -> Void) {
        index += 1
        guard wanted.contains(index) else { return }
        let start = out.count
        if let value { write(&out, value) } else { out.put(UInt8(ascii: "-")) }
        places[index] = start..<out.count
    }
}

extension TextBuffer {
    /// A number as exactly as it came, or with three decimals where its unit had to be changed.
    fileprivate mutating func put(shortest value: Double, _ quantity: Quantity, _ style: TextStyle) {
        let converted =
            switch quantity {
            case .length: style.units.length(value).value
            case .speed: style.units.speed(value).value
            case .other: value
            }
        if converted == value { put(shortest: value) } else { put(trimmed: converted, decimals: 3) }
    }
}

extension FixKind {
    /// As people write it.
    var words: String {
        switch self {
        case .none: "no fix"
        case .twoD: "2D"
        case .threeD: "3D"
        }
    }
}
