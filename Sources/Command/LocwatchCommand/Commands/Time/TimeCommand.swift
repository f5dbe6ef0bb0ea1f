import LocationCore
import LocationGPSD
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The command `time`, which compares the system's clock with the receiver's, and prints the lines for chrony and ntpsec.
final class TimeCommand: FigureCommand {
    static let entry = CommandEntry(
        "time", operands: [.source],
        options: [
            "ascii", "color", "device", "duration", "json", "no-reconnect", "pace", "plot", "plot-file", "quiet",
            "utc", "verbose",
        ],
        readsAtOnce: true,
        summary: "compare the system clock with the receiver's",
        description: [
            "Prints how far the system clock is ahead or behind, its drift and jitter, and the lines that make the "
                + "receiver a reference clock of chrony or of ntpsec. It measures for five minutes, or for "
                + "--duration; on a terminal the figures are updated every second.",
            "gpsd compares the clocks. At a pulse (PPS) the comparison is exact to microseconds; a message on the data "
                + "line (in-band time) comes tens to hundreds of milliseconds late. That delay, measured against the "
                + "pulse or else against a clock that a time service keeps, is the offset in the line for chrony. Without "
                + "either, the line is marked and only right to a second. A receiver whose date is wrong, as by 1,024 weeks, has "
                + "no line; if there is no other one, the exit code is 75.",
            "The figures and the lines are those of the machine on which gpsd runs. gpsd makes no comparison before the "
                + "first fix; without any, the exit code is 75. It reports pulses only "
                + "for a receiver on a serial line or USB, and gives chrony and ntpsec no time from a pseudo terminal.",
        ],
        examples: [
            "locwatch time": "five minutes of the local gpsd",
            "locwatch time -x 1h --plot-file clock.svg": "an hour, and a plot",
            "locwatch time -j | jq 'select(.event==\"clock\").offset'":
                "every offset in seconds, positive if the system clock is ahead",
        ])

    /// The duration of a live session, unless another one was requested.
    private static let usualDuration = Duration.seconds(300)

    let session: CommandSession
    let output: OutputChannel
    private var clocks = ClockStatistics()
    var json: JSONPrinter
    private var column: ClockColumn
    var page: LivePage?
    weak var loop: SessionLoop?

    static func check(_ invocation: Invocation) throws(UsageError) {
        try invocation.requireOneMachine(
            or: UsageError("a fleet has no clock to compare with; name a gpsd or a recording of one"))
        try invocation.checkPlot(example: "clock.svg")
    }

    static func run(_ session: CommandSession) -> ExitCode { TimeCommand(session).run() }

    private init(_ session: CommandSession) {
        let isUnlimited = session.source.isLive && session.settings.limits.duration == nil
        let session = isUnlimited ? session.lasting(Self.usualDuration) : session
        self.session = session
        json = session.json
        output = session.framedOutput
        column = ClockColumn(localTime: session.localTime, usesColor: session.usesColor)
    }

    /// Whether a receiver is at a pseudo terminal.
    private func isOfTerminal(_ reports: [ClockReport]) -> Bool {
        source.isSimulated || reports.contains { $0.device.map(context.machine.isTerminal) ?? false }
    }

    func finish(
        _ ending: Ending, _ loop: SessionLoop, _ picture: PictureFile?
    ) throws(OutputFailure) -> ExitCode {
        let view = loop.view
        let reports = reports
        if !reports.isEmpty, let picture { try picture.write(plot) }
        if !settings.output.carries(.objects), !reports.isEmpty {
            let lines = ClockText(style: session.style)
                .lines(RefclockLines(reports), isOfTerminal: isOfTerminal(reports))
            try output.put { $0.put(text(reports) + lines) }
        }
        for (index, report) in reports.enumerated() {
            try print { JSONPrinter.print(report, RefclockLines(report, at: index), into: &$1) }
        }
        try printEnd(ending)
        if let wrong = reports.first?.wrongDate, reports.allSatisfy({ $0.wrongDate != nil }) {
            narrator.sayFailure("the receiver's date is \(wrong.words)")
            return .noFix
        }
        let isRegular = ending.isRegular && ending.absence == nil
        guard reports.isEmpty, isRegular || ending.isSignal && view.hasHeard && view.failure == nil else {
            return .done
        }
        let missing = MissingComparison(source: source, view: view, lasted: loop.lasted)
        missing.words.forEach { narrator.sayFailure($0) }
        return .noFix
    }

    /// The judgement of each receiver.
    ///
    /// The clock of this machine tells nothing about a recording, or about a gpsd on another machine.
    private var reports: [ClockReport] {
        let isHere = source.isLive && source.endpoint?.isLocal ?? true
        return ClockReport.all(
            clocks, isKept: isHere && context.machine.clockIsSynchronized == true, isLive: source.isLive)
    }

    private var plot: ClockPlot { ClockPlot(clocks, title: "The clock of \(source.place.printable)") }

    /// The figures, with the plot if it was requested on the terminal.
    private func text(_ reports: [ClockReport]) -> String {
        let style = session.style(on: page)
        let figures = ClockText(style: style).figures(reports)
        guard settings.output.plot == .terminal else { return figures }
        return figures + "\n"
            + plot.terminal(
                columns: context.console.pageColumns, colour: session.usesColor, isASCII: style.glyphs == .ascii)
    }

    /// The page during the session.
    var current: String {
        let reports = reports
        let figures = reports.isEmpty ? "waiting for a comparison of the clocks\n" : text(reports)
        guard let failure = loop?.view.failure?.error else { return figures }
        return figures + failureText(failure)
    }

    func process(_ update: TrackedUpdate, _ view: SessionView) throws(OutputFailure) -> SessionEnd.Reason? {
        guard case .update(let update, _) = update else { return nil }
        try report(clocks.expire(at: update.moment))
        if let change = clocks.process(update.event, at: update.moment) { try report([change]) }
        try printFailure(update)
        if case .clock(let sample) = update.event {
            try print { JSONPrinter.print(sample, at: update.moment, into: &$1) }
        }
        return nil
    }

    /// Prints changes of the pulse; on a terminal they stay above the figures.
    private func report(_ changes: [PulseChange]) throws(OutputFailure) {
        for change in changes {
            if settings.output.carries(.objects) {
                try output.put { JSONPrinter.print(change, into: &$0) }
                continue
            }
            try output.put { out in
                if let wipe = page?.wipe() { out.put(wipe) }
                column.put(change.moment.wall, into: &out)
                out.put("pulse", in: change.reason == nil ? .good : .waiting, if: session.usesColor)
                out.put(change.device.map { " of \($0.printable)" } ?? "")
                out.put(" \(change.words)\n")
            }
            page?.hurry()
        }
    }

    var deadline: Moment? { [clocks.deadline, nextRefresh].compactMap(\.self).min() }

    func expire(at moment: Moment) throws(OutputFailure) -> SessionEnd.Reason? {
        try report(clocks.expire(at: moment))
        guard let loop, page?.refresh(at: moment, now: loop.now, on: output) != nil else { return nil }
        try showPage()
        return nil
    }
}
