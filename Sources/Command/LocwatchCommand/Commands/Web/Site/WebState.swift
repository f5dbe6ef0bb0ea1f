import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchSupport

/// The state of a session as the page shows it: a value that is fed by its updates, in memory of limited size.
///
/// Each event is kept as the line of JSON that `watch -j` prints for it, so that a reader that comes later is shown the same
/// lines as one that was there. A position is kept itself, because its standing changes with the current receiver.
struct WebState: Sendable {
    /// The number of devices whose last lines are kept.
    static let deviceLimit = 2000
    private static let skyLimit = 16
    static let logLimit = 100

    private typealias Line = [UInt8]

    private struct Device {
        var status: Line?
        var state: Line?
        /// Whether the device has a current position by its state.
        var isFound = false
        var location: TrackPoint?
        /// The last position that a broker has kept.
        var known: Line?
        var sky: Line?
    }

    private var printer: JSONPrinter
    private let start: Line
    /// Whether several receivers of one machine have reported positions.
    private var hasRivalPositions = false
    private var text = TextBuffer()
    private var devices = PerDevice<Device>()
    private var log = Ring<Line>(limit: WebState.logLimit)
    private var skies = 0
    private(set) var state = LocationState.searching(.starting)
    private var stateLine: Line?
    /// The number of entries that the log had up to the line of the state.
    private var stateEnd = 0
    /// The current position, or the last one that was current.
    private var newest: TrackPoint?

    init(_ source: SourceWord, _ settings: Settings) {
        printer = JSONPrinter(
            precision: settings.output.precision, selection: EventSelection(sky: true, everyReceiver: true),
            source: source)
        start = Self.line { JSONPrinter.putStart(source.description, into: &$0) }
    }

    /// Returns the line that a printer writes, without its line break.
    private static func line(_ write: (inout TextBuffer) -> Void) -> Line {
        var out = TextBuffer()
        write(&out)
        return Array(out.written.dropLast())
    }

    /// The newest position as JSON, if it is current.
    var location: [UInt8]? { state.location == nil ? nil : newest.map(line) }

    /// The reason for which there is no current position, as JSON.
    var reason: [UInt8] {
        stateLine
            ?? Array("{\"event\":\"state\",\"from\":\"searching\",\"to\":\"searching\",\"reason\":\"starting\"}".utf8)
    }

    /// Processes an update or a change of state; returns its lines of JSON without line breaks.
    mutating func process(_ update: TrackedUpdate, _ view: SessionView) -> [[UInt8]] {
        hasRivalPositions = view.hasRivalPositions
        switch update {
        // A position of a receiver that has none at the moment would look like a current one.
        case .update(_, .repeated), .update(_, .outdated), .failureEnded: return []
        case .update, .transition, .deviceTransition, .handover, .fence, .integrity: break
        }
        text.removeAll()
        printer.print(update, view, into: &text)
        let printed = text.lines
        if let line = printed.last { keep(line, update, view) }
        return printed
    }

    private mutating func keep(_ line: [UInt8], _ update: TrackedUpdate, _ view: SessionView) {
        switch update {
        case .transition(let transition):
            state = transition.to
            stateLine = line
            log.append(line)
            stateEnd = log.total
        case .handover:
            log.append(line)
            newest = view.location.map { view.reported($0, view.sky(of: $0.device), at: update.moment) }
        case .fence, .integrity: log.append(line)
        case .deviceTransition(let transition):
            change(transition.device) { device in
                device.state = line
                device.isFound = transition.to.location != nil
            }
        case .failureEnded: break
        case .update(let update, let standing):
            switch update.event {
            case .location(let location):
                guard !location.isLate else { break }
                let point = view.reported(location, update.sky, at: update.moment)
                let hadSky = devices[location.device]?.sky != nil
                change(location.device) { device in
                    device.location = point
                    // The satellites that were shown are outdated.
                    if update.sky == nil { device.sky = nil }
                }
                if hadSky, update.sky == nil { skies -= 1 }
                if standing == .current { newest = point }
            case .satellites(let sky):
                let isNew = devices[sky.device]?.sky == nil
                guard !isNew || skies < Self.skyLimit else { break }
                if change(sky.device, { $0.sky = line }), isNew { skies += 1 }
            case .device(let status): change(status.path) { $0.status = line }
            case .notice(let notice):
                // Each machine with a name has a last known position, which would fill the log.
                if case .lastKnown(let location) = notice.content {
                    change(location.device) { $0.known = line }
                } else {
                    log.append(line)
                }
            case .failure, .authorization: log.append(line)
            case .searching, .attitude, .receiver, .clock, .line, .other: break
            }
        }
    }

    /// Changes what is kept of a device; returns false if there is no more room for it.
    @discardableResult
    private mutating func change(_ device: String?, _ body: (inout Device) -> Void) -> Bool {
        guard devices.count < Self.deviceLimit || devices[device] != nil else { return false }
        body(&devices[device, default: Device()])
        return true
    }

    /// Returns the line for the end of the session, which later readers get too.
    mutating func end(_ end: SessionEnd) -> [UInt8] {
        let line = Self.line { printer.end(end, into: &$0) }
        log.append(line)
        return line
    }

    /// Returns the line for the position of a device, which is its last known one unless it is current.
    private func line(of device: Device) -> Line? {
        guard let point = device.location else { return device.known }
        return device.isFound ? line(point) : Self.line { printer.print(point, as: "lastKnown", into: &$0) }
    }

    private func line(_ point: TrackPoint) -> Line {
        let isOnly = !hasRivalPositions || !devices.hasSeveral { $0.location != nil }
        let standing: TrackedUpdate.Standing = point.location.device == newest?.location.device ? .current : .other
        return Self.line { printer.print(point, standing: isOnly ? nil : standing, into: &$0) }
    }

    /// The lines with which a new reader begins: the last lines of each device, then the log.
    ///
    /// A position that is not current is a last known one, because nothing else in its line would say so.
    var lines: [[UInt8]] {
        var lines = [start]
        for device in devices.values {
            lines += [device.status, device.state, device.sky, line(of: device)].compactMap(\.self)
        }
        // Many later entries can have displaced the line of the state from the log.
        if let stateLine, log.total >= stateEnd + Self.logLimit { lines.append(stateLine) }
        return lines + log
    }
}
