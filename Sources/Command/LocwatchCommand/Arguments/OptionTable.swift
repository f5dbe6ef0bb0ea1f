import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// All options; parser, help, completions and manual page are derived from this table.
///
/// The summary of an option is one line of the help of a command; what `more` adds stands in the manual page only.
enum OptionTable {
    static let all: [OptionEntry] = [
        (OptionGroup.output, output), (.ending, ending), (.choosing, choosing), (.session, session), (.file, file),
        (.session, reactions), (.serving, serving), (.testing, testing), (.publishing, publishing),
        (.targets, targets), (.general, general),
    ].flatMap { group, options in options.map { $0.placed(in: group) } }

    /// The options that matter most, of which the short help of a command shows the first ten that it takes.
    static let main: [OptionName] = [
        "to", "output", "json", "format", "csv", "count", "timeout", "duration", "accuracy", "fix", "interval",
        "distance", "fence", "on", "device", "port", "listen", "fault", "control", "pace", "follow", "force", "plot",
        "check", "units", "verbose",
    ]

    private static let output: [OptionEntry] = [
        .flag("json", short: "j", "print JSON, one object per line", more: "'locwatch help schema' describes it.") {
            $0.output.format = .json
        },
        .value(
            "format", short: "f", .format, "print with a template, or for a status bar",
            more: "A template is as '%{lat} %{lon}'; 'locwatch help template' lists the names. The words for bars are "
                + EnglishList.and(StatusBar.all.map(\.name))
                + "; influx prints InfluxDB's line protocol, as for Telegraf, and text is the usual text."
        ) { $0.output.format = $1 },
        .flag("csv", "print CSV with a header") { $0.output.format = .csv },
        .value(
            "columns", .columns, "the columns of CSV",
            more: "As in time,lat,lon, or all."
        ) {
            switch $1 {
            case .csv(let columns): $0.output.columns = columns
            case .sentences(let types): ($0.output.sentences, $0.output.hasSentencesInColumns) = (types, true)
            }
        },
        .value(
            "sentences", .sentences, "the sentences of NMEA",
            more: "As in GGA,RMC. The usual ones are \(NMEASentenceType.text(NMEASentenceType.usual)); GLL exists too."
        ) { ($0.output.sentences, $0.output.hasSentencesInColumns) = ($1, false) },
        .flag(
            "no-header", "print CSV without its header",
            more: "For output that is appended to a file; 'export --output' does that by itself."
        ) { $0.output.omitsHeader = true },
        .flag("states", short: "s", "print changes of state, no positions") { $0.output.events.locations = false },
        .flag(
            "sky", "print satellites too",
            more: "Once an epoch; with --csv, instead of positions."
        ) { $0.output.events.sky = true },
        .value(
            "units", .units, "metric, imperial or nautical; d, dm or dms",
            more:
                "Of text and templates; the default is metric,d. An angle is in degrees, with minutes, or with minutes "
                + "and seconds. Several are separated by commas, as in nautical,dm."
        ) { settings, units in
            settings.output.units = units.lengths ?? settings.output.units
            settings.output.degrees = units.angles ?? settings.output.degrees
        },
        .flag(
            "utc", "show times in UTC", more: "Text, and names and days of files, have local time otherwise."
        ) { $0.output.usesUTC = true },
        .value(
            "precision", ValueSyntax.wholeNumber("DIGITS", in: 0...12).map { Precision.decimals($0) }.or("full", .full),
            "decimals of coordinates", more: "The default is 7, and full in CSV."
        ) { $0.output.chosenPrecision = $1 },
        .flag("plot", "draw plots in the terminal") { $0.output.plot = .terminal },
        .value(
            "plot-file", .path(ending: [PictureFile.ending]), "draw plots into FILE.svg"
        ) { $0.output.plot = .file($1) },
        .flag(
            "ascii", "draw with ASCII characters only", more: "A locale without UTF-8 implies it."
        ) { $0.output.usesASCII = true },
    ]

    private static let ending: [OptionEntry] = [
        .value("count", short: "n", .wholeNumber("N", in: 1...Int.max), "end after N positions") {
            $0.limits.count = $1
        },
        .value(
            "timeout", short: "t", .duration(), "stop waiting after DURATION",
            more:
                "For a good position, counted from the start; control waits for its answer. The default is 1m for once, 15s "
                + "for doctor, 10s for control, and else never."
        ) { $0.limits.timeout = $1 },
        .value(
            "duration", short: "x", .duration(), "stop after DURATION",
            more: "The exit code is 75 if watch, export or publish has had no position until then, or time no "
                + "comparison."
        ) { $0.limits.duration = $1 },
        .value(
            "average", .duration(atLeast: .seconds(60)), "the mean of a standstill of DURATION",
            more:
                "With --accuracy it ends as soon as the mean is accurate enough; see AVERAGING. --timeout then limits "
                + "the wait for a standstill, by default to 3m."
        ) { $0.limits.average = $1 },
    ]

    private static let choosing: [OptionEntry] = [
        .value("accuracy", short: "a", .metres(), "skip positions with a larger error") { $0.request.accuracy = $1 },
        .value(
            "max-age", .duration(atLeast: .zero), "skip positions that are older",
            more: "In a fleet those older than 10m are late by default."
        ) { $0.request.maxAge = $1 },
        .value(
            "fix", .word(["2d": FixKind.twoD, "3d": FixKind.threeD]), "wait for this kind of fix",
            more: "The default is 2d."
        ) { $0.request.fix = $1 },
        .value(
            "distance", short: "d", .metres(above: nil), "skip positions closer to the last one"
        ) { $0.request.distanceFilter = $1 },
        .value(
            "interval", short: "i", .duration(atLeast: .zero), "at most one position per DURATION",
            more: "By the receiver's clock; it may be half a cycle early."
        ) { $0.request.minimumInterval = $1 },
        .value(
            "fence", as: "FENCE", .fence, "a circle to watch: NAME=PLACE,RADIUS[,DWELL]",
            more:
                "PLACE is LAT,LON, a plus code, or another form that 'locwatch help places' lists. "
                + "Text and JSON report when the position enters, leaves or stays in it, or starts inside it. It leaves with "
                + "two positions in a row that are outside by more than a margin and their accuracy, or with one far outside. "
                + "The margin is 10 m, or METRES with ,margin=METRES at the end. A position whose accuracy is more than twice the radius does not count, "
                + "nor does one in alarm until it is confirmed, and an unknown accuracy is taken for 25 m. NAME=here,RADIUS watches an "
                + "anchor: the circle is around the first position, and two in a row that are outside by more than their accuracy leave it. The exit code of 'once' tells "
                + "whether it is inside, and 'monitor' shows it. DWELL is the time that counts as staying, by default 5m. Can be given several times."
        ) { $0.watch($1) },
        .value(
            "reference", as: "PLACE", .reference, "compare with a known point: PLACE[,HEIGHT]",
            more:
                "The error of each position, and in stats their mean, CEP, worst and drift. PLACE is LAT,LON or a form that "
                + "'locwatch help places' lists. HEIGHT is above sea level."
        ) { $0.output.events.reference = $1 },
        .value(
            "device", .device, "use only this receiver",
            more:
                "And positions that name none. In a fleet or a recording * and ? stand for any characters, also of the last "
                + "part of a name."
        ) { $0.request.device = $1 },
        .flag(
            "all-devices", "every receiver, and not only the best one",
            more: "Prints positions and states, or writes a track, for each (not with nmea)."
        ) { $0.output.events.everyReceiver = true },
        .value(
            "simplify", .metres(), "drop points this close to the line",
            more: "The line keeps the ends of each segment."
        ) { $0.file.simplification = $1 },
    ]

    private static let session: [OptionEntry] = [
        .value(
            "pace", as: "PACE", .pace, "playback speed: recorded, max, or such as 10x",
            more:
                "The default is recorded for watch, web, monitor and serve, and else max. With manual the time of serve "
                + "passes only by the word step of 'locwatch control'."
        ) { $0.choose($1) },
        .flag(
            "follow", "wait for more at the end of a file",
            more: "As tail -f does for a file that is being written; devices prints what changes."
        ) { $0.reading.follows = true },
        .value(
            "stale", .duration(), "lost after DURATION without a new position",
            more:
                "The default is three times the receiver's reporting interval, from 3s to 60s, and 1d in a track."
        ) { $0.limits.staleAfter = $1 },
        .value(
            "rate", .rate, "set the receiver's epochs a second, or show",
            more:
                "For the receiver of a gpsd of this machine or of a serial line, until it loses its power; show tells its rate, and "
                + "what its driver and its line can do. See RECEIVERS."
        ) { $0.reading.rate = $1 },
        .flag("no-reconnect", "end when the connection breaks") { $0.reading.reconnects = false },
    ]

    private static let file: [OptionEntry] = [
        .value("output", short: "o", .path, "write to FILE; %Y-%m-%d is the date") { $0.file.path = $1 },
        .flag("force", "overwrite an existing file") { $0.file.overwrites = true },
        .value(
            "rotate", .rotation, "a file a day, hour or trip, or after 1h or 10MB",
            more:
                "day and hour are those of the calendar, in local time or with --utc, and each position is in the file of its own "
                + "day. A time such as 24h counts from the first position of each file. With stop each trip has a file: "
                + "the next one begins with the departure after a stop of 5m, or with stop=10m of ten. The positions of a stop are in the "
                + "file of the trip before it. A time without positions belongs to the stop if the receiver is then within 100 m "
                + "of where it was. A log that is started again goes on in its newest file, or in a new one if that is full or its "
                + "time is over."
        ) { $0.file.rotation = $1 },
    ]

    private static let reactions: [OptionEntry] = [
        .value(
            "metrics-file", .path, "keep metrics for Prometheus in FILE",
            more: "As in /var/lib/prometheus/node-exporter/locwatch.prom."
        ) { $0.reactions.metricsFile = $1 },
        .value(
            "state", .path, "keep the distance and the fences over restarts in FILE",
            more:
                "The distance of JSON, CSV, templates, metrics and the monitor goes on from that of FILE, and a restart gives enter "
                + "and exit of a fence, and not inside again. STATE has the rules. One program at a time can keep a file. A "
                + "recording counts each time it is played."
        ) { $0.reactions.state = $1 },
        .value(
            "on", as: "EVENT=COMMAND", .hook, "run COMMAND at EVENT; see 'locwatch help hooks'",
            more: "every/10s is one position in 10 s. Can be given several times."
        ) { $0.reactions.hooks.append($1) },
        .value(
            "hook-limit", .duration(), "end a hook's COMMAND after DURATION", more: "The default is 30s."
        ) { $0.reactions.hookLimit = $1 },
    ]

    private static let serving: [OptionEntry] = [
        .value(
            "listen", .listenAddress, "listen at ADDRESS", more: "The default is this machine only."
        ) { $0.serving.listen = $1 },
        .value(
            "port", .wholeNumber("PORT", in: 0...65_535), "listen at PORT",
            more:
                "The default is 2947 for serve, or a free port if that is taken, and 8080 for web. 'serve --port 0' takes a "
                + "free one."
        ) { $0.serving.port = $1 },
        .flag("loop", "start again at the end") { $0.serving.loops = true },
        .value(
            "token-file", .path, "serve those who have the token in FILE",
            more:
                "Others must not be able to read it. The default is LOCWATCH_TOKEN, or the credential token of systemd, else no "
                + "token."
        ) { $0.serving.tokenFile = $1 },
        .value(
            "tiles", .tiles, "streets on the map: an MBTiles file, or a server",
            more:
                "A file of pictures (PNG, JPEG or WebP) needs no network. The address of a server is a URL such as "
                + "https://HOST/{z}/{x}/{y}.png, which the browser asks, so that the server learns where its user looks. "
                + "The default is none: the map is a grid, and the page contacts no server."
        ) { $0.serving.tiles = $1 },
        .flag("redate", "shift the times so that they begin now") { $0.serving.redates = true },
    ]

    private static let testing: [OptionEntry] = [
        .value(
            "fault", as: "FAULT", .fault, "fail on purpose (locwatch help faults)",
            more: "Once, at a time, at a rate or at random; can be given several times."
        ) { $0.serving.testing.faults.append($1) },
        .value("script", .path, "perform the steps in FILE") { $0.serving.testing.script = $1 },
        .value("control", .socket, "a socket for 'locwatch control'") { $0.serving.testing.control = $1 },
        .value("pty", .socket, "give NMEA on a pseudo terminal too") { $0.serving.testing.terminal = $1 },
        .flag("print-port", "print the port on the first line") { $0.serving.testing.printsPort = true },
    ]

    private static let general: [OptionEntry] = [
        .flag(
            "report", "print one text for a bug report",
            more: "It has the versions, the programs, the devices, the findings and gpsd's messages, but no position, "
                + "and no name of a host or a user."
        ) { $0.output.wantsReport = true },
        .value(
            "color", as: "WHEN", .word(["auto": ColorChoice.auto, "always": .always, "never": .never]),
            "auto, always or never",
            more: "The default is auto: on a terminal, unless NO_COLOR is set or TERM is dumb."
        ) { $0.output.color = $1 },
        .flag(
            "quiet", short: "q", "print no message but the reason for a failure",
            more: "Messages are on standard error. The output remains, and so do the failures of hooks."
        ) { $0.output.verbosity = .quiet },
        .flag("verbose", short: "v", "say each step on standard error") { $0.output.verbosity = .verbose },
        .value(
            "config", .path, "read options from FILE",
            more: "One option a line, as in 'units nautical'. The default is LOCWATCH_CONFIG, or locwatch/config in "
                + "XDG_CONFIG_HOME or ~/.config; see CONFIGURATION."
        ) { _, _ in },
        .flag("no-config", "read no configuration") { _ in },
        .flag("help", short: "h", "show help; -h the short one") { _ in },
        .flag("version", short: "V", "show the version") { _ in },
    ]
}

extension Settings {
    /// Adds a fence, in the place of one with the same name, by which events, hooks and templates tell fences apart.
    fileprivate mutating func watch(_ fence: Fence) {
        fences.removeAll { $0.name == fence.name }
        fences.append(fence)
    }

    /// Chooses the pace of a recording, or that a test moves the time.
    fileprivate mutating func choose(_ choice: PaceChoice) {
        switch choice {
        case .pace(let pace): (reading.pace, serving.testing.hasManualClock) = (pace, false)
        case .manual: (reading.pace, serving.testing.hasManualClock) = (nil, true)
        }
    }
}
