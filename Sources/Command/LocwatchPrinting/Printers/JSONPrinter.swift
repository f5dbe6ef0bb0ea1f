package import LocationCore
package import LocationTracks
package import LocwatchArguments
import LocwatchSupport
package import LocwatchTerminal

/// A printer of JSON for scripts, one object per line, as `Schema/locwatch-1.schema.json` describes.
package struct JSONPrinter: EventPrinter {
    static let schema = "locwatch/1"

    package let precision: Precision
    let selection: EventSelection
    /// The source of the session, which advice repeats.
    private let source: SourceWord

    package init(
        precision: Precision = .decimals(7), selection: EventSelection = .init(), source: SourceWord = .standard
    ) {
        self.source = source
        self.precision = precision
        self.selection = selection
    }

    package func start(_ start: SessionStart, into out: inout TextBuffer) {
        JSONPrinter.putStart(start.source.description, into: &out)
    }

    /// Appends the first line of any JSON output.
    package static func putStart(_ source: String, into out: inout TextBuffer) {
        out.line("start") { line in
            line.member("schema", JSONPrinter.schema)
            line.member("version", Version.number)
            line.member("source", source)
        }
    }

    package func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        switch update {
        case .transition(let transition): print(transition, "state", view, into: &out)
        case .handover(let handover): print(handover, into: &out)
        case .deviceTransition(let transition):
            if selection.showsEach(view) { print(transition, "deviceState", view, into: &out) }
        case .fence(let event): print(event, view.place(of: event), into: &out)
        case .integrity(let change): print(change, into: &out)
        case .failureEnded: break
        case .update(let update, let standing):
            switch update.event {
            case .location(let location):
                guard selection.locations else { return }
                let shown = view.shown(standing, of: location)
                let point = view.reported(location, update.sky, at: update.moment, against: selection.reference)
                let fences = view.fencePlaces(for: location.device, from: location.coordinate)
                print(point, standing: shown, fences: fences, into: &out)
            case .satellites(let sky):
                if selection.sky { print(sky, received: update.moment.wall, into: &out) }
            case .attitude(let attitude):
                if selection.locations { print(attitude, received: update.moment.wall, into: &out) }
            case .device(let status):
                if selection.locations { print(status, at: update.moment, into: &out) }
            case .failure(let error, let retry): print(error, advice: nil, retry: retry, at: update.moment, into: &out)
            case .notice(let notice): print(notice, at: update.moment, into: &out)
            case .authorization(let status): print(status, at: update.moment, into: &out)
            case .searching, .receiver, .clock, .line, .other: break
            }
        }
    }

    package func print(
        _ failure: LocationError, advice: String?, retry: Duration?, at moment: Moment, into out: inout TextBuffer
    ) {
        let text = ErrorText(failure, of: source)
        out.line("error") { line in
            line.member("time", moment.wall)
            line.member("code", failure.code)
            line.member("message", text.message)
            line.member("advice", advice?.printable ?? text.advice)
            line.member("retry", retry)
            guard case .noFix(.notRecorded(_, let before, let after)) = failure else { return }
            line.member("before", before)
            line.member("after", after)
        }
    }

    private func print(_ event: FenceEvent, _ place: FencePlace? = nil, into out: inout TextBuffer) {
        out.line("fence") { line in
            line.member("time", event.moment.wall)
            line.member("fence", event.fence)
            line.member("change", event.kind.rawValue)
            line.member("device", event.device)
            line.member("lat", event.coordinate.latitude, precision)
            line.member("lon", event.coordinate.longitude, precision)
            if let place { line.members(of: place) }
            line.member("text", "\(event.kind.words) \(event.fence.printable)")
        }
    }

    private func print(_ change: IntegrityChange, into out: inout TextBuffer) {
        out.line("integrity") { line in
            line.member("time", change.moment.wall)
            line.member("device", change.device)
            line.member("from", change.from.rawValue)
            line.member("to", change.to.rawValue)
            line.member("reasons", change.reasons.codes)
            line.member("message", change.message)
            line.member("text", IntegrityText(change).words)
        }
    }

    package func print(_ report: DeliveryReport, into out: inout TextBuffer) {
        out.line("delivery") { line in
            line.member("time", report.time)
            line.member("target", report.target)
            line.member("change", report.change.word)
            line.member("message", report.change.cause)
            line.member("retry", report.change.retry)
            line.member("records", report.change.records)
            line.member("queued", report.queued)
            line.member("sent", Int(clamping: report.sent))
        }
    }

    package func print(_ point: TrackPoint, at time: Timestamp, into out: inout TextBuffer) {
        // Every position has such a time, and that of a track is the time of its point.
        var point = point
        point.location.received = point.location.received ?? time
        print(point, into: &out)
    }

    package func end(_ end: SessionEnd, into out: inout TextBuffer) {
        out.line("end") { line in
            line.member("time", end.time)
            line.member("reason", end.reason.rawValue)
            line.member("locations", end.locations)
            line.member("text", end.reason.words)
        }
    }

    /// Appends a line for a position.
    ///
    /// - Parameters:
    ///   - standing: The standing of the position, if the line contains it.
    ///   - fences: The fences of the session.
    package func print(
        _ point: TrackPoint, as event: StaticString = "location", standing: TrackedUpdate.Standing? = nil,
        fences: [FencePlace] = [], into out: inout TextBuffer
    ) {
        out.beginLine(event)
        var writer = JSONFields(precision: precision)
        swap(&writer.out, &out)
        point.visitReported(&writer)
        swap(&writer.out, &out)
        out.member("standing", standing?.rawValue)
        if !fences.isEmpty {
            out.list("fences", fences) { object, place in
                object.member("name", place.name)
                if let isInside = place.isInside { object.member("inside", isInside) }
                object.members(of: place)
            }
        }
        out.put("}\n")
    }

    private func print(
        _ transition: StateChange, _ event: StaticString, _ view: SessionView, into out: inout TextBuffer
    ) {
        out.line(event) { line in
            line.member("time", transition.beginning.wall)
            line.member("from", transition.from.code)
            line.member("to", transition.to.code)
            line.member("reason", transition.reason.code)
            switch transition.to {
            case .found(let location): line.member("mode", location.fix.rawValue)
            case .searching(let reason): line.members(of: reason)
            case .error(let error): line.member("message", ErrorText(error).message)
            }
            line.member("after", transition.lasted)
            if case .found = transition.to { line.member("searchedFor", transition.searched) }
            line.member("device", transition.device)
            line.member("text", TransitionText.plain(transition, source: source, hasSearch: !view.isTrack))
        }
    }

    private func print(_ handover: Handover, into out: inout TextBuffer) {
        out.line("handover") { line in
            line.member("time", handover.moment.wall)
            line.member("from", handover.from)
            line.member("to", handover.to)
            line.member("reason", handover.reason.code)
            line.member("text", HandoverText(handover).words)
        }
    }

    private func print(_ status: DeviceStatus, at moment: Moment, into out: inout TextBuffer) {
        out.line("device") { line in
            line.member("time", moment.wall)
            line.member("device", status.path)
            line.member("activity", status.activity.rawValue)
            line.member("driver", status.driver)
            line.member("subtype", status.subtype)
            line.member("bps", status.speed)
            line.member("framing", status.framing)
            line.member("cycle", status.cycle)
            line.member("heard", status.lastHeard)
            line.member("battery", status.battery)
        }
    }

    private func print(_ notice: Notice, at moment: Moment, into out: inout TextBuffer) {
        switch notice.content {
        case .lastKnown(let location):
            if selection.locations { print(TrackPoint(location), as: "lastKnown", into: &out) }
        case .fence(let event): print(event, into: &out)
        default: if !notice.isMinor { printLine(of: notice, at: moment, into: &out) }
        }
    }

    private func printLine(of notice: Notice, at moment: Moment, into out: inout TextBuffer) {
        out.line("notice") { line in
            line.member("time", moment.wall)
            line.member("code", notice.code)
            line.member("message", notice.message)
            switch notice.content {
            case .linesSkipped(let count, _): line.member("lines", count)
            case .dropped(let locations, let skyViews, let others):
                line.member("locations", locations)
                line.member("skyViews", skyViews)
                if others > 0 { line.member("others", others) }
            case .implausibleDate(let date, let device):
                line.member("date", date)
                line.member("device", device)
            case .tornEnd(let bytes): line.member("bytes", bytes)
            case .implausibleValue(_, let device): line.member("device", device)
            case .unknownMessage(let device, _): line.member("device", device)
            case .messagesSkipped(let count, _): line.member("messages", count)
            case .corrections(let status):
                line.member("source", status.source)
                line.member("arriving", status.isArriving)
                line.member("fault", status.fault?.rawValue)
            case .message, .lastKnown, .fence, .staleAfter, .track, .leftOut: break
            }
        }
    }

    private func print(_ status: AuthorizationStatus, at moment: Moment, into out: inout TextBuffer) {
        out.line("notice") { line in
            line.member("time", moment.wall)
            line.member("code", "authorization")
            line.member("message", "positions: \(status.rawValue)")
            line.member("status", status.rawValue)
        }
    }
}

extension TextBuffer {
    /// Appends the figures of a position as seen from a fence.
    fileprivate mutating func members(of place: FencePlace) {
        member("distance", place.distance, decimals: 1)
        member("bearing", place.bearing, decimals: 1)
    }
}

/// A visitor that appends the known fields of a position as members of an object.
private struct JSONFields: LocationFieldVisitor {
    let precision: Precision
    var out = TextBuffer()

    var wantsAbsent: Bool { false }
    mutating func time(_ key: StaticString, _ value: Timestamp?) { out.member(key, value) }
    mutating func coordinate(_ key: StaticString, _ value: Double, _ axis: CoordinateAxis) {
        out.member(key, value, precision)
    }
    mutating func number(_ key: StaticString, _ value: Double?, _ quantity: Quantity) { out.member(key, value) }
    mutating func numbers(_ fields: UInt64, known: UInt64, _ values: Span<Double>) {
        out.members(fields & known, of: values)
    }
    mutating func count(_ key: StaticString, _ value: Int?) { out.member(key, value) }
    mutating func word(_ key: StaticString, _ value: String?) { out.member(key, value) }
    mutating func mark(_ key: StaticString, _ value: Bool) { if value { out.member(key, true) } }
}

extension OutputFormat {
    package static let json = OutputFormat("--json", carrying: [.everyEvent, .diagnostics, .objects, .distance]) {
        settings, _, _ in
        JSONPrinter(
            precision: settings.output.precision, selection: settings.output.events, source: settings.source)
    }
}

extension JSONPrinter {
    /// Appends a line for a device of a fleet with its last known position.
    package func print(_ device: FleetDevice, at moment: Moment, into out: inout TextBuffer) {
        out.line("device") { line in
            line.member("time", moment.wall)
            line.member("device", device.name)
            line.member("activity", device.activity.rawValue)
            line.member("state", device.state.code)
            if case .searching(let reason) = device.state { line.member("reason", reason.code) }
            line.member("battery", device.battery)
            guard let location = device.location else { return }
            line.member("fixTime", location.timestamp)
            line.member("lat", location.coordinate.latitude, precision)
            line.member("lon", location.coordinate.longitude, precision)
            line.member("eph", location.horizontalAccuracy)
            line.member("speed", location.speed)
            line.member("course", location.course)
            line.member("received", location.received)
        }
    }
}
