import GPSDReports
import LocationCore

/// Every option: the one place that parsing, help, completions and the manual page are made from.
enum OptionTable {
    static let all: [OptionEntry] = output + ending + choosing + session + file + serving + general

    static func entry(_ name: OptionName) -> OptionEntry? { all.first { $0.name == name } }

    private static let output: [OptionEntry] = [
        .flag(
            .json, "j", "print JSON, one object a line (locwatch help schema)",
            in: .output, hasVariable: true
        ) { $0.output = .json },
        .value(
            .format, "f", .template,
            "print each position in a form of your own, as in '%{lat} %{lon}' "
                + "(locwatch help template lists the names)",
            in: .output, hasVariable: true
        ) { $0.output = .template($1) },
        .flag(.csv, "print CSV with a header", in: .output, hasVariable: true) { $0.output = .csv },
        .value(
            .columns, .columns, "write these columns of CSV, separated by commas, or all", in: .output
        ) { $0.columns = $1 },
        .flag(.text, "print text for people, the default", in: .output) { $0.output = .text },
        .flag(
            .states, "s", "print changes of state only, no positions", in: .output, hasVariable: true
        ) { $0.showsStatesOnly = true },
        .flag(.sky, "print the satellites too; with --csv instead of positions", in: .output, hasVariable: true) {
            $0.showsSky = true
        },
        .flag(
            .revisions, "print every report of an epoch, and not one line for each epoch; JSON always does",
            in: .output, hasVariable: true
        ) { $0.showsRevisions = true },
        .value(
            .degrees, .word(["d": DegreeStyle.decimal, "dm": .minutes, "dms": .seconds]),
            "write angles as degrees, degrees and minutes, or with seconds (default d)",
            in: .output, hasVariable: true
        ) { $0.degrees = $1 },
        .value(
            .units, .word(["metric": Units.metric, "imperial": .imperial, "nautical": .nautical]),
            "use these units in text and templates (default metric)",
            in: .output, hasVariable: true
        ) { $0.units = $1 },
        .flag(.utc, "show times in UTC, and not in local time", in: .output, hasVariable: true) { $0.usesUTC = true },
        .value(
            .precision, ValueSyntax.wholeNumber("DIGITS", in: 0...12).map { Precision.decimals($0) }.or("full", .full),
            "write coordinates with so many decimals, or as exactly as they came (default 7)",
            in: .output, hasVariable: true
        ) { $0.precision = $1 },
        OptionEntry(
            name: .plot, short: nil,
            argument: .optional(
                .init(ValueSyntax<String>.path) { $0.plot = .file($1) }, endings: PictureFile.endings,
                without: { $0.plot = .terminal }),
            summary: "draw pictures in the terminal, or into FILE (.svg, .png)",
            hasVariable: false, group: .output),
        .flag(.watch, "follow plugging and unplugging", in: .output) { $0.followsDevices = true },
    ]

    private static let ending: [OptionEntry] = [
        .value(
            .count, "n", .wholeNumber("N", in: 1...Int.max), "end after N positions; revisions do not count",
            in: .ending, hasVariable: true
        ) { $0.count = $1 },
        .value(
            .timeout, "t", .duration(),
            "give up when there is no good position within DURATION "
                + "(once: 1m, doctor: 15s, else never)",
            in: .ending, hasVariable: true
        ) { $0.timeout = $1 },
        .value(
            .duration, "x", .duration(), "end after DURATION", in: .ending,
            hasVariable: true
        ) { $0.duration = $1 },
    ]

    private static let choosing: [OptionEntry] = [
        .value(
            .accuracy, "a", .metres(), "only positions at least as accurate as METRES",
            in: .choosing, hasVariable: true
        ) { $0.accuracy = $1 },
        .value(
            .maximumAge, .duration(atLeast: .zero), "only positions that are at most as old as DURATION",
            in: .choosing, hasVariable: true
        ) { $0.maximumAge = $1 },
        .value(
            .fix, .word(["2d": FixKind.twoD, "3d": FixKind.threeD]),
            "wait for at least a fix of this kind (default 2d)", in: .choosing, hasVariable: true
        ) { $0.fix = $1 },
        .value(
            .distance, "d", .metres(above: nil), "only positions at least METRES from the last one",
            in: .choosing, hasVariable: true
        ) { $0.distance = $1 },
        .value(
            .interval, "i", .duration(atLeast: .zero),
            "at most one position in DURATION, by the receiver's clock; one may be half a cycle early", in: .choosing,
            hasVariable: true
        ) { $0.interval = $1 },
        .value(
            .fence, .fence,
            "tell, in text and JSON, when a position is inside this circle at the start, and when it is entered, "
                + "left and stayed in; may be given "
                + "several times",
            in: .choosing
        ) { $0.fences.append($1) },
        .value(
            .dwell, .duration(), "how long inside a fence counts as staying (default 5m)", in: .choosing,
            hasVariable: true
        ) { $0.dwell = $1 },
        .value(
            .device, .device, "only this receiver of the daemon", in: .choosing,
            hasVariable: true
        ) { $0.device = $1 },
        .flag(
            .allDevices, "the positions and states of every receiver, and a track for each (not with nmea)",
            in: .choosing, hasVariable: true
        ) { $0.showsAllDevices = true },
        .value(.every, .duration(), "another name of --interval", in: .choosing) { $0.interval = $1 },
        .value(.minimumMove, .metres(), "another name of --distance", in: .choosing) { $0.distance = $1 },
        .value(
            .simplify, .metres(), "leave out points that lie within METRES of the line without them",
            in: .choosing
        ) { $0.simplification = $1 },
    ]

    private static let session: [OptionEntry] = [
        .value(
            .pace, .pace,
            "play a recording as it was recorded, as fast as it goes, or 10 times as fast "
                + "(watch, serve: recorded, else max)",
            in: .session, hasVariable: true
        ) { $0.pace = $1 },
        .value(
            .stale, .duration(),
            "how long a position stays current without a new one (default three times the interval at which its "
                + "receiver reports, from 3s to 60s)",
            in: .session, hasVariable: true
        ) { $0.staleAfter = $1 },
        .flag(
            .noReconnect, "end when the connection breaks", in: .session, hasVariable: true
        ) { $0.reconnects = false },
    ]

    private static let file: [OptionEntry] = [
        .value(
            .output, "o", .path, "write to FILE instead of standard output; %Y-%m-%d and the like become the date",
            in: .file
        ) { $0.outputPath = $1 },
        .flag(.force, "overwrite an existing file", in: .file) { $0.overwrites = true },
        .value(
            .rotate, .rotation, "go on in a new file after a time or a size, as in 1h or 10MB", in: .file
        ) { $0.rotation = $1 },
    ]

    private static let serving: [OptionEntry] = [
        .value(
            .listen, .listenAddress, "listen at ADDRESS (default this machine only)", in: .serving,
            hasVariable: true
        ) { $0.listen = $1 },
        .value(
            .port, .wholeNumber("PORT", in: 1...65_535), "listen at PORT (default 2947, or a free one if it is taken)",
            in: .serving, hasVariable: true
        ) { $0.port = $1 },
        .flag(.loop, "begin again at the end", in: .serving) { $0.loops = true },
        .flag(.redate, "shift the dates, so that the session seems to happen now", in: .serving) {
            $0.redates = true
        },
    ]

    private static let general: [OptionEntry] = [
        .value(
            .color, .word(["auto": ColorChoice.auto, "always": .always, "never": .never]),
            "use colour (default auto: on a terminal, unless NO_COLOR is set or TERM is dumb)",
            in: .general, hasVariable: true
        ) { $0.color = $1 },
        .flag(
            .quiet, "q", "say nothing on standard error but errors that end the program",
            in: .general, hasVariable: true
        ) { $0.verbosity = .quiet },
        .flag(
            .verbose, "v", "say on standard error what the session tells besides positions", in: .general,
            hasVariable: true
        ) { $0.verbosity = .verbose },
        .flag(.help, "h", "show help", in: .general) { $0.asksForHelp = true },
        .flag(.version, "V", "show the version", in: .general) {
            $0.asksForVersion = true
        },
    ]
}

extension OptionEntry {
    /// An option without a short letter and without a value.
    fileprivate static func flag(
        _ name: OptionName, _ summary: String, in group: OptionGroup,
        hasVariable: Bool = false, set: @escaping @Sendable (inout Settings) -> Void
    ) -> OptionEntry {
        flag(name, nil, summary, in: group, hasVariable: hasVariable, set: set)
    }

    /// An option without a short letter.
    fileprivate static func value<Value>(
        _ name: OptionName, _ syntax: ValueSyntax<Value>, _ summary: String,
        in group: OptionGroup, hasVariable: Bool = false, set: @escaping @Sendable (inout Settings, Value) -> Void
    ) -> OptionEntry {
        value(name, nil, syntax, summary, in: group, hasVariable: hasVariable, set: set)
    }
}
