import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPlatform
import LocwatchPrinting
import LocwatchSession
import LocwatchSupport
import LocwatchTerminal

/// The command `export`, which writes a live or recorded session as a track.
final class ExportCommand: Command, SessionHolder, SessionConsumer {
    static let entry = CommandEntry(
        "export",
        operands: [
            .one(of: "FORMAT", TrackFormat.allCases.map { ($0.name, $0.summary) }, former: ["json": "gpsd"]), .source,
        ],
        options: [
            "accuracy", "all-devices", "color", "columns", "count", "device", "distance", "duration", "fence",
            "follow", "force", "hook-limit", "interval", "max-age", "no-header", "no-reconnect",
            "on", "output", "pace", "quiet", "rotate", "sentences", "simplify", "stale", "state", "timeout", "utc",
            "verbose",
        ],
        readsAtOnce: true,
        summary: "convert to a track, such as GPX, GeoJSON or CSV",
        description: [
            "Converts a recording, or logs a running session.",
            "A log is complete after every position. An existing log is appended to as a new segment; a half-written last point is "
                + "removed. A log in GeoJSON or KML has a line for each step; exporting the log joins them. The file of "
                + "a recording appears when it is complete; an existing one is kept unless --force is given.",
            "The tracks of a GPX stay tracks with their names, and its segments stay segments. A message says what is left out, such as "
                + "heart rates and waypoints.",
            "With several receivers the track follows the current one, and a handover starts a segment. --all-devices "
                + "writes a track for each receiver, one after another in a file. \(EnglishList.and(contiguous)) have them only at "
                + "the end, from a temporary file. A running session with --output has a file for each, as log-ttyACM0.gpx, "
                + "whose second one with --rotate is log-ttyACM0.2.gpx. A fleet is always exported like that, as "
                + "log-owntracks+anna+phone.gpx.",
            "NMEA numbers the satellites as receivers do: SBAS from 33 on, GLONASS from 65 on, the others from 1 on. In GSA Galileo "
                + "begins at 301 and BeiDou at 401, because gpsd 3.22 takes lower numbers there for GPS.",
            "A session without a position gives an empty track and exit code 75. A running session waits for no slow disk or reader: "
                + "the points for which there is no room are left out, and the exit code is 74.",
        ],
        examples: [
            "locwatch export gpx drive.json -o drive.gpx": "convert a recording to a track",
            "locwatch export gpx -o '%Y-%m-%d.gpx' --rotate day": "log, a file for each day",
            "locwatch export gpx -o '%Y-%m-%d-%H%M.gpx' --rotate stop": "log, a file for each trip",
            "locwatch export csv drive.json | head": "look at the values",
            "locwatch export csv --columns time,lat,lon drive.json": "only some columns",
        ], overview: [0])

    /// The formats in which the text of a track is contiguous.
    private static var contiguous: [String] {
        TrackFormat.allCases.filter { $0.receivers == .inTracks }.map(\.title)
    }

    let session: CommandSession
    private let format: TrackFormat
    private let destination: TrackDestination
    private var assembler: TrackAssembler
    /// The tracks of all receivers, with `--all-devices`.
    private var receiverTracks: ReceiverTracks?
    private var tracks: ExportedTracks
    private var writer: BackgroundWriter<any TrackSink>?
    /// The number of pieces of a track that can wait for a slow disk or reader.
    private static let queueLimit = 8192
    /// The number of points that had no room in the queue of a live session.
    private var leftOut = 0
    /// The content of the file that is in none of its positions, in words.
    private var unread: [String] = []
    private var namedTracks = 0

    static func check(_ invocation: Invocation) throws(UsageError) {
        let format = format(of: invocation)
        func only(_ option: OptionName, _ works: (TrackFormat) -> Bool) throws(UsageError) {
            let formats = EnglishList.or(TrackFormat.allCases.filter(works).map(\.name))
            guard !works(format) else { return }
            throw UsageError(option, "works only with the format \(formats)")
        }
        let output = invocation.settings.output
        if output.columns != nil { try only("columns", \.choosesColumns) }
        if output.sentences != nil {
            try only(output.hasSentencesInColumns ? "columns" : "sentences", \.choosesSentences)
        }
        if invocation.settings.output.omitsHeader {
            try only("no-header", \.choosesColumns)
            if ![nil, "-"].contains(invocation.settings.file.path) {
                throw UsageError(
                    "no-header", "is for standard output; --output continues a file without a second header")
            }
        }
        if invocation.settings.output.events.everyReceiver, format.receivers == .nowhere,
            invocation.settings.request.device == nil
        {
            throw UsageError(
                of: "all-devices", message: "\(format) cannot name receivers; --device PATH selects one")
        }
        try checkRotation(invocation, format)
        try invocation.checkFileToWrite(invocation.settings.file.path)
        try invocation.checkFencesAreForHooks()
    }

    /// Checks that files can follow each other, and that those of a calendar have the time in their names.
    private static func checkRotation(_ invocation: Invocation, _ format: TrackFormat) throws(UsageError) {
        let file = invocation.settings.file
        guard let rotation = file.rotation else { return }
        guard TrackDestination(invocation.source, invocation.settings).canRotate, let path = file.path else {
            throw UsageError("rotate", "needs --output with a file name")
        }
        guard case .calendar(let period) = rotation else { return }
        // Without it the files of a log that is started again would be mixed.
        let first = Timestamp(nanosecondsSince1970: 0)
        let next = first.advanced(by: .seconds(period == .day ? 86_400 : 3600))
        guard LocalTimeText.formatted(first, path, inUTC: true) == LocalTimeText.formatted(next, path, inUTC: true)
        else { return }
        let name = period == .day ? "%Y-%m-%d" : "%Y-%m-%d-%H"
        throw UsageError(
            "rotate", "\(period) needs the time in the name, as in --output '\(name).\(format.fileExtension)'")
    }

    /// Returns the format that the first operand names; the parser accepts no other word.
    static func format(of invocation: Invocation) -> TrackFormat {
        invocation.word.flatMap(TrackFormat.init(named:)) ?? .gpx
    }

    static func run(_ session: CommandSession) -> ExitCode { ExportCommand(session).run() }

    private init(_ session: CommandSession) {
        format = Self.format(of: session.invocation)
        var session = session
        // Such a format has one track; the pattern selects its device.
        if format.receivers == .nowhere { session.settings.output.events.everyReceiver = false }
        self.session = session
        tracks = ExportedTracks(session.settings)
        destination = TrackDestination(session.source, session.settings)
        // The source gives only the positions of the receiver that --device names.
        assembler = TrackAssembler(keepsSatellites: format.keepsSatellites)
        if session.settings.output.events.everyReceiver {
            receiverTracks = ReceiverTracks(
                keepsSatellites: format.keepsSatellites, limit: destination.receiverLimit)
        }
    }

    private func run() -> ExitCode {
        let console = context.console
        var plan = SessionPlan(destination == .output ? ReaderWatch(console) : nil, self)
        plan.needs = .position
        plan.isBatch = true
        plan.request = LocationRequest(accuracy: settings.request.accuracy, maxAge: settings.request.maxAge)
        plan.showsDistance = settings.output.showsDistance
        plan.access?.writes = (settings.file.path.map { [$0] } ?? []) + [temporaryFolder]
        if !source.isLive {
            // Data on the same terminal would mix with the line.
            plan.shows.line = destination == .output && console.outputIsTerminal ? .none : .progress
        } else if destination != .output {
            plan.shows.work = { [unowned self] in "logging for \($0), \(tracks.count.counting("point"))" }
        }
        return session.run(plan, finish: finish)
    }

    func begin(_ loop: SessionLoop) throws(OutputFailure) {
        let sink = try destination.open(
            format, settings, source, output: context.console.output, now: context.clock.now.wall,
            temporaryFolder: temporaryFolder)
        do throws(SystemFailure) {
            writer = try BackgroundWriter(sink, limit: Self.queueLimit, attention: context.signals)
        } catch {
            throw .cannotCreate("\(error)")
        }
    }

    /// The folder for tracks of several receivers until they are written one after another.
    private var temporaryFolder: String {
        context.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/var/tmp"
    }

    private func finish(_ ending: Ending, _ loop: SessionLoop) throws(OutputFailure) -> CommandResult {
        guard let writer else { return .done(positions: tracks.count) }
        tracks.finish(at: ending.moment)
        let (count, pieces) = (tracks.count, tracks.takePieces())
        let saved = Lock((points: 0, paths: [String]()))
        // An input that is not a session leaves no file behind.
        let isAbandoned = ending.reason == .failed && count == 0
        if isAbandoned {
            writer.abandon()
        } else {
            writer.append { [time = ending.moment.wall] (sink) throws(OutputFailure) in
                try sink.process(pieces)
                try sink.finish(at: time)
                saved.withLock { $0 = (sink.points, sink.paths) }
            }
        }
        writer.finish(isForReader: !destination.canRotate)
        try writer.check()
        if !isAbandoned { report(saved.withLock { $0 }) }
        // The filters can add points.
        return .done(positions: count, code: leftOut > 0 ? .writingFailed : .done)
    }

    private func report(_ written: (points: Int, paths: [String])) {
        if let first = written.paths.first, let last = written.paths.last {
            let files =
                written.paths.count == 1
                ? first : "\(written.paths.count) files, \(first) to \(last)"
            narrator.say("saved \(written.points.counting("point")) in \(files)")
        }
        if format.choosesSentences, tracks.untimed > 0 {
            narrator.say(
                "\(tracks.untimed.counting("point")) without a time; gpsd reads no position from sentences without one")
        }
        if leftOut > 0 { narrator.sayFailure("the output was too slow: left out \(leftOut.counting("point"))") }
        if namedTracks > 0, !format.namesTracks { unread.append("names of \(namedTracks.counting("track"))") }
        if !unread.isEmpty { narrator.say("left out: \(unread.joined(separator: ", "))") }
        let skipped = receiverTracks?.leftOut ?? (settings.request.device == nil ? assembler.leftOut : 0)
        guard skipped > 0 else { return }
        let others = skipped.counting("position")
        let remedy =
            settings.output.events.everyReceiver
            ? "there are more than \(destination.receiverLimit)"
            : "--device PATH selects one, --all-devices includes all"
        narrator.say("skipped \(others) of other receivers; \(remedy)")
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        note(update)
        var isComplete = false
        if settings.output.events.everyReceiver {
            receiverTracks?.process(update) { isComplete = tracks.add($1, of: $0, view, at: update.moment) }
        } else {
            assembler.process(update) { isComplete = tracks.add($0, of: nil, view, at: update.moment) }
        }
        return isComplete ? .count : nil
    }

    /// Notes the tracks of a file, and its content that positions do not have.
    private func note(_ update: TrackedUpdate) {
        guard case .update(let update, _) = update, case .notice(let notice) = update.event else { return }
        switch notice.content {
        case .leftOut(let words): unread.append(words)
        case .track(.some): namedTracks += 1
        default: break
        }
    }

    func serve(_ ready: PollSet) throws(OutputFailure) -> SessionEnd.Reason? {
        guard let writer else { return nil }
        try writer.check()
        guard tracks.hasPieces else { return nil }
        // The session must not wait for the reader, and what waits for it must not grow without a limit.
        guard !source.isLive || !writer.isFull else {
            if !tracks.isTorn { narrator.say("the output takes nothing, so that points are left out until it does") }
            leftOut += tracks.dropPieces()
            return nil
        }
        let pieces = tracks.takePieces()
        writer.append(size: pieces.count) { (sink) throws(OutputFailure) in try sink.process(pieces) }
        try writer.check()
        return nil
    }

    func prepare(_ wait: inout SessionWait) { writer?.addRoom(to: &wait) }
}
