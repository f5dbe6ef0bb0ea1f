import LocationCore
import LocationTracks

/// Text for people: a line an event, in columns.
struct TextPrinter: EventPrinter {
    let style: TextStyle
    let selection: EventSelection
    let localTime: LocalTime
    private var memory = SessionMemory()
    private var columns = Columns()
    /// What was shown of the last position.
    private var shown: (device: String?, words: [UInt8]) = (nil, [])
    private var source: SourceWord?
    private var day: Timestamp.Civil?
    /// Digits after the second; once a receiver tells fractions, every line has them.
    private var fractionDigits = 0
    /// A change of state to a failure, until it is known whether another attempt is made.
    private var held: Transition?

    init(style: TextStyle, selection: EventSelection = .init(), localTime: LocalTime) {
        self.style = style
        self.selection = selection
        self.localTime = localTime
    }

    mutating func start(_ start: SessionStart, into out: inout TextBuffer) {
        source = start.source
        day = localTime.civil(start.now)
    }

    mutating func print(_ update: TrackedUpdate, into out: inout TextBuffer) {
        switch update {
        case .transition(let transition):
            release(into: &out)
            if case .error = transition.to {
                held = transition
            } else {
                print(transition, into: &out)
            }
        case .handover(let handover):
            release(into: &out)
            print(handover, into: &out)
        case .deviceTransition: break
        case .update(let update):
            release(into: &out)
            memory.note(update.event)
            print(update, into: &out)
        }
    }

    mutating func print(_ event: FenceEvent, into out: inout TextBuffer) {
        release(into: &out)
        let words =
            switch event.kind {
            case .enter: "entered"
            case .exit: "left"
            case .dwell: "stays in"
            }
        put(time: event.moment.wall, into: &out)
        put(word: "fence", .good, into: &out)
        out.put("\(words) \(event.fence.printable)\n")
    }

    /// Without the time to the next attempt there is nothing to say that the change of state has not said.
    mutating func print(_ failure: LocationError, retry: Duration?, at moment: Moment, into out: inout TextBuffer) {
        guard let retry else { return release(into: &out) }
        // One line tells of the failure and of the next attempt.
        if held?.to == .error(failure) { held = nil }
        release(into: &out)
        put(time: moment.wall, into: &out)
        put(word: "error", .bad, into: &out)
        out.put("\(ErrorText(failure).message); next attempt in \(retry.spoken)\n")
    }

    mutating func end(_ end: SessionEnd, into out: inout TextBuffer) { release(into: &out) }

    /// Tells of a change of state that was held back.
    private mutating func release(into out: inout TextBuffer) {
        guard let transition = held else { return }
        held = nil
        print(transition, into: &out)
    }

    private mutating func print(_ transition: Transition, into out: inout TextBuffer) {
        put(time: transition.moment.wall, into: &out)
        put(state: transition.to, into: &out)
        out.put(
            TransitionText(
                transition, style: style, status: transition.device.flatMap { memory.status(of: $0) }, source: source
            ).words)
        out.put("\n")
    }

    private mutating func print(_ handover: Handover, into out: inout TextBuffer) {
        put(time: handover.moment.wall, into: &out)
        put(word: "handover", .waiting, into: &out)
        out.put(HandoverText(handover).words)
        out.put("\n")
    }

    private mutating func print(_ update: LocationUpdate, into out: inout TextBuffer) {
        let wall = update.moment.wall
        switch update.event {
        case .location(let location):
            if selection.locations { print(memory.reported(location, at: update.moment), at: wall, into: &out) }
        case .satellites(let sky):
            guard selection.sky else { return }
            put(time: sky.timestamp ?? wall, into: &out)
            put(word: "sky", .faint, into: &out)
            out.put(SkyText(sky, glyphs: style.glyphs).words)
            out.put("\n")
        case .device(let status):
            guard selection.locations else { return }
            put(time: wall, into: &out)
            put(word: "device", .faint, into: &out)
            out.put(DeviceText(status).words)
            out.put("\n")
        case .notice(let notice) where notice.isMinor: break
        case .notice(let notice):
            put(time: wall, into: &out)
            put(word: "notice", .faint, into: &out)
            out.put(printable: notice.message)
            out.put("\n")
        case .authorization(.denied):
            put(time: wall, into: &out)
            put(word: "denied", .bad, into: &out)
            out.put("positions may not be had here\n")
        case .searching, .failure, .receiver, .authorization, .line: break
        }
    }

    private mutating func print(_ reported: TrackPoint, at wall: Timestamp, into out: inout TextBuffer) {
        let location = reported.location
        let time = location.timestamp ?? location.received ?? wall
        let start = out.count
        fractionDigits = max(fractionDigits, time.millisecondDigits)
        put(time: time, into: &out)
        let style = style
        columns.begin(at: out.count)
        columns.put(.right(10), into: &out) { $0.put(coordinate: location.coordinate.latitude, .latitude, style) }
        columns.put(.right(10), into: &out) { $0.put(coordinate: location.coordinate.longitude, .longitude, style) }
        columns.put(.left(7), into: &out) { out in
            out.put(style.glyphs.plusMinus)
            out.put(location.horizontalAccuracy) { $0.put(length: $1, in: style.units) }
        }
        columns.put(.left(12), into: &out) { out in
            // The height above the ellipsoid is tens of metres off what people call altitude: it gets its own name.
            let isMSL = location.altitudeMSL != nil || location.altitudeHAE == nil
            out.put(isMSL ? "alt " : "hae ")
            out.put(location.altitudeMSL ?? location.altitudeHAE) { $0.put(length: $1, in: style.units) }
        }
        columns.put(.right(7), into: &out) { out in
            out.put(location.speed) { $0.put(speed: $1, in: style.units) }
        }
        columns.put(.right(4), into: &out) { out in
            out.put(location.course) { $0.put(direction: $1, style.glyphs) }
        }
        columns.put(.right(5), into: &out) { out in
            if reported.used == nil, reported.seen == nil { return out.put(UInt8(ascii: "-")) }
            out.put(reported.used) { $0.put($1) }
            out.put(UInt8(ascii: "/"))
            out.put(reported.seen) { $0.put($1) }
        }
        if location.fix == .twoD { out.put("  2D") }
        if location.quality != .ordinary { out.put("  \(location.quality.words)") }
        // What a revision adds may be nothing that is shown here.
        let words = Array(out.written[start...])
        if location.revision > 0, shown.device == location.device, shown.words == words { return out.cut(to: start) }
        shown = (location.device, words)
        if location.revision > 0 { out.put("  revised") }
        if location.isLate { out.put("  late") }
        if memory.receiverCount > 1, let device = location.device {
            out.put("  ")
            out.put(printable: device)
        }
        out.put("\n")
    }

    private func put(state: LocationState, into out: inout TextBuffer) {
        let ink: Ink =
            switch state {
            case .searching: .waiting
            case .found: .good
            case .error: .bad
            }
        put(word: state.word, ink, into: &out)
    }

    /// The word that says what kind of line it is, in a column of its own.
    private func put(word: String, _ ink: Ink, into out: inout TextBuffer) {
        out.put(word, in: ink, if: style.usesColor)
        out.put(repeating: UInt8(ascii: " "), count: 11 - word.utf8.count)
    }

    /// The local time of day; when the date is another than that of the line before, a line with the date comes first.
    private mutating func put(time: Timestamp, into out: inout TextBuffer) {
        // The moments of a recording that tells no time at all.
        if time == Timestamp(nanosecondsSince1970: 0) { return out.put("--:--:--  ") }
        let civil = localTime.civil(time)
        if let day, (day.year, day.month, day.day) != (civil.year, civil.month, civil.day) {
            var date = TextBuffer()
            date.put(date: civil)
            date.put("  \(localTime.zone(time))")
            out.put(date.text, in: .faint, if: style.usesColor)
            out.put("\n")
        }
        day = civil
        out.put(clock: civil)
        if fractionDigits > 0 {
            let digits = UInt64(civil.nanosecond / 1_000_000)
            out.put(UInt8(ascii: "."))
            out.put(digits: digits / [100, 10, 1][fractionDigits - 1], width: fractionDigits)
        }
        out.put("  ")
    }
}

extension TextBuffer {
    /// A value, or a dash where it is unknown.
    fileprivate mutating func put<Value>(_ value: Value?, _ write: (inout TextBuffer, Value) -> Void) {
        if let value { write(&self, value) } else { put(UInt8(ascii: "-")) }
    }
}

extension Timestamp {
    /// How many digits after the second tell it to the millisecond.
    fileprivate var millisecondDigits: Int {
        let milliseconds = civil.nanosecond / 1_000_000
        return milliseconds == 0 ? 0 : milliseconds % 100 == 0 ? 1 : milliseconds % 10 == 0 ? 2 : 3
    }
}
