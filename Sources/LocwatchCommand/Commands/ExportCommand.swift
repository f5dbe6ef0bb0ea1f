import LocationCore
import LocationTracks

/// `export`: a session as a track, live or out of a recording.
final class ExportCommand: SessionHandler {
    private let format: ExportFormat
    private let source: SourceWord
    private let settings: Settings
    private let destination: TrackDestination
    private var search: PositionSearch
    private var filter: LocationFilter
    private var assembler: TrackAssembler
    private var thinning: TrackThinning
    private var simplification: TrackThinning?
    private var pieces: [TrackPiece] = []
    private var count = 0
    private var scribe: TrackScribe?
    private var progress: ReadingProgress?
    private weak var loop: SessionLoop?

    init(_ format: ExportFormat, _ source: SourceWord, _ settings: Settings) {
        self.format = format
        self.source = source
        let settings = settings.withoutWaiting(for: source)
        self.settings = settings
        destination = TrackDestination(source, settings)
        search = PositionSearch(accuracy: settings.accuracy, maxAge: settings.maximumAge)
        filter = LocationFilter(
            LocationRequest(desiredAccuracy: settings.accuracy, maximumAge: settings.maximumAge))
        assembler = TrackAssembler(device: settings.device, keepsSatellites: format == .nmea)
        thinning = TrackThinning(every: settings.every, minMove: settings.minimumMove)
        simplification = settings.simplification.map { TrackThinning(simplify: $0) }
    }

    /// Runs the command to its end.
    func run(_ session: CommandSession, _ environment: [String: String]) -> ExitCode {
        if settings.rotation != nil, !destination.canRotate {
            session.say(UsageError("--rotate needs --output with the name of a file", command: .export).text)
            return .usage
        }
        progress = ReadingProgress(
            source, settings, environment, sharesScreen: destination == .output && Terminal.isShown(on: 1))
        // The line of the search would be wiped by that of the progress and the other way round.
        return session.follow(source, settings, for: self, hasStatus: source.isLive) { [progress] chunk, _ in
            progress?.take(chunk.count)
        } begin: { (loop) throws(OutputFailure) in
            self.loop = loop
            scribe = try TrackScribe(
                destination.open(format, settings, now: session.clock.now.wall), signals: session.signals)
        } end: { loop, outcome in
            progress?.wipe()
            return end(session, loop, outcome)
        }
    }

    private func end(_ session: CommandSession, _ loop: SessionLoop, _ outcome: SessionOutcome) -> ExitCode {
        let shortfall = search.shortfall(after: loop.lasted)
        let code = session.end(outcome, shortfall: shortfall) { (reason) throws(OutputFailure) in
            guard let scribe else { return }
            finishTrack(at: loop.now.wall)
            if !pieces.isEmpty { try scribe.append(pieces) }
            // Of what is no session nothing is left behind.
            let isAbandoned = reason == .failed && count == 0
            let written = try scribe.finish(
                at: loop.now.wall, isAbandoned: isAbandoned, isForReader: !destination.canRotate)
            if !isAbandoned { report(written, session) }
        }
        // A session that is over without a position has the same answer as a time that is up.
        switch outcome {
        case .ended(.ended), .ended(.duration): return code == .done && count == 0 ? session.fail(shortfall) : code
        case .ended, .signal, .failed, .output: return code
        }
    }

    private func report(_ written: TrackScribe.Written, _ session: CommandSession) {
        guard settings.verbosity > .quiet else { return }
        if let first = written.paths.first, let last = written.paths.last {
            let points = written.points == 1 ? "1 point" : "\(written.points) points"
            let files =
                written.paths.count == 1
                ? first.printable : "\(written.paths.count) files, \(first.printable) to \(last.printable)"
            session.say("locwatch: saved \(points) in \(files)\n")
        }
        if assembler.leftOut > 0, settings.device == nil {
            let others = assembler.leftOut == 1 ? "1 position" : "\(assembler.leftOut) positions"
            session.say("locwatch: left out \(others) of other receivers; --device PATH chooses one\n")
        }
    }

    func take(_ update: TrackedUpdate) throws(OutputFailure) -> SessionEnd.Reason? {
        if search.take(update) != nil { loop?.isSatisfied = true }
        if case .update(let told) = update, !filter.admits(told) { return nil }
        var isComplete = false
        let time = update.moment.wall
        assembler.take(update) { element in
            for kept in thinning.take(element) where !isComplete { isComplete = add(kept, at: time) }
        }
        return isComplete ? .count : nil
    }

    /// Takes what is left at the end, when all that limits it lets it through.
    private func finishTrack(at time: Timestamp) {
        for element in thinning.finish() where settings.count.map({ count < $0 }) ?? true { _ = add(element, at: time) }
        for element in simplification?.finish() ?? [] { pieces.append(TrackPiece(element: element, time: time)) }
    }

    /// Hands an element on; `true` when it is the last point that is wanted.
    private func add(_ element: TrackElement, at time: Timestamp) -> Bool {
        if case .point = element { count += 1 }
        if simplification == nil {
            pieces.append(TrackPiece(element: element, time: time))
        } else {
            for kept in simplification?.take(element) ?? [] { pieces.append(TrackPiece(element: kept, time: time)) }
        }
        return count == settings.count
    }

    var deadline: Moment? { nil }

    func expire(at moment: Moment) throws(OutputFailure) {}

    func flush() throws(OutputFailure) {
        guard let scribe else { return }
        try scribe.check()
        progress?.show()
        guard !pieces.isEmpty else { return }
        try scribe.append(pieces)
        pieces.removeAll(keepingCapacity: true)
    }

    var pendingOutput: Int32 { -1 }

    var isForReader: Bool { destination == .output }
}

extension TrackedUpdate {
    fileprivate var moment: Moment {
        switch self {
        case .transition(let transition): transition.moment
        case .update(let update): update.moment
        }
    }
}
