import LocationCore
import LocationTracks
import LocwatchTerminal

/// The figures of the clocks of a session for people: labels on the left, figures on the right.
struct ClockText {
    let style: TextStyle
    private static let receiverLimit = 10

    /// Returns the figures, where every line ends with a line feed.
    func figures(_ reports: [ClockReport]) -> String {
        var lines = FigureLines(style: style)
        for (index, report) in reports.prefix(Self.receiverLimit).enumerated() {
            if index > 0 { lines.addEmpty() }
            guard let best = report.best?.figures else { continue }
            for (label, phrases) in rows(report, best) { lines.add(label, phrases) }
        }
        let rest = reports.count - Self.receiverLimit
        if rest > 0 { lines.add("", ["and \(rest) more receivers"]) }
        return lines.out.text
    }

    private func rows(_ report: ClockReport, _ best: ClockFigures) -> KeyValuePairs<String, [Phrase]> {
        [
            "Receiver": ["\(report.device?.printable ?? "an unnamed receiver")"],
            "Date": report.wrongDate.map { ["\($0.words)", "Do not use its time, which has no lines here."] } ?? [],
            "Clock": report.wrongDate == nil
                ? ["\(headline(report, best))", "\(trust(report))", spread(best)] : [spread(best)],
            "Drift": best.drift.map { [drift($0, best)] } ?? [],
            "Jitter": best.jitter.map { ["\(brief: $0), the standard deviation from the line of the drift"] } ?? [],
            "Stability": stability(best),
            "Messages": report.message.map { [messages(report, $0.figures)] } ?? [],
            "Pulse": [pulse(report)],
            "Quantisation": quantization(report),
            "Leap seconds": report.leapSeconds.map { ["\($0) between UTC and GPS time"] } ?? [],
        ]
    }

    /// Returns the lines to copy; comments are wrapped, and each other line is whole, because a wrapped one would be
    /// wrong.
    ///
    /// - Parameter isOfTerminal: Whether a receiver is at a pseudo terminal, as a simulated one is.
    func lines(_ lines: RefclockLines, isOfTerminal: Bool) -> String {
        guard !lines.chrony.isEmpty else { return "" }
        var text: [String] = []
        if isOfTerminal {
            text += [
                "",
                "# gpsd takes no time from a pseudo terminal, such as that of a simulated receiver: the lines only show "
                    + "their form.",
            ]
        }
        if lines.hasUnknownDelay {
            text += [
                "",
                "# Without a pulse and a synchronized clock the delay of the messages cannot be measured. Add a network time server, "
                    + "then run locwatch time again.",
            ]
        }
        text += ["", "# For chrony.conf, on the machine with gpsd:"] + lines.chrony
        text += ["", "# For ntp.conf of ntpsec, instead:"] + lines.ntpsec
        return text.flatMap { line in
            line.hasPrefix("#")
                ? Paragraph.lines(String(line.dropFirst()), indent: 2, width: style.columns).map {
                    "#" + $0.dropFirst()
                }
                : [line]
        }.map { $0 + "\n" }.joined()
    }

    /// Returns the statement about an offset, as in `the system clock is 3.2 ms ahead`.
    static func words(_ offset: Int64, _ glyphs: Glyphs) -> String {
        guard offset != 0 else { return "the system clock is right to the nanosecond" }
        return "the system clock is \(amount(Double(offset), glyphs)) \(offset > 0 ? "ahead" : "behind")"
    }

    static func amount(_ nanoseconds: Double, _ glyphs: Glyphs) -> String {
        TextBuffer.text { $0.put(brief: nanoseconds, glyphs) }
    }

    private func headline(_ report: ClockReport, _ figures: ClockFigures) -> String {
        guard report.source == .message else { return "\(Self.words(figures.median, style.glyphs)), by the pulse" }
        switch report.delay?.basis {
        case .systemClock: return "the system clock is synchronized, and the reference here"
        case .pulse(let device): return "see the pulse of \(device?.printable ?? "the other receiver")"
        case nil:
            return "\(Self.words(figures.median, style.glyphs)) by the messages, which includes their unknown delay"
        }
    }

    private func trust(_ report: ClockReport) -> String {
        switch report.source {
        case .pulse:
            "A pulse (PPS) is exact to some microseconds on a serial line or a pin, and to a millisecond over USB."
        case .message:
            "Messages (in-band time) come tens to hundreds of milliseconds late: on a slow serial line the most, and "
                + "differently with every message. They tell the second, not the millisecond."
        }
    }

    private func spread(_ figures: ClockFigures) -> Phrase {
        let count = figures.count.counting("comparison")
        guard figures.count > 1 else { return "\(count)" }
        let range: Phrase = "from \(side(figures.smallest)) to \(side(figures.largest))"
        return "\(count), \(range); 90 % within \(brief: Double(figures.spread))"
    }

    private func side(_ offset: Int64) -> Phrase {
        offset == 0 ? "0" : "\(brief: Double(offset)) \(offset > 0 ? "ahead" : "behind")"
    }

    private func drift(_ drift: Double, _ figures: ClockFigures) -> Phrase {
        guard figures.isDriftKnown else {
            let limit = drift.magnitude + 2 * (figures.driftDeviation ?? 0)
            return "unknown yet: it is below \(limit, decimals: 1) ppm, which the jitter hides"
        }
        let rate: Phrase = "\(drift.magnitude, decimals: drift.magnitude < 10 ? 3 : 1) ppm"
        return "\(rate): the system clock \(drift < 0 ? "loses" : "gains") \(brief: drift * 86_400 * 1e3) a day"
    }

    private func stability(_ figures: ClockFigures) -> [Phrase] {
        guard !figures.allanDeviations.isEmpty else { return [] }
        let deviations = figures.allanDeviations.map { "\(scientific: $0.deviation) at \($0.interval) s" as Phrase }
        return ["Allan deviation \(Phrase.joined(deviations))"]
    }

    private func messages(_ report: ClockReport, _ figures: ClockFigures) -> Phrase {
        let jitter: Phrase = figures.jitter.map { ", jitter \(brief: $0)" } ?? ""
        guard let delay = report.delay else {
            let cause = "there is no pulse, and the clock of gpsd's machine is not known to be synchronized"
            return "of an unknown delay: \(cause)\(jitter)"
        }
        let reference =
            switch delay.basis {
            case .systemClock: "the second of the system clock"
            case .pulse(let device) where device == report.device: "the pulse"
            case .pulse(let device): "the pulse of \(device?.printable ?? "the other receiver")"
            }
        let side = delay.nanoseconds < 0 ? "before" : "after"
        return "\(brief: Double(delay.nanoseconds)) \(side) \(reference)\(jitter)"
    }

    private func pulse(_ report: ClockReport) -> Phrase {
        guard report.pulse != nil else { return "none seen" }
        let (losses, time) = (report.watch.losses, report.watch.lostTime)
        let lost: Phrase = losses > 0 ? ", lost \(losses == 1 ? "once" : "\(losses) times")" : ""
        return "\(report.watch.isSeen ? "present" : "lost")\(lost)\(time > .zero ? " for \(time.spoken)" : "")"
    }

    private func quantization(_ report: ClockReport) -> [Phrase] {
        guard let rms = report.quantization.rootMeanSquare else { return [] }
        let (low, high) = (Double(report.quantization.smallest) / 1e3, Double(report.quantization.largest) / 1e3)
        let range: Phrase = "\(low < 0 ? "-" : "")\(brief: low) to \(high < 0 ? "-" : "")\(brief: high)"
        return ["error from \(range), \(brief: rms / 1e3) in the mean; the receiver reports it, nothing corrects it"]
    }
}

extension PulseChange {
    /// The change in words, as in `lost: no pulse for 3 s`.
    var words: String {
        switch change {
        case .seen(nil): "seen"
        case .seen(let pause?): "seen again after \(pause.spoken)"
        case .lost(let silence, true): "lost: no pulse for \(silence.spoken), although the receiver has a fix"
        case .lost(let silence, false):
            "lost: no pulse for \(silence.spoken), because the receiver has no fix"
        }
    }

    /// A short stable code of the reason of a loss.
    var reason: String? {
        switch change {
        case .seen: nil
        case .lost(_, let hasFix): hasFix ? "silent" : "noFix"
        }
    }
}
