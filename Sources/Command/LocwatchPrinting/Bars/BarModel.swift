import LocationCore
import LocwatchTerminal

/// The state of a session, gathered from its updates, as a bar shows it.
struct BarModel {
    private let style: TextStyle
    private let localTime: LocalTime
    private(set) var state = LocationState.searching(.starting)
    private var last: Location?
    private var sky: SkyView?
    private var status: DeviceStatus?
    /// The judgement of the current receiver, if it is not nominal.
    private var objection: IntegrityChange?
    /// The names of the fences that were entered but not left.
    private var fences: [String] = []

    init(style: TextStyle, localTime: LocalTime) {
        var style = style
        // A bar has no room for the centimetres of the default.
        if case .decimals(let decimals) = style.precision { style.precision = .decimals(min(5, decimals)) }
        self.style = style
        self.localTime = localTime
    }

    mutating func process(_ update: TrackedUpdate, _ view: SessionView) {
        objection = view.verdict == .nominal ? nil : view[view.lastLocation?.device]?.integrity
        switch update {
        case .transition(let transition): state = transition.to
        case .fence(let event): fences = view.entered(by: event.device)
        case .handover: if let location = view.location { show(location, view, at: update.moment) }
        case .deviceTransition, .integrity, .failureEnded: break
        case .update(let update, let standing):
            switch update.event {
            case .location(let location):
                guard standing == .current else { break }
                fences = view.entered(by: location.device)
                show(location, view, at: update.moment)
            // With a position its own satellites are shown.
            case .satellites(let new) where state.location == nil:
                if new.seen != nil || new.used != nil { sky = update.sky ?? new }
            // A reason of the same kind causes no transition, but its figures are newer.
            case .searching:
                if !state.differs(from: view.state) { state = view.state }
            case .device(let status) where isShown(status.path): self.status = status
            case .satellites, .attitude, .device, .receiver, .clock, .failure, .authorization, .line, .notice, .other:
                break
            }
        }
    }

    mutating func process(_ failure: LocationError) { state = .error(failure) }

    private mutating func show(_ location: Location, _ view: SessionView, at moment: Moment) {
        state = .found(location)
        last = location
        last?.received = location.received ?? moment.wall
        sky = view.sky(of: location.device)
        status = location.device.map { view.status(of: $0) ?? DeviceStatus(path: $0) } ?? status
    }

    /// Returns whether the reports of a receiver belong to what is shown: that of the position, or any if there is none.
    private func isShown(_ device: String?) -> Bool {
        guard let shown = state.location?.device else { return true }
        return device == shown
    }

    var barStatus: BarStatus {
        let kind = kind
        let words = "GPS \(kind.rawValue)"
        var status = BarStatus(kind: kind, text: words, shortText: words, tooltip: tooltip)
        switch state {
        case .found(let location):
            let margin = margin(of: location) ?? location.fix.words
            status.text = "\(fences.isEmpty ? coordinates(location, " ") : fences.joined(separator: ", ")) \(margin)"
            status.shortText = fences.last ?? margin
        case .searching(.noFix) where kind != .stale: if let seen { status.text += ", \(seen.counting("satellite"))" }
        case .searching, .error: break
        }
        return status
    }

    private var kind: BarStatus.StatusKind {
        switch state {
        case .found where objection?.to == .alarm: .alarm
        case .found where objection?.to == .suspect: .suspect
        case .found: .found
        case .error: .error
        case .searching(.silent): .stale
        case .searching(let reason) where reason.isSilence && last != nil: .stale
        case .searching: last == nil ? .searching : .lost
        }
    }

    /// The number of satellites seen, from a report without a fix if any, because that is newer than the sky view.
    private var seen: Int? {
        if case .searching(let reason) = state, let seen = reason.satellites?.seen { seen } else { sky?.seen }
    }

    /// The figures of the satellites; the best signal is that of the sky view if a report without a fix has none.
    private var figures: [String] {
        switch state {
        case .found: ReasonText.sky(seen: seen, used: sky?.used, best: sky?.bestSignal)
        case .searching(let reason):
            reason.satellites.map {
                ReasonText.sky(seen: seen, used: $0.used, best: $0.best ?? sky?.bestSignal)
            } ?? []
        case .error: []
        }
    }

    // MARK: The tooltip

    private var tooltip: [String] {
        var lines: [String] = []
        switch state {
        case .found(let location):
            lines.append("\(location.fix.words) fix" + (margin(of: location).map { ", \($0)" } ?? ""))
            lines.append(coordinates(location, ", "))
            lines += motion(of: location)
            if let objection { lines.append("\(objection.to.rawValue): \(IntegrityText(objection).words)") }
        case .searching(.noFix): lines.append("searching: no fix")
        case .searching(let reason): lines.append("searching: \(ReasonText(reason).words)")
        case .error(let error): lines.append("error: \(ErrorText(error).message)")
        }
        if !figures.isEmpty { lines.append(figures.joined(separator: ", ")) }
        if let status { lines.append(status.words.map { "\($0) on \(status.path)" } ?? status.path) }
        if state.location == nil, let last { lines.append(description(ofLast: last)) }
        return lines
    }

    private func margin(of location: Location) -> String? {
        location.horizontalAccuracy.map { style.glyphs.plusMinus + length($0) }
    }

    private func motion(of location: Location) -> [String] {
        let parts =
            [
                location.altitudeMSL.map { length($0) + " above sea level" },
                location.speed.map { speed in TextBuffer.text { $0.put(speed: speed, in: style.units) } },
                location.course.map { course in TextBuffer.text { $0.put(direction: course, style.glyphs) } },
            ].compactMap(\.self) + (location.attitude.map { AttitudeText($0, isBrief: true, style.glyphs).parts } ?? [])
        return parts.isEmpty ? [] : [parts.joined(separator: ", ")]
    }

    private func description(ofLast location: Location) -> String {
        let time = (location.timestamp ?? location.received).map(localTime.civil)
        return "last position \(coordinates(location, ", "))"
            + (time.map { time in " at " + TextBuffer.text { $0.put(clock: time) } } ?? "")
    }

    private func coordinates(_ location: Location, _ separator: String) -> String {
        TextBuffer.text { $0.put(location.coordinate, between: separator, style) }
    }

    private func length(_ metres: Double) -> String { TextBuffer.text { $0.put(length: metres, in: style.units) } }
}
