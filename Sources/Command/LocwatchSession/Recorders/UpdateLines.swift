package import LocationCore
import LocationTracks
import LocwatchSupport

/// The lines of a session: those of the source, or gpsd's JSON for the updates of a provider without lines, such as a fleet.
///
/// The lines that are made contain positions with their satellites, and losses of the position.
package struct UpdateLines {
    /// Whether the provider has given a line, so that none is made.
    package private(set) var hasLines = false
    private var writer = TrackFormat.gpsd.writer()

    package init() {}

    /// Returns the lines for an update, without line ends; the losses of machines with names are reported one by one.
    package mutating func lines(for update: TrackedUpdate, _ view: SessionView) -> [ArraySlice<UInt8>] {
        if case .update(let event, _) = update, case .line(let line) = event.event {
            hasLines = true
            return [line[...]]
        }
        guard !hasLines else { return [] }
        var out = TextBuffer()
        switch update {
        case .transition:
            if let (_, change) = view.subjectChange(of: update), case .found = change.from {
                writer.gap(.loss(change), into: &out)
            }
        case .deviceTransition, .handover, .fence, .integrity, .failureEnded: break
        case .update(let update, _):
            switch update.event {
            case .location(let location):
                writer.append(TrackPoint(location, sky: update.sky), into: &out)
            case .searching(let reason, let device?) where update.subject != nil: append(reason, of: device, into: &out)
            case .searching, .failure, .satellites, .attitude, .device, .receiver, .clock, .authorization, .line,
                .notice, .other:
                break
            }
        }
        return out.lines.map { $0[...] }
    }

    /// Appends gpsd's report for a machine with a name that is gone, or that has no fix.
    private func append(_ reason: SearchReason, of device: String, into out: inout TextBuffer) {
        let name = JSONText.quoted(device)
        switch reason {
        // gpsd reports a receiver that it has closed without the time of its last byte.
        case .deviceLost: out.put(Array("{\"class\":\"DEVICE\",\"path\":\(name)}\n".utf8))
        case .noFix: out.put(Array("{\"class\":\"TPV\",\"device\":\(name),\"mode\":1}\n".utf8))
        default: break
        }
    }
}
