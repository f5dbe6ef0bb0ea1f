import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchSupport
import LocwatchTerminal

/// A printer of text for people with one line per event, in columns, never wider than the style allows.
///
/// The steps of a start or of a search are printed as one line, unless `EventSelection.details` asks for each.
struct TextPrinter: EventPrinter {
    private var style: TextStyle
    let selection: EventSelection
    private var clock: ClockColumn
    private var positions = PositionColumns()
    private var start = StartText()
    private var isSingleLine = false
    /// The time at which the session began.
    private var beginning: Timestamp?
    private var hasPrinted = false
    private var hasAnswered = false
    private var hasStarted = false
    private var hasFound = false
    /// A change of state to a failure, held back until it is known whether another attempt follows.
    private var held: StateChange?
    /// A denial, held back until it is known whether a failure explains it.
    private var denial: Moment?
    /// The last failure that was printed, if no other event followed.
    private var failure: LocationError?
    private var receivers: [String: String] = [:]
    /// The moment of the last line about an attitude.
    private var attitudePrinted: Moment?
    private var entries: [Visit: Moment] = [:]

    init(style: TextStyle, selection: EventSelection = .init(), localTime: LocalTime) {
        self.style = style
        self.selection = selection
        clock = ClockColumn(localTime: localTime, usesColor: style.usesColor)
    }

    mutating func start(_ start: SessionStart, into out: inout TextBuffer) {
        self.start.source = start.source
        isSingleLine = start.isSingleLine
        if isSingleLine { clock.useDateOfToday(start.now, isInline: style.columns >= Self.leastInlineDate) }
    }

    mutating func fit(columns: Int) {
        guard columns != style.columns else { return }
        style.columns = columns
        positions.restore()
    }

    mutating func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        beginning = beginning ?? update.moment.wall
        if let location = update.foundPosition { clock.adjustFraction(to: location, emittedAt: update.moment) }
        switch update {
        // The receiver's own transition is printed instead.
        case .transition(let transition) where selection.showsEach(view) && transition.isOfReceiver: break
        case .transition(let transition):
            if transition.to.isFailure { denial = nil }
            release(into: &out)
            print(transition, view, into: &out)
        case .handover(let handover):
            release(into: &out)
            let text = HandoverText(handover)
            putLine("handover", .waiting, at: handover.moment.wall, into: &out) { room, glyphs in
                ShortenedText.names(to: room, glyphs, text.words)
            }
        case .deviceTransition(let transition):
            guard selection.showsEach(view), transition.isOfReceiver else { return }
            release(into: &out)
            print(ofReceiver: transition, view, into: &out)
        // A notice follows it, which says more.
        case .fence(let event): if event.kind != .undecided { print(event, into: &out) }
        case .integrity(let change):
            release(into: &out)
            let receiver = namesReceiver(view) ? change.device.map { name(of: $0, view) + ": " } ?? "" : ""
            let forms = IntegrityText(change).forms.map { receiver + $0 }
            putLine(change.to.rawValue, change.to.ink, at: change.moment.wall, forms, into: &out)
        case .failureEnded: break
        case .update(let update, let standing):
            if case .attitude(let attitude) = update.event {
                return print(attitude, view, at: update.moment, into: &out)
            }
            if case .failure = update.event { denial = nil }
            release(into: &out)
            print(update, standing, view, into: &out)
        }
    }

    private mutating func print(_ event: FenceEvent, into out: inout TextBuffer) {
        release(into: &out)
        let visit = Visit(device: event.device, fence: event.fence)
        if event.kind != .dwell { entries[visit] = event.moment }
        let stay = event.kind == .dwell ? entries[visit].map { $0.duration(to: event.moment) } : nil
        if event.kind == .exit { entries[visit] = nil }
        putLine("fence", .good, at: event.moment.wall, into: &out) { room, glyphs in
            ShortenedText.names(to: room, glyphs) { name in
                let device = event.device.map { name($0.printable) + ": " } ?? ""
                return "\(device)\(event.kind.words) \(name(event.fence.printable))"
                    + (stay.map { " after \($0.spoken)" } ?? "")
            }
        }
    }

    // Text has no room for the advice, which is on standard error.
    mutating func print(
        _ failure: LocationError, advice: String?, retry: Duration?, at moment: Moment, into out: inout TextBuffer
    ) {
        denial = nil
        // The failure and the next attempt are printed as one line.
        if held?.to == .error(failure) {
            held = nil
        } else {
            release(into: &out)
            guard selection.failures, failure != self.failure else { return }
        }
        self.failure = failure
        putError(failure, retry: retry, at: moment, into: &out)
    }

    mutating func print(_ report: DeliveryReport, into out: inout TextBuffer) {
        // The end of the program summarizes the records that were sent.
        if report.change == .ended, report.queued == 0 { return }
        release(into: &out)
        let ink: Ink =
            switch report.change {
            case .connected, .complete: .good
            case .waiting, .dropped, .rejected: .waiting
            case .held: .bad
            case .ended: .faint
            }
        putLine(report.change.word, ink, at: report.time, into: &out) { room, glyphs in
            report.words(to: room, glyphs)
        }
    }

    mutating func print(_ point: TrackPoint, at time: Timestamp, into out: inout TextBuffer) {
        print(point, of: SessionView(), at: time, into: &out)
    }

    mutating func end(_ end: SessionEnd, into out: inout TextBuffer) {
        // The program itself prints the error that ends a session, if anywhere else not where the output is.
        if end.reason == .failed, selection.failures { held = nil }
        release(into: &out)
        // The receiver was not recognized in the time of the session.
        guard hasAnswered, end.reason != .failed else { return }
        begin(at: Moment(elapsed: .zero, wall: beginning ?? end.time), device: nil, SessionView(), into: &out)
    }

    /// Prints the lines that were held back.
    private mutating func release(into out: inout TextBuffer) {
        if let moment = denial {
            denial = nil
            putLine("denied", .bad, at: moment.wall, ["permission to read positions was denied"], into: &out)
        }
        if let transition = held {
            held = nil
            if case .error(let error) = transition.to {
                putError(error, retry: nil, at: transition.moment, into: &out)
            }
        }
    }

    private mutating func print(_ transition: StateChange, _ view: SessionView, into out: inout TextBuffer) {
        switch transition.to {
        case .found(let location): printFound(transition, location, view, into: &out)
        case .error(let error):
            // The loss of a position is a change of state, which every output has.
            guard selection.failures || transition.from.location != nil, error != failure else { return }
            failure = error
            held = transition
        case .searching(let reason):
            if case .connected(let release) = reason {
                failure = nil
                hasAnswered = true
                start.release = release
            }
            if case .found = transition.from {
                printLost(transition, reason, into: &out)
            } else if selection.details {
                let status = transition.device.flatMap { view.status(of: $0) }
                let forms = [status, nil].map {
                    TransitionText(transition, style: style, status: $0, source: start.source).words
                }
                let all = forms + [ReasonText(reason).words]
                putLine("searching", .waiting, at: transition.moment.wall, all, into: &out)
            } else {
                switch reason {
                case .starting, .connecting: break
                case .connected: beginIfReady(at: transition.moment, view, into: &out)
                default: begin(at: transition.moment, device: transition.device, reason: reason, view, into: &out)
                }
            }
        }
    }

    /// Prints a change of a single receiver's state.
    private mutating func print(
        ofReceiver transition: StateChange, _ view: SessionView, into out: inout TextBuffer
    ) {
        let name = name(of: transition.device ?? "an unnamed receiver", view) + ": "
        switch transition.to {
        case .found(let location): printFound(transition, location, named: name, view, into: &out)
        case .searching(let reason):
            if case .found = transition.from { return printLost(transition, reason, named: name, into: &out) }
            begin(at: transition.moment, device: transition.device, reason: reason, view, into: &out)
        case .error: break
        }
    }

    private mutating func printFound(
        _ transition: StateChange, _ location: Location, named name: String = "", _ view: SessionView,
        into out: inout TextBuffer
    ) {
        failure = nil
        begin(at: transition.beginning, device: location.device, view, into: &out)
        hasFound = true
        let sky = view.sky(of: location.device)
        // A track has no search.
        let searched = view.isTrack ? .zero : transition.searched
        let forms = TransitionText.found(location, after: searched, used: sky?.used, seen: sky?.seen)
        putLine("found", .good, at: transition.beginning.wall, forms.map { name + $0 }, into: &out)
    }

    private mutating func printLost(
        _ transition: StateChange, _ reason: SearchReason, named name: String = "", into out: inout TextBuffer
    ) {
        let forms = TransitionText.lost(transition, reason).map { name + $0 }
        putLine("searching", .waiting, at: transition.moment.wall, forms, into: &out)
    }

    /// Prints the start line once gpsd has answered and recognized a receiver.
    private mutating func beginIfReady(at moment: Moment, _ view: SessionView, into out: inout TextBuffer) {
        guard hasAnswered, start.receiver?.driver != nil else { return }
        begin(at: moment, device: nil, view, into: &out)
    }

    /// Prints the line of the start once, unless each step has a line.
    private mutating func begin(
        at moment: Moment, device: String?, reason: SearchReason? = nil, _ view: SessionView, into out: inout TextBuffer
    ) {
        guard !hasStarted, !selection.details else { return }
        hasStarted = true
        // The first of several machines says nothing about the others.
        if !view.isFleet {
            if let device, start.receiver?.path != device {
                start.receiver = view.status(of: device) ?? DeviceStatus(path: device, activity: .unknown)
            }
            start.reason = reason
        }
        let text = start
        // The line is held back until it is known what there is, but the search began with the session.
        let began = hasPrinted ? moment.wall : beginning ?? moment.wall
        putLine("searching", .waiting, at: began, into: &out) { room, glyphs in text.words(to: room, glyphs) }
    }

    private mutating func print(
        _ update: LocationUpdate, _ standing: TrackedUpdate.Standing, _ view: SessionView, into out: inout TextBuffer
    ) {
        let wall = update.moment.wall
        switch update.event {
        case .location(let location):
            failure = nil
            guard selection.locations else { return }
            var point = view.reported(location, update.sky, at: update.moment, against: selection.reference)
            point.location.isLate = location.isLate || standing == .late
            print(point, of: view, at: wall, into: &out)
        case .satellites(let sky): if selection.sky { print(sky, view, at: wall, into: &out) }
        case .device(let status): print(status, at: update.moment, view, into: &out)
        case .notice(let notice):
            if case .fence(let event) = notice.content {
                print(event, into: &out)
                break
            }
            guard isShown(notice) else { break }
            // A source can be silent for long, and its search began before the notice.
            if hasAnswered { begin(at: update.moment, device: nil, view, into: &out) }
            putLine("notice", .faint, at: wall, notice.forms, into: &out)
        case .authorization(.denied): denial = update.moment
        case .searching, .failure, .attitude, .receiver, .clock, .authorization, .line, .other: break
        }
    }

    /// Returns whether a notice has a line: before the first position only if it tells why there is none.
    private func isShown(_ notice: Notice) -> Bool {
        if notice.isMinor { return false }
        switch notice.content {
        case .message, .corrections: return true
        default: return hasFound || selection.details
        }
    }

    private mutating func print(
        _ status: DeviceStatus, at moment: Moment, _ view: SessionView, into out: inout TextBuffer
    ) {
        clock.adjustFraction(to: status)
        failure = nil
        if start.receiver?.driver == nil || start.receiver?.path == status.path { start.receiver = status }
        if !hasStarted { beginIfReady(at: moment, view, into: &out) }
        let text = DeviceText(status)
        // Machines with names have no driver, and a line when they are found.
        if selection.showsEach(view), status.driver == nil, !selection.details { return }
        guard selection.locations, hasFound || selection.details, receivers[status.path] != text.words else { return }
        // At most as many paths are remembered as a gpsd can have open.
        if receivers.count >= 64 { receivers.removeAll() }
        receivers[status.path] = text.words
        putLine("device", .faint, at: moment.wall, into: &out) { room, glyphs in
            ShortenedText.names(to: room, glyphs, text.words)
        }
    }

    /// Prints an attitude while there is no position, at most once a second: a compass reports it many times.
    private mutating func print(
        _ attitude: Attitude, _ view: SessionView, at moment: Moment, into out: inout TextBuffer
    ) {
        guard selection.locations, view.location == nil else { return }
        if let attitudePrinted, attitudePrinted.duration(to: moment) < .seconds(1) { return }
        attitudePrinted = moment
        release(into: &out)
        let name = nameIfSeveral(of: attitude.device, view)
        let words = (name.isEmpty ? [] : [name]) + AttitudeText(attitude, style.glyphs).parts
        putLine("attitude", .faint, at: attitude.timestamp ?? moment.wall, into: &out) { room, glyphs in
            ShortenedText.list(words, separator: ", ", to: room, glyphs)
        }
    }

    /// Prints satellites, unless the report has only figures.
    private mutating func print(_ sky: SkyView, _ view: SessionView, at wall: Timestamp, into out: inout TextBuffer) {
        guard sky.seen != nil || sky.satellites != nil else { return }
        let text = SkyText(sky, named: nameIfSeveral(of: sky.device, view))
        let received = sky.timestamp == nil ? nil : wall
        putLine("sky", .faint, at: sky.timestamp ?? wall, received: received, into: &out) { room, glyphs in
            text.words(to: room, glyphs)
        }
    }

    private mutating func print(
        _ reported: TrackPoint, of view: SessionView, at wall: Timestamp, into out: inout TextBuffer
    ) {
        let location = reported.location
        let received = location.received ?? wall
        clock.put(location.timestamp ?? received, received: received, into: &out)
        let room = style.columns - clock.width
        positions.put(reported, named: nameIfSeveral(of: location.device, view), in: room, style, into: &out)
        out.put("\n")
        guard isSingleLine else { return }
        for forms in MeanText.lines(location, style) {
            putLine("mean", .faint, at: location.timestamp ?? received, received: received, into: &out) {
                room, glyphs in
                ShortenedText.first(of: forms, to: room, glyphs)
            }
        }
    }

    /// Returns whether a position has the name of its receiver, because there are others.
    ///
    /// A single line has room for it only if another one has reported a position too.
    private func namesReceiver(_ view: SessionView) -> Bool {
        isSingleLine ? view.hasSeveralPositions : view.receivers.count > 1
    }

    /// Returns the name of a receiver as the line of a position or of satellites shows it, or nothing if it has none.
    private func nameIfSeveral(of device: String?, _ view: SessionView) -> String {
        guard selection.showsEach(view) || namesReceiver(view), let device else { return "" }
        return name(of: device, view)
    }

    private func name(of device: String, _ view: SessionView) -> String { view.shownName(of: device, style) }

    private mutating func putError(
        _ error: LocationError, retry: Duration?, at moment: Moment, into out: inout TextBuffer
    ) {
        let message = ErrorText(error).message
        let forms = (retry.map { ["\(message); next attempt in \($0.spoken)"] } ?? []) + [message]
        putLine("error", .bad, at: moment.wall, forms, into: &out)
    }

    /// Appends a line with the longest of several forms of its text that fits.
    private mutating func putLine(
        _ word: String, _ ink: Ink, at time: Timestamp, _ forms: [String], into out: inout TextBuffer
    ) {
        putLine(word, ink, at: time, into: &out) { room, glyphs in ShortenedText.first(of: forms, to: room, glyphs) }
    }

    /// Appends a line with the time, a word for the kind of line, and the text that `words` fits to the room left.
    private mutating func putLine(
        _ word: String, _ ink: Ink, at time: Timestamp, received: Timestamp? = nil, into out: inout TextBuffer,
        _ words: (Int, Glyphs) -> String
    ) {
        hasPrinted = true
        clock.put(time, received: received, into: &out)
        out.put(word, in: ink, if: style.usesColor)
        out.put(repeating: UInt8(ascii: " "), count: Self.wordWidth - word.utf8.count)
        out.put(words(style.columns - clock.width - Self.wordWidth, style.glyphs))
        out.put("\n")
    }

    private static let wordWidth = 11
    /// The least width of a single line that begins with a date, so that the latitude and the longitude have room beside it.
    private static let leastInlineDate = 50
}
