import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchTerminal

/// A printer of positions as InfluxDB's line protocol, such as for Telegraf.
struct InfluxPrinter: EventPrinter {
    /// The decimals of coordinates, or `nil` for the shortest exact text.
    let decimals: Int?
    let selection: EventSelection

    func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        guard case .update(let update, _) = update, selection.locations,
            case .location(let location) = update.event
        else { return }
        let point = view.reported(location, update.sky, at: update.moment, against: selection.reference)
        print(point, at: update.moment.wall, into: &out)
    }

    func print(_ point: TrackPoint, at time: Timestamp, into out: inout TextBuffer) {
        InfluxLine(point, decimals: decimals).append(
            at: point.location.timestamp ?? point.location.received ?? time, into: &out)
    }
}

extension OutputFormat {
    static let influx = OutputFormat("--format influx", carrying: .positionsOnly) { settings, _, _ in
        let decimals: Int? =
            if case .decimals(let decimals) = settings.output.chosenPrecision { decimals } else { nil }
        return InfluxPrinter(decimals: decimals, selection: settings.output.events)
    }
}
