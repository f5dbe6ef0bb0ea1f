import LocationCore
import LocationGPSD

/// `watch`: follows the position, each fix and each change of state.
final class WatchCommand: SessionHandler {
    private let source: SourceWord
    private let settings: Settings
    private let output: OutputChannel
    private var printer: any EventPrinter
    private var filter: LocationFilter
    private var fences: FenceMonitor
    private var search: PositionSearch
    /// The receiver whose position is the current one, where there is one.
    private var speaker: Speaker?
    private var positions = PositionCount()
    private var failures = SessionFailures()
    /// What is to be said on standard error, after the output that it belongs to.
    private var remarks = ""
    private weak var loop: SessionLoop?

    private struct Speaker {
        let device: String?
    }

    init(_ source: SourceWord, _ settings: Settings, _ environment: [String: String]) {
        self.source = source
        self.settings = settings
        let printer = settings.printer(environment)
        self.printer = printer
        output = OutputChannel(manner: source.isLive ? .live : .complete) { notice in
            var copy = printer
            var line = TextBuffer()
            let moment = Moment(elapsed: .zero, wall: SessionClock.system().now.wall)
            copy.print(.update(LocationUpdate(.notice(notice), at: moment)), into: &line)
            // A form that has no place for it does not keep it back.
            if line.count == 0, settings.verbosity > .quiet {
                StandardStream.error.write("locwatch: \(notice.message)\n")
            }
            return line.bytes
        }
        filter = LocationFilter(
            LocationRequest(
                desiredAccuracy: settings.accuracy, distanceFilter: settings.distance,
                minimumInterval: settings.interval, maximumAge: settings.maximumAge))
        fences = FenceMonitor(fences: settings.fences, dwellAfter: settings.dwell ?? .seconds(300))
        search = PositionSearch(accuracy: settings.accuracy, maxAge: settings.maximumAge)
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession) -> ExitCode {
        // The line of the search tells of the strongest signal at once.
        let listsSatellites = settings.showsSky || session.status.isShown
        return session.follow(
            source, settings, for: self, listsSatellites: listsSatellites
        ) { (loop) throws(OutputFailure) in
            self.loop = loop
            try output.put { printer.start(SessionStart(source: source, now: session.clock.now.wall), into: &$0) }
        } end: { loop, outcome in
            session.end(outcome, shortfall: search.shortfall(after: loop.lasted)) {
                (reason) throws(OutputFailure) in
                if case .failed(let error) = outcome {
                    try output.put { printer.print(error, retry: nil, at: loop.now, into: &$0) }
                }
                let end = SessionEnd(time: loop.now.wall, reason: reason, locations: positions.count)
                try output.put { printer.end(end, into: &$0) }
                try output.finish()
            }
        }
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        // What was missing is only told of where there never was a position.
        if positions.count == 0 { _ = search.take(update) }
        switch update {
        case .transition(let transition):
            speaker = transition.to.location.map { Speaker(device: $0.device) }
            try output.put { printer.print(update, into: &$0) }
            return nil
        case .update(let event):
            if let failure = failures.news(in: event.event) { remark(on: failure) }
            switch event.event {
            case .location(let location): return try take(location, update, at: event.moment)
            case .satellites: try output.put(.sky) { printer.print(update, into: &$0) }
            case .failure(let error):
                try output.put { printer.print(error, retry: loop?.retry, at: event.moment, into: &$0) }
            case .searching, .device, .authorization, .notice:
                try output.put { printer.print(update, into: &$0) }
            }
            return nil
        }
    }

    /// Positions in a form for programs have no place for a failure, and a line for people has none for the advice.
    private func remark(on failure: LocationError) {
        guard settings.verbosity > .quiet, settings.output != .json else { return }
        // In so many words a verbose session tells it anyway.
        if settings.output != .text, settings.verbosity < .verbose {
            remarks += "locwatch: \(ErrorText(failure).message)\n"
        }
        if let advice = failures.advice(on: failure) { remarks += "locwatch: \(advice)\n" }
    }

    private func take(
        _ location: Location, _ update: TrackedUpdate, at moment: Moment
    ) throws(OutputFailure) -> SessionEnd.Reason? {
        // A position from before a loss is not current, and of several receivers the best one speaks.
        guard let current = speaker ?? (location.isLate ? Speaker(device: location.device) : nil),
            current.device == location.device || settings.device != nil
        else { return nil }
        if !settings.fences.isEmpty, !location.isLate {
            for event in fences.update(
                coordinate: location.coordinate, horizontalAccuracy: location.horizontalAccuracy, at: moment)
            {
                try output.put { printer.print(event, into: &$0) }
            }
        }
        guard case .update(let told) = update, filter.admits(told) else { return nil }
        try output.put(.location) { printer.print(update, into: &$0) }
        loop?.isSatisfied = true
        return !settings.showsStatesOnly && positions.take(location) && positions.count == settings.count ? .count : nil
    }

    // Asked for at every report, and reading the fences copies them.
    var deadline: Moment? { settings.fences.isEmpty ? nil : fences.deadline }

    func expire(at moment: Moment) throws(OutputFailure) {
        for event in fences.expire(at: moment) { try output.put { printer.print(event, into: &$0) } }
    }

    func flush() throws(OutputFailure) {
        if output.isWaiting {
            loop?.wipeStatus()
            try output.flush()
        }
        if !remarks.isEmpty {
            loop?.wipeStatus()
            StandardStream.error.write(remarks)
            remarks = ""
        }
    }

    var pendingOutput: Int32 { output.isWaiting ? output.descriptor : -1 }
}
