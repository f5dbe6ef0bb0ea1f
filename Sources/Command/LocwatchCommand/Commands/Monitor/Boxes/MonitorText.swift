import LocationCore
import LocwatchPrinting
import LocwatchSupport
import LocwatchTerminal

/// Figures as the boxes of the monitor show them.
struct MonitorText {
    let view: MonitorView

    private func text(_ write: (inout TextBuffer) -> Void) -> String { TextBuffer.text(write) }

    /// Returns a coordinate with its hemisphere.
    func coordinate(_ degrees: Double, _ axis: CoordinateAxis) -> String {
        guard view.degrees == .decimal else { return text { $0.put(coordinate: degrees, axis, view.style) } }
        let hemispheres = axis == .latitude ? ["N", "S"] : ["E", "W"]
        return text { $0.put(coordinate: degrees.magnitude, axis, view.style) } + " \(hemispheres[degrees < 0 ? 1 : 0])"
    }

    /// Returns two coordinates to about a metre.
    func shortPlace(_ coordinate: Coordinate) -> String {
        var style = view.style
        style.precision = .decimals(5)
        return text { $0.put(coordinate, between: " ", style) }
    }

    func length(_ metres: Double) -> String { text { $0.put(length: metres, in: view.units) } }

    func distance(_ metres: Double, inUnitOf other: Double? = nil) -> String {
        text { $0.put(distance: metres, in: view.units, inUnitOf: other) }
    }

    func accuracy(_ metres: Double) -> String { view.glyphs.text.plusMinus + length(metres) }

    /// Returns an accuracy in at most nine columns, up to 10 km.
    func shortAccuracy(_ metres: Double) -> String {
        view.glyphs.text.plusMinus + short(view.units.length(metres))
    }

    /// Returns a speed in at most eight columns.
    func shortSpeed(_ metresPerSecond: Double) -> String { short(view.units.speed(metresPerSecond)) }

    private func short(_ figure: (value: Double, unit: String)) -> String {
        "\(fixed(figure.value, figure.value < 99.95 ? 1 : 0)) \(figure.unit)"
    }

    func fixed(_ value: Double, _ decimals: Int) -> String { text { $0.put(fixed: value, decimals: decimals) } }

    func speed(_ metresPerSecond: Double, decimals: Int = 1) -> String {
        let (value, unit) = view.units.speed(metresPerSecond)
        return "\(fixed(value, decimals)) \(unit)"
    }

    /// Returns the speed over the ground, also in km/h if the units are metric.
    func groundSpeed(_ metresPerSecond: Double) -> String {
        let speed = speed(metresPerSecond)
        return view.units == .metric ? "\(speed) (\(fixed(metresPerSecond * 3.6, 1)) km/h)" : speed
    }

    func course(_ degrees: Double) -> String {
        text { $0.put(direction: degrees, view.glyphs.text) } + " \(Direction.compassPoint(degrees))"
    }

    /// Returns a text with the sign that the glyphs have for ±.
    func reduced(_ words: String) -> String {
        words.split(separator: "±", omittingEmptySubsequences: false).joined(separator: view.glyphs.text.plusMinus)
    }

    func clock(_ time: Timestamp) -> String { text { $0.put(clock: view.localTime.civil(time)) } }

    func dateAndClock(_ time: Timestamp) -> String {
        text { $0.put(date: view.localTime.civil(time)) } + " " + clock(time)
    }

    /// Returns an age in at most seven characters.
    func shortAge(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        return switch seconds {
        case ..<100: "\(seconds) s"
        case ..<6000: "\(seconds / 60) min"
        case ..<360_000: "\(seconds / 3600) h"
        default: "\(min(seconds / 86_400, 9999)) d"
        }
    }

    /// Returns an age that changes only with whole seconds, so that a screen changes at most once a second.
    func age(_ duration: Duration) -> String { Duration.seconds(max(0, duration.components.seconds)).spoken }
}

/// The state of the session, or of the chosen receiver, in words.
struct StateText {
    let word: String
    let tint: CellStyle.Tint
    /// The duration of the state and its reason.
    let details: String

    init(_ state: MonitorState, _ view: MonitorView) {
        func lasted(since: Duration) -> String {
            MonitorText(view: view).age(max(.zero, state.now.elapsed - since))
        }
        if let chosen = state.chosen, let device = state.devices[chosen] {
            (word, tint) = (device.word, device.tint)
            let time = lasted(since: device.since)
            details =
                switch device.state {
                case .found: Self.found(state.location, for: time)
                case .error: "for \(time)"
                case .searching: time + (device.reason.map { ": \(ReasonText($0).words)" } ?? "")
                case .unknown: device.isRemembered ? "no newer report" : "no report yet"
                }
            return
        }
        switch state.state {
        case .found(let location):
            (word, tint, details) = (StateWord.found, .good, Self.found(location, for: lasted(since: state.since)))
        case .searching(let reason):
            (word, tint) = (StateWord.searching(reason, hasPosition: state.location != nil), .waiting)
            details = "for \(lasted(since: state.searchedSince)): \(ReasonText(reason).words)"
        case .error(let error): (word, tint, details) = (StateWord.error, .bad, ErrorText(error).message)
        }
    }

    private static func found(_ location: Location?, for time: String) -> String {
        guard let location else { return "for \(time)" }
        // The quality changes within that time.
        return location.quality == .ordinary
            ? "\(location.fix.words) for \(time)" : "for \(time): \(location.fix.words) \(location.quality.words)"
    }

    /// Returns text in lines of at most `width` columns, except longer words, and the last one of `rows` lines.
    static func wrapped(_ text: String, width: Int, rows: Int) -> [String] {
        text.split(separator: " ").reduce(into: []) { lines, word in
            if let last = lines.last, lines.count >= rows || DisplayWidth.of("\(last) \(word)") <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
