import LocationCore
import LocationTracks
import LocwatchPrinting
import LocwatchTerminal

/// The box with the position, the state with its reason, and the figures of the fix.
struct PositionBox: MonitorBox {
    static let name = "position"

    let state: MonitorState
    let view: MonitorView

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? { .left }

    func rows(of rows: Int, above others: [any MonitorBox]) -> Int {
        others.reduce(min(rows, 17)) { min($0, $1.rowsForPosition(of: rows)) }
    }

    func draw(on frame: inout Frame, in area: Area) { drawLines(on: &frame, in: area) }

    /// Draws the box, and returns the row after its last line.
    @discardableResult
    func drawLines(on frame: inout Frame, in area: Area) -> Int {
        let isOld = !state.isCurrent
        var row = area.row
        let left = area.column + (area.columns >= 30 ? 1 : 0)
        if let location = state.location {
            for line in coordinates(location.coordinate, width: area.columns - 1) {
                frame.put(line, left, row, CellStyle.bold.dimmed(if: isOld), in: area)
                row += 1
            }
        } else {
            frame.put("no position yet", left, row, .faint, in: area)
            row += 1
        }
        row = drawState(on: &frame, in: area, at: left, row)
        row = drawObjection(on: &frame, in: area, at: left, row)
        let style = CellStyle.plain.dimmed(if: isOld)
        // The figures that do not fit are not made.
        for group in Group.allCases where row < area.row + area.rows {
            var column = left
            for part in parts(group).compactMap(\.self) {
                if column > left, column + 2 + DisplayWidth.of(part) > area.column + area.columns {
                    row += 1
                    column = left
                }
                column = frame.put(part, column > left ? column + 2 : column, row, style, in: area)
            }
            if column > left { row += 1 }
        }
        return row
    }

    /// The figures that begin a line together, the most important first.
    private enum Group: CaseIterable {
        case accuracy, corrections, reference, motion, attitude, satellites, fences, time, errors, altitude, place,
            vectors, receiver
    }

    private func drawState(on frame: inout Frame, in area: Area, at left: Int, _ row: Int) -> Int {
        let words = StateText(state, view)
        let style = CellStyle(tint: words.tint, attributes: .bold)
        let mark = words.tint == .good ? view.glyphs.usedMark : view.glyphs.seenMark
        var head = "\(mark) \(words.word.uppercased())"
        if !state.isCurrent, state.location != nil, let age = state.age { head += "  \(text.age(age)) old" }
        var row = row
        let rows = area.row + area.rows - row
        let width = area.column + area.columns - left
        guard rows > 0 else { return row }
        let column = frame.put("\(head)  ", left, row, style, in: area)
        // The reason follows on the same line if it fits, or else takes up to two lines of its own.
        if DisplayWidth.of(words.details) <= area.column + area.columns - column {
            frame.put(words.details, column, row, CellStyle(tint: words.tint), in: area)
            return row + 1
        }
        row += 1
        for line in StateText.wrapped(words.details, width: width, rows: min(3, rows - 1)) {
            frame.put(
                ShortenedText.sentence(line, to: width, view.glyphs.text), left, row, CellStyle(tint: words.tint),
                in: area)
            row += 1
        }
        return row
    }

    /// Draws why the position is not to be believed, if so, in as few words as the width requires.
    private func drawObjection(on frame: inout Frame, in area: Area, at left: Int, _ row: Int) -> Int {
        guard let objection = state.objection, row < area.row + area.rows else { return row }
        let style = CellStyle(tint: objection.to.tint, attributes: .bold)
        let words = IntegrityText(objection).forms.map { "\(objection.to.rawValue): \($0)" }
        frame.put(
            ShortenedText.first(of: words, to: area.column + area.columns - left, view.glyphs.text), left, row, style,
            in: area)
        return row + 1
    }

    private func coordinates(_ coordinate: Coordinate, width: Int) -> [String] {
        let latitude = text.coordinate(coordinate.latitude, .latitude)
        let longitude = text.coordinate(coordinate.longitude, .longitude)
        return DisplayWidth.of(latitude) + DisplayWidth.of(longitude) + 3 <= width
            ? ["\(latitude)   \(longitude)"] : [latitude, longitude]
    }

    private func parts(_ group: Group) -> [String?] {
        let location = state.location
        return switch group {
        case .accuracy: [location?.horizontalAccuracy.map(text.accuracy), location.flatMap(altitude)]
        case .corrections: [location.flatMap { corrections($0.correctionWords) }]
        case .motion:
            [
                location?.speed.map(text.groundSpeed), location?.course.map(text.course),
                state.distance.map { "distance \(text.distance($0))" },
            ]
        case .attitude: state.attitude.map { AttitudeText($0, view.glyphs.text).parts } ?? []
        case .satellites: satellites
        case .time:
            [
                state.age.map { "age \(text.age($0))" }, clock ?? delay,
                location?.timestamp.map { "fix \(text.clock($0))" },
            ]
        case .reference: reference
        case .fences:
            state.fences.map { fence in
                fence.isInside.map { isInside in
                    let distance = fence.distance.map { " \(text.distance($0))" } ?? ""
                    let bearing = fence.bearing.map { " \(text.course($0))" } ?? ""
                    return "\(isInside ? "inside" : "outside") \(fence.name.printable)\(distance)\(bearing)"
                }
            }
        case .errors: location.map(errors) ?? []
        case .altitude:
            [
                location?.climb.map { "climb \(text.speed($0))" },
                location?.altitudeMSL == nil ? nil : location?.altitudeHAE.map { "HAE \(text.length($0))" },
                location?.geoidSeparation.map { "geoid \(text.length($0))" },
                location?.magneticVariation.map { "var \(text.fixed($0, 1))" },
            ]
        case .place:
            [
                location.map { "grid \(MaidenheadLocator.text(of: $0.coordinate))" },
                location?.timestamp.map { text.dateAndClock($0) },
            ]
        case .vectors:
            [
                vector("ECEF", [.ecefX, .ecefY, .ecefZ], in: view.units.length(1).value, 0),
                location?[.ecefPositionAccuracy].map(text.accuracy),
                vector("V", [.ecefVelocityX, .ecefVelocityY, .ecefVelocityZ], in: view.units.speed(1).value, 2),
                location?[.ecefVelocityAccuracy].map { view.glyphs.text.plusMinus + text.speed($0, decimals: 2) },
            ]
        case .receiver:
            [
                antenna.map { "antenna \($0)" },
                (state.report?.jamming ?? location?[count: .jamming]).map { "jamming \($0)/255" },
                clock == nil ? nil : delay,
                state.chosen == nil ? state.positions.counting("position") : nil,
            ]
        }
    }

    /// The error against a point whose place is known, and the figures of all errors so far.
    private var reference: [String?] {
        guard let figures = state.scene.reference, let location = state.location else { return [] }
        let error = figures.point.error(of: location)
        func offset(_ name: String, _ metres: Double) -> String {
            "\(name) \(metres < 0 ? "" : "+")\(text.distance(metres))"
        }
        return [
            "\(text.distance(error.distance)) off", offset("E", error.east), offset("N", error.north),
            error.up.map { offset("U", $0) }, figures.distances.mean.map { "mean \(text.distance($0))" },
            figures.distances.median.map { "CEP50 \(text.distance($0))" },
            figures.distances.quantile(0.95).map { "CEP95 \(text.distance($0))" },
            figures.distances.maximum.map { "worst \(text.distance($0))" },
            figures.drift.map { "drift \(text.distance(($0.east * $0.east + $0.north * $0.north).squareRoot()))/h" },
        ]
    }

    /// The age of the corrections and their station.
    private func corrections(_ words: [String]) -> String? {
        words.isEmpty ? nil : "corrections \(words.joined(separator: ", "))"
    }

    private func altitude(_ location: Location) -> String? {
        guard let altitude = location.altitudeMSL ?? location.altitudeHAE else { return nil }
        let name = location.altitudeMSL == nil ? "HAE" : "alt"
        let accuracy = location.verticalAccuracy.map { " \(text.accuracy($0))" } ?? ""
        return "\(name) \(text.length(altitude))\(accuracy)"
    }

    private var satellites: [String?] {
        guard let sky = state.positionSky else { return [] }
        let dilution = sky.dilution
        func factor(_ name: String, _ value: Double?) -> String? { value.map { "\(name) \(text.fixed($0, 1))" } }
        let counts = [sky.used, sky.seen].map { $0.map(String.init) ?? "-" }.joined(separator: "/")
        return [
            "\(counts) used", factor("HDOP", dilution.horizontal), factor("VDOP", dilution.vertical),
            factor("PDOP", dilution.position), factor("TDOP", dilution.time), factor("GDOP", dilution.geometric),
            factor("XDOP", dilution.longitude), factor("YDOP", dilution.latitude),
        ]
    }

    /// The time from the fix to its arrival, by the host's clock.
    private var delay: String? {
        guard let time = state.location?.timestamp, let received = state.location?.received else { return nil }
        // More digits would change at each epoch.
        return "delay \(text.fixed(received.since(time).inSeconds, 1)) s"
    }

    /// The host's clock minus the receiver's, if gpsd compares them.
    private var clock: String? {
        guard let clock = state.scene.clock else { return nil }
        let unit = clock.unit(view.glyphs.text)
        let sign = clock.offset >= 0 ? "+" : ""
        let value = text.fixed(clock.offset * unit.count, unit.name == "s" ? 2 : 0)
        return "clock \(sign)\(value) \(unit.name) \(clock.name)"
    }

    private func errors(_ location: Location) -> [String?] {
        func error(_ name: String, _ value: Double?) -> String? { value.map { "\(name) \(text.length($0))" } }
        // A speed within its own error, as at a standstill, says nothing, and neither does its direction.
        let isMoving = location.speed.map { $0 >= location.speedAccuracy ?? 0 } ?? false
        let (speedError, courseError) = isMoving ? (location.speedAccuracy, location.courseAccuracy) : (nil, nil)
        return [
            error("err lon", location.longitudeAccuracy), error("err lat", location.latitudeAccuracy),
            error("err 3D", location.sphericalAccuracy),
            speedError.map { "err speed \(text.speed($0))" },
            courseError.map { "err course \(text.fixed($0, 1))\(view.glyphs.text.degree)" },
            location.timeAccuracy.map { "err time \(text.fixed($0, 3)) s" },
        ]
    }

    /// Returns a vector in a unit of which a metre, or a metre per second, has `count`.
    private func vector(_ name: String, _ axes: [Location.Field], in count: Double, _ decimals: Int) -> String? {
        let numbers = axes.compactMap { state.location?[$0] }
        guard numbers.count == axes.count else { return nil }
        return "\(name) \(numbers.map { text.fixed($0 * count, decimals) }.joined(separator: " "))"
    }

    private var antenna: String? {
        switch state.report?.antennaStatus ?? state.location?[count: .antennaStatus] {
        case nil: nil
        case 2?: "open"
        case 3?: "short"
        case let status?: "\(status)"
        }
    }
}
