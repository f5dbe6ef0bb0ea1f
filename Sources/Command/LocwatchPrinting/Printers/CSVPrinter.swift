import LocationCore
import LocationTracks
package import LocwatchArguments
import LocwatchSupport
import LocwatchTerminal

/// A printer of CSV with a header (RFC 4180) and a record for each position, as `export csv` writes it.
struct CSVPrinter: EventPrinter {
    private struct Track {
        var writer: CSVWriter
        var lastTime: Timestamp?

        mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
            let time = point.location.timestamp
            if let gap = TrackGap(from: lastTime, to: time) { writer.gap(gap, into: &out) }
            lastTime = time ?? lastTime
            writer.append(point, into: &out)
        }
    }

    private let selection: EventSelection
    private var track: Track
    /// Whether the header precedes the first position, because the output of `once` has nothing without one.
    private var needsHeader = false
    /// The tracks of the receivers, which number segments separately if each of them is printed.
    private var receivers = PerDevice<Track>()

    init(
        columns: CSVColumns = .standard, precision: Precision = .full, selection: EventSelection = EventSelection()
    ) {
        self.selection = selection
        let decimals: Int? = if case .decimals(let decimals) = precision { decimals } else { nil }
        track = Track(writer: CSVWriter(columns, decimals: decimals))
    }

    mutating func start(_ start: SessionStart, into out: inout TextBuffer) {
        needsHeader = start.isSingleLine
        if !needsHeader { track.writer.beginFile(into: &out) }
    }

    private mutating func putHeader(into out: inout TextBuffer) {
        guard needsHeader else { return }
        needsHeader = false
        track.writer.beginFile(into: &out)
    }

    mutating func print(_ point: TrackPoint, at time: Timestamp, into out: inout TextBuffer) {
        putHeader(into: &out)
        track.writer.append(point, into: &out)
    }

    mutating func printMissing(at time: Timestamp?, into out: inout TextBuffer) {
        putHeader(into: &out)
        track.writer.appendMissing(at: time, into: &out)
    }

    mutating func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        switch update {
        case .fence, .integrity, .failureEnded: break
        case .update(let update, _):
            guard case .location(let location) = update.event else { return }
            putHeader(into: &out)
            let point = view.reported(location, update.sky, at: update.moment, against: selection.reference)
            if selection.showsEach(view) {
                receivers[location.device, default: track].append(point, into: &out)
            } else {
                track.append(point, into: &out)
            }
        case .transition(let transition):
            if case .found = transition.from { track.writer.gap(.loss(transition), into: &out) }
        case .handover(let handover): track.writer.gap(.handover(handover), into: &out)
        case .deviceTransition(let transition):
            guard selection.showsEach(view), case .found = transition.from else { return }
            receivers[transition.device, default: track].writer.gap(.loss(transition), into: &out)
        }
    }
}

/// A printer of CSV with only the changes of state.
struct StateCSVPrinter: EventPrinter {
    /// If it shows each receiver's states, only those states of the session are printed that no receiver caused.
    var selection = EventSelection()

    func start(_ start: SessionStart, into out: inout TextBuffer) {
        out.put("time,from,to,reason,after,device,message\r\n")
    }

    func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        switch update {
        case .transition(let transition):
            if !selection.showsEach(view) || !transition.isOfReceiver { print(transition, into: &out) }
        case .deviceTransition(let transition):
            if selection.showsEach(view), transition.isOfReceiver { print(transition, into: &out) }
        case .handover(let handover):
            out.put(rfc3339: handover.moment.wall)
            out.put(",found,found,\(handover.reason.code),")
            put(handover.to, HandoverText(handover).words, into: &out)
        case .update, .fence, .integrity, .failureEnded: break
        }
    }

    private func print(_ transition: StateChange, into out: inout TextBuffer) {
        out.put(rfc3339: transition.beginning.wall)
        out.put(",\(transition.from.code),\(transition.to.code),")
        out.put(csv: transition.reason.code)
        out.put(UInt8(ascii: ","))
        out.put(trimmed: transition.lasted.inSeconds, decimals: 3)
        put(transition.device, TransitionText(transition, style: TextStyle(glyphs: .ascii)).words, into: &out)
    }

    private func put(_ device: String?, _ message: String, into out: inout TextBuffer) {
        out.put(UInt8(ascii: ","))
        out.put(csv: device ?? "")
        out.put(UInt8(ascii: ","))
        out.put(csv: message)
        out.put("\r\n")
    }
}

/// A printer of CSV with a record for each satellite of each sky view.
struct SatelliteCSVPrinter: EventPrinter {
    func start(_ start: SessionStart, into out: inout TextBuffer) {
        out.put("time,device,gnss,svid,prn,sigid,el,az,ss,used\r\n")
    }

    func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        guard case .update(let update, _) = update, case .satellites(let sky) = update.event else { return }
        for satellite in sky.satellites ?? [] {
            out.put(rfc3339: sky.timestamp ?? update.moment.wall)
            out.put(UInt8(ascii: ","))
            out.put(csv: sky.device ?? "")
            out.put(",\(satellite.constellation?.name ?? "")")
            for number in [satellite.number, satellite.prn, satellite.signalBand] {
                out.put(UInt8(ascii: ","))
                if let number { out.put(number) }
            }
            for number in [satellite.elevation, satellite.azimuth, satellite.signal] {
                out.put(UInt8(ascii: ","))
                if let number { out.put(shortest: number) }
            }
            out.put(satellite.isUsed ? ",1\r\n" : ",0\r\n")
        }
    }
}

extension OutputFormat {
    package static let csv = OutputFormat("--csv", carrying: .columns) { settings, _, _ in
        let selection = settings.output.events
        if !selection.locations { return StateCSVPrinter(selection: selection) }
        if selection.sky { return SatelliteCSVPrinter() }
        let isLookup = !settings.reading.times.isEmpty
        let usual: CSVColumns =
            isLookup ? .withInterpolation : selection.reference == nil ? .standard : .withErrors
        return CSVPrinter(
            columns: settings.output.columns ?? usual,
            precision: settings.output.chosenPrecision ?? .full, selection: selection)
    }
}
