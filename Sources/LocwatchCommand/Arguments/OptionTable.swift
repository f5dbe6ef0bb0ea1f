import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// All options; parser, help, completions and manual page are derived from this table.
enum OptionTable {
    static let all: [OptionEntry] =
        output + ending + choosing + session + file + hooks + serving + publishing + targets + connection + general

    private static let output: [OptionEntry] = [
        .flag(
            "json", "j", "print JSON, one object per line (locwatch help schema)",
            in: .output, hasVariable: true
        ) { $0.output = .json },
        .value(
            "format", "f", .format,
            "print each position with a template, as in '%{lat} %{lon}' "
                + "(locwatch help template lists the names), or the state for a bar: "
                + EnglishList.or(StatusBar.all.map(\.name)),
            in: .output, hasVariable: true
        ) { $0.output = $1 },
        .flag("csv", "print CSV with a header", in: .output, hasVariable: true) { $0.output = .csv },
        .value(
            "columns", .columns, "write these CSV columns, separated by commas, or all", in: .output
        ) { $0.columns = $1 },
        .value(
            "sentences", .sentences,
            "send or write only these NMEA sentences, as in GGA,RMC,GST (default "
                + "\(NMEASentenceType.text(NMEASentenceType.usual)); GLL exists too)", in: .output
        ) { $0.sentences = $1 },
        .flag("text", "print text for people (default)", in: .output) { $0.output = .text },
        .flag(
            "states", "s", "print only changes of state, no positions", in: .output, hasVariable: true
        ) { $0.showsStatesOnly = true },
        .flag(
            "sky", "also print satellites, once an epoch (JSON: each report); with --csv, instead of positions",
            in: .output, hasVariable: true
        ) { $0.showsSky = true },
        .flag(
            "revisions", "print every report of an epoch, and of its satellites, instead of one line; JSON always does",
            in: .output, hasVariable: true
        ) { $0.showsRevisions = true },
        .value(
            "degrees", .word(["d": DegreeStyle.decimal, "dm": .minutes, "dms": .seconds]),
            "write angles in degrees, with minutes, or with seconds (default d)",
            in: .output, hasVariable: true
        ) { $0.degrees = $1 },
        .value(
            "units", .word(["metric": Units.metric, "imperial": .imperial, "nautical": .nautical]),
            "use these units in text and templates (default metric)",
            in: .output, hasVariable: true
        ) { $0.units = $1 },
        .flag("utc", "show times in UTC instead of local time", in: .output, hasVariable: true) { $0.usesUTC = true },
        .value(
            "precision", ValueSyntax.wholeNumber("DIGITS", in: 0...12).map { Precision.decimals($0) }.or("full", .full),
            "write coordinates with DIGITS decimals, or with full precision (default 7, and full in CSV)",
            in: .output, hasVariable: true
        ) { $0.chosenPrecision = $1 },
        OptionEntry(
            name: "plot", short: nil,
            argument: .optional(
                .init(ValueSyntax<String>.path) { $0.plot = .file($1) }, endings: PictureFile.endings,
                without: { $0.plot = .terminal }),
            summary: "draw plots in the terminal, or into FILE (.svg, .png)",
            hasVariable: false, group: .output),
        .flag(
            "ascii", "draw with ASCII characters only (default: what the locale can show)", in: .output,
            hasVariable: true
        ) { $0.usesASCII = true },
        .flag("watch", "keep running and print changes", in: .output) { $0.followsDevices = true },
    ]

    private static let ending: [OptionEntry] = [
        .value(
            "count", "n", .wholeNumber("N", in: 1...Int.max), "end after N positions; revisions do not count",
            in: .ending, hasVariable: true
        ) { $0.count = $1 },
        .value(
            "timeout", "t", .duration(),
            "give up if there is no good position or answer within DURATION of the start "
                + "(default once: 1m, doctor: 15s, control: 10s, else never)",
            in: .ending, hasVariable: true
        ) { $0.timeout = $1 },
        .value(
            "duration", "x", .duration(), "end after DURATION", in: .ending,
            hasVariable: true
        ) { $0.duration = $1 },
    ]

    private static let choosing: [OptionEntry] = [
        .value(
            "accuracy", "a", .metres(), "only positions at least as accurate as METRES",
            in: .choosing, hasVariable: true
        ) { $0.accuracy = $1 },
        .value(
            "max-age", .duration(atLeast: .zero),
            "only positions that are at most DURATION old; in a fleet those older than 10m are late by default",
            in: .choosing, hasVariable: true
        ) { $0.maxAge = $1 },
        .value(
            "fix", .word(["2d": FixKind.twoD, "3d": FixKind.threeD]),
            "wait for at least this kind of fix (default 2d)", in: .choosing, hasVariable: true
        ) { $0.fix = $1 },
        .value(
            "distance", "d", .metres(above: nil), "only positions at least METRES from the last one",
            in: .choosing, hasVariable: true
        ) { $0.distance = $1 },
        .value(
            "interval", "i", .duration(atLeast: .zero),
            "at most one position per DURATION, by the receiver's clock; it may be half a cycle early", in: .choosing,
            hasVariable: true
        ) { $0.interval = $1 },
        .value(
            "fence", .fence,
            "report in text and JSON when the position enters, leaves or stays in this circle, "
                + "or starts inside it; it leaves with one position far outside, or with several by more than 2.5 times their "
                + "accuracy; one whose accuracy is more than twice the radius does not count, and an unknown accuracy is taken "
                + "for 25 m; the exit code of 'once' tells whether it is inside, and 'monitor' shows it; can be given several "
                + "times",
            in: .choosing
        ) { $0.fences.append($1) },
        .value(
            "reference", .reference,
            "compare positions with a point whose place is known: the error of each, and in stats their mean, CEP, worst and "
                + "drift; HEIGHT is above sea level",
            in: .choosing
        ) { $0.reference = $1 },
        .value(
            "dwell", .duration(), "time inside a fence that counts as staying (default 5m)", in: .choosing,
            hasVariable: true
        ) { $0.dwell = $1 },
        .value(
            "device", .device,
            "use only this receiver, and positions that name none; in a fleet or a recording * and ? stand for any characters, "
                + "also of the last part of a name",
            in: .choosing,
            hasVariable: true
        ) { $0.device = $1 },
        .flag(
            "all-devices", "print positions and states, or write a track, for every receiver (not with nmea)",
            in: .choosing, hasVariable: true
        ) { $0.showsAllDevices = true },
        .value("every", .duration(), "the same as --interval", in: .choosing) { $0.interval = $1 },
        .value("min-move", .metres(), "the same as --distance", in: .choosing) { $0.distance = $1 },
        .value(
            "simplify", .metres(),
            "drop points that lie within METRES of the simplified line, which keeps the ends of each segment",
            in: .choosing
        ) { $0.simplification = $1 },
    ]

    private static let session: [OptionEntry] = [
        .value(
            "pace", .pace,
            "play a recording at its own pace, at full speed, or N times as fast "
                + "(default watch, web, monitor, serve: recorded, else max)",
            in: .session, hasVariable: true
        ) { $0.pace = $1 },
        .flag(
            "follow", "wait for more at the end of a file that is being written, as tail -f does", in: .session
        ) { $0.followsFile = true },
        .value(
            "stale", .duration(),
            "treat a position as lost after DURATION without a new one (default three times its "
                + "receiver's reporting interval, from 3s to 60s; 1d in a track)",
            in: .session, hasVariable: true
        ) { $0.staleAfter = $1 },
        .value(
            "speed", .speed, "give the points of a track that have no times those of a journey at SPEED, as in 50km/h",
            in: .session
        ) { $0.speed = $1 },
        .value(
            "corrections", .corrections,
            "give a serial receiver corrections (RTCM 3) from a caster, as in ntrip://USER@HOST:2101/MOUNT, from tcp://HOST:PORT, or "
                + "from a named pipe; gpsd then writes to the receiver",
            in: .session
        ) { $0.corrections = $1 },
        .flag(
            "no-reconnect", "end when the connection breaks", in: .session, hasVariable: true
        ) { $0.reconnects = false },
    ]

    private static let file: [OptionEntry] = [
        .value(
            "output", "o", .path, "write to FILE instead of standard output; %Y-%m-%d etc. become the date",
            in: .file
        ) { $0.outputPath = $1 },
        .flag("force", "overwrite an existing file", in: .file) { $0.overwrites = true },
        .value(
            "rotate", .rotation, "continue in a new file after a time or a size, as in 1h or 10MB", in: .file
        ) { $0.rotation = $1 },
        .value(
            "metrics-file", .path,
            "keep the metrics of the session in FILE for Prometheus, as in /var/lib/prometheus/node-exporter/locwatch.prom",
            in: .file
        ) { $0.metricsFile = $1 },
    ]

    private static let serving: [OptionEntry] = [
        .value(
            "listen", .listenAddress, "listen at ADDRESS (default: this machine only)", in: .serving,
            hasVariable: true
        ) { $0.listen = $1 },
        .value(
            "port", .wholeNumber("PORT", in: 0...65_535),
            "listen at PORT (default serve: 2947, or a free port if it is taken, web: 8080); 'serve --port 0' takes a free one",
            in: .serving, hasVariable: true
        ) { $0.port = $1 },
        .flag("loop", "start again at the end", in: .serving) { $0.loops = true },
        .value(
            "token-file", .path,
            "serve only those who have the token in FILE, which others must not be able to read (default LOCWATCH_TOKEN, "
                + "or the credential token of systemd, else no token)", in: .serving
        ) { $0.tokenFile = $1 },
        .value(
            "tiles", .tiles, "load the tiles of the map from URL, as in https://HOST/{z}/{x}/{y}.png (default none)",
            in: .serving, hasVariable: true
        ) { $0.tiles = $1 },
        .flag("redate", "shift the dates so that the session appears to happen now", in: .serving) {
            $0.redates = true
        },
        .value(
            "fault", .fault,
            "begin a fault, at a time, at a rate or at random; can be given several times "
                + "(locwatch help faults)", in: .serving
        ) { $0.testing.faults.append($1) },
        .value("script", .path, "perform the steps in FILE (locwatch help faults)", in: .serving) {
            $0.testing.script = $1
        },
        .value(
            "clock", .word(["system": false, "manual": true]),
            "manual: time passes only by the command step of the control socket", in: .serving
        ) { $0.testing.hasManualClock = $1 },
        .value("control", .socket, "make a Unix socket through which 'locwatch control' drives it", in: .serving) {
            $0.testing.control = $1
        },
        .value("pty", .socket, "also give NMEA on a pseudo terminal, as a serial receiver does", in: .serving) {
            $0.testing.terminal = $1
        },
        .flag("print-port", "print the port alone on the first line of standard output", in: .serving) {
            $0.testing.printsPort = true
        },
        .value(
            "ready-fd", .wholeNumber("N", in: 1...1_048_575),
            "write the port to the descriptor N and close it when clients can connect", in: .serving
        ) { $0.testing.readyDescriptor = $1 },
    ]

    private static let general: [OptionEntry] = [
        .value(
            "color", .word(["auto": ColorChoice.auto, "always": .always, "never": .never]),
            "use colour (default auto: on a terminal, unless NO_COLOR is set or TERM is dumb)",
            in: .general, hasVariable: true
        ) { $0.color = $1 },
        .flag(
            "quiet", "q", "print only fatal errors on standard error",
            in: .general, hasVariable: true
        ) { $0.verbosity = .quiet },
        .flag(
            "verbose", "v", "print session events besides positions on standard error", in: .general,
            hasVariable: true
        ) { $0.verbosity = .verbose },
        .flag("help", "h", "show help", in: .general) { $0.asksForHelp = true },
        .flag("version", "V", "show the version", in: .general) {
            $0.asksForVersion = true
        },
    ]
}

extension OptionEntry {
    /// Returns an option without a short letter and without a value.
    static func flag(
        _ name: OptionName, _ summary: String, in group: OptionGroup,
        hasVariable: Bool = false, set: @escaping @Sendable (inout Settings) -> Void
    ) -> OptionEntry {
        flag(name, nil, summary, in: group, hasVariable: hasVariable, set: set)
    }

    /// Returns an option without a short letter.
    static func value<Value>(
        _ name: OptionName, _ syntax: ValueSyntax<Value>, _ summary: String,
        in group: OptionGroup, hasVariable: Bool = false, set: @escaping @Sendable (inout Settings, Value) -> Void
    ) -> OptionEntry {
        value(name, nil, syntax, summary, in: group, hasVariable: hasVariable, set: set)
    }
}
