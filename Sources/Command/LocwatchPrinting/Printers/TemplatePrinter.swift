import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchTerminal

/// A printer of positions in a form that the user gives, one per line, with `-` for unknown values.
struct TemplatePrinter: EventPrinter {
    let template: Template
    let style: TextStyle
    let selection: EventSelection
    let localTime: LocalTime
    private(set) var count = 0

    mutating func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        guard case .update(let update, _) = update else { return }
        guard selection.locations, case .location(let location) = update.event else { return }
        let reported = view.reported(location, update.sky, at: update.moment, against: selection.reference)
        print(reported, view, at: update.moment.wall, into: &out)
    }

    mutating func print(_ point: TrackPoint, at time: Timestamp, into out: inout TextBuffer) {
        print(point, SessionView(), at: time, into: &out)
    }

    /// Prints a line in which only what does not depend on a position is known.
    mutating func printMissing(at time: Timestamp?, into out: inout TextBuffer) {
        count += 1
        for (number, piece) in template.pieces.enumerated() {
            let start = out.count
            defer { putFallback(of: number, from: start, into: &out) }
            switch piece {
            case .text(let text): out.put(text)
            case .escape(let escape): out.put(escape.text)
            case .value(Self.timeField, _): out.put(time) { $0.put(rfc3339: $1) }
            case .value(let index, _):
                switch Template.Extra(value: index) {
                case .n: out.put(count)
                case .units: out.put(style.units.length(0).unit)
                case .speedUnits: out.put(style.units.speed(0).unit)
                case .clock: out.put(time) { $0.put(clock: localTime.civil($1)) }
                case .date: out.put(time) { $0.put(date: localTime.civil($1)) }
                default: out.putUnknown()
                }
            case .code, .fence: out.putUnknown()
            }
        }
        out.put("\n")
    }

    private static let timeField = PointFieldNames.all.firstIndex(of: "time")

    private mutating func print(
        _ reported: TrackPoint, _ view: SessionView, at wall: Timestamp, into out: inout TextBuffer
    ) {
        count += 1
        let location = reported.location
        for (number, piece) in template.pieces.enumerated() {
            let start = out.count
            defer { putFallback(of: number, from: start, into: &out) }
            switch piece {
            case .text(let text): out.put(text)
            case .escape(let escape): out.put(escape.text)
            case .value(let index, let decimals):
                if let extra = Template.Extra(value: index) {
                    put(extra, decimals, of: reported, view, at: wall, into: &out)
                    continue
                }
                var field = TemplateField(number: index, decimals: decimals, style: style)
                swap(&field.out, &out)
                reported.visitAll(&field)
                swap(&field.out, &out)
            case .code(let code, let length): out.put(code.text(of: location.coordinate, length: length))
            case .fence(let name, let figure, let decimals):
                let place = view.fencePlaces(for: location.device, from: location.coordinate).first { $0.name == name }
                switch figure {
                case .distance: put(place?.distance.map { style.units.length($0).value }, decimals, into: &out)
                case .bearing: put(place?.bearing, decimals, into: &out)
                }
            }
        }
        out.put("\n")
    }

    /// Replaces the dash of a value that is unknown by the text of the template for that case, if it has one.
    private func putFallback(of piece: Int, from start: Int, into out: inout TextBuffer) {
        guard let fallback = template.fallbacks[piece], out.written[start...].elementsEqual("-".utf8) else { return }
        out.cut(to: start)
        out.put(fallback)
    }

    /// Appends a computed number with a meaningful number of decimals, unless another one is requested.
    private func put(_ number: Double?, _ decimals: Int?, into out: inout TextBuffer) {
        switch (number, decimals) {
        case (nil, _): out.putUnknown()
        case (let number?, let decimals?): out.put(fixed: number, decimals: decimals)
        case (let number?, nil): out.put(trimmed: number, decimals: 1)
        }
    }

    private func put(
        _ extra: Template.Extra, _ decimals: Int?, of reported: TrackPoint, _ view: SessionView, at wall: Timestamp,
        into out: inout TextBuffer
    ) {
        let location = reported.location
        let start = out.count
        let time = localTime.civil(location.timestamp ?? location.received ?? wall)
        switch extra {
        case .age: put(location.ageWhenReceived.map { $0.inSeconds }, decimals, into: &out)
        case .clock: out.put(clock: time)
        case .compass: if let course = location.course { out.put(Direction.compassPoint(course)) }
        case .date: out.put(date: time)
        case .fences:
            for (index, fence) in view.entered(by: location.device).enumerated() {
                if index > 0 { out.put(UInt8(ascii: ",")) }
                out.put(printable: fence)
            }
        case .fix: out.put(location.fix.words)
        case .geo:
            out.put("geo:")
            put(location.coordinate, between: ",", into: &out)
            if let accuracy = location.horizontalAccuracy {
                out.put(";u=")
                out.put(shortest: accuracy)
            }
        case .mgrs: if let grid = UTMPosition(location.coordinate) { out.put(GridReference.text(of: grid)) }
        case .n: out.put(count)
        case .osm:
            out.put("https://www.openstreetmap.org/?mlat=")
            put(location.coordinate, between: "&mlon=", into: &out)
            out.put("#map=17/")
            put(location.coordinate, between: "/", into: &out)
        case .units: out.put(style.units.length(0).unit)
        case .speedUnits: out.put(style.units.speed(0).unit)
        case .utm: if let grid = UTMPosition(location.coordinate) { out.put(grid.text) }
        }
        if out.count == start { out.putUnknown() }
    }

    /// Appends a latitude and a longitude in decimal degrees, regardless of the style of angles.
    private func put(_ coordinate: Coordinate, between separator: String, into out: inout TextBuffer) {
        out.put(coordinate, between: separator, TextStyle(precision: style.precision))
    }
}

/// A visitor that appends the field at a given index of a point, or a dash if it is unknown.
private struct TemplateField: LocationFieldVisitor {
    let number: Int
    let decimals: Int?
    let style: TextStyle
    var out = TextBuffer()
    private(set) var index = -1

    var wantsAbsent: Bool { true }

    mutating func time(_ name: StaticString, _ value: Timestamp?) { put(value) { $0.put(rfc3339: $1) } }

    mutating func coordinate(_ name: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        var style = style
        if let decimals { style.precision = .decimals(decimals + style.degrees.decimalsOfUnit) }
        put(value) { $0.put(coordinate: $1, axis, style) }
    }

    mutating func number(_ name: StaticString, _ value: Double?, _ quantity: Quantity) {
        let (style, decimals) = (style, decimals)
        put(value) { out, value in
            let converted =
                switch quantity {
                case .length: style.units.length(value).value
                case .speed: style.units.speed(value).value
                default: value
                }
            if let decimals {
                out.put(fixed: converted, decimals: decimals)
            } else if converted == value {
                out.put(shortest: value)
            } else {
                // The conversion of a unit produces meaningless digits.
                out.put(trimmed: converted, decimals: 3)
            }
        }
    }

    mutating func count(_ name: StaticString, _ value: Int?) { put(value) { $0.put($1) } }

    mutating func word(_ name: StaticString, _ value: String?) { put(value) { $0.put(printable: $1) } }

    mutating func mark(_ name: StaticString, _ value: Bool) {
        put(value ? name : nil) { (out: inout TextBuffer, text: StaticString) in out.put(text) }
    }

    @inline(__always)
    private mutating func put<Value>(_ value: Value?, _ write: (inout TextBuffer, Value) -> Void) {
        index += 1
        guard index == number else { return }
        out.put(value, write)
    }
}

extension DegreeStyle {
    /// The decimals of a degree that the unit itself replaces.
    fileprivate var decimalsOfUnit: Int {
        switch self {
        case .decimal: 0
        case .minutes: 2
        case .seconds: 4
        }
    }
}

extension FixKind {
    /// The kind of fix as people write it.
    package var words: String {
        switch self {
        case .none: "no fix"
        case .twoD: "2D"
        case .threeD: "3D"
        }
    }
}

extension OutputFormat {
    static func template(_ template: Template, _ text: String) -> OutputFormat {
        let content: OutputFormat.FormatContent =
            template.shows("distance") ? [.positionsOnly, .distance] : .positionsOnly
        return OutputFormat("--format \(text)", carrying: content, fences: template.fences) {
            settings, style, localTime in
            TemplatePrinter(
                template: template, style: style, selection: settings.output.events, localTime: localTime)
        }
    }
}
