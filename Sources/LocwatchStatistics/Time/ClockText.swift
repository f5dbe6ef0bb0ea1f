import LocationCore
import LocationTracks
package import LocwatchTerminal

/// The figures of the clocks of a session for people: labels on the left, figures on the right.
package struct ClockText {
    let style: TextStyle
    /// The number of receivers that are listed.
    private static let receiverLimit = 10
    private static let indent = 14

    /// Returns the figures, where every line ends with a line feed.
    func figures(_ reports: [ClockReport]) -> String {
        var out = TextBuffer()
        for (index, report) in reports.prefix(Self.receiverLimit).enumerated() {
            if index > 0 { out.put("\n") }
            write(report, &out)
        }
        let rest = reports.count - Self.receiverLimit
        if rest > 0 { row("", &out) { $0.put("and \(rest) more receivers") } }
        return out.text
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
    package static func words(_ offset: Int64, _ glyphs: Glyphs) -> String {
        guard offset != 0 else { return "the system clock is right to the nanosecond" }
        return "the system clock is \(amount(Double(offset), glyphs)) \(offset > 0 ? "ahead" : "behind")"
    }

    package static func amount(_ nanoseconds: Double, _ glyphs: Glyphs) -> String {
        var out = TextBuffer()
        out.put(brief: nanoseconds, glyphs)
        return out.text
    }

    private func amount(_ nanoseconds: Double) -> String { Self.amount(nanoseconds, style.glyphs) }

    private func write(_ report: ClockReport, _ out: inout TextBuffer) {
        guard let best = report.best else { return }
        row("Receiver", &out) { $0.put(report.device?.printable ?? "an unnamed receiver") }
        row("Clock", &out) { $0.put(headline(report, best.figures)) }
        row("", &out) { $0.put(trust(report)) }
        spread(best.figures, &out)
        if let drift = best.figures.drift { row("Drift", &out) { write(drift: drift, best.figures, &$0) } }
        if let jitter = best.figures.jitter {
            row("Jitter", &out) { $0.put("\(amount(jitter)), the standard deviation from the line of the drift") }
        }
        stability(best.figures, &out)
        messages(report, &out)
        pulse(report, &out)
        if let rms = report.quantization.rootMeanSquare {
            let (low, high) = (Double(report.quantization.smallest) / 1e3, Double(report.quantization.largest) / 1e3)
            row("Quantisation", &out) { line in
                line.put("error from \(low < 0 ? "-" : "")\(amount(low)) to \(high < 0 ? "-" : "")\(amount(high)), ")
                line.put("\(amount(rms / 1e3)) in the mean; the receiver reports it, nothing corrects it")
            }
        }
        if let leap = report.leapSeconds { row("Leap seconds", &out) { $0.put("\(leap) between UTC and GPS time") } }
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

    private func spread(_ figures: ClockFigures, _ out: inout TextBuffer) {
        row("", &out) { line in
            line.put(figures.count.counting("comparison"))
            guard figures.count > 1 else { return }
            line.put(", from \(side(figures.smallest)) to \(side(figures.largest)); ")
            line.put("90 % within \(amount(Double(figures.spread)))")
        }
    }

    private func side(_ offset: Int64) -> String {
        offset == 0 ? "0" : "\(amount(Double(offset))) \(offset > 0 ? "ahead" : "behind")"
    }

    private func write(drift: Double, _ figures: ClockFigures, _ line: inout TextBuffer) {
        guard figures.isDriftKnown else {
            line.put("unknown yet: it is below ")
            line.put(trimmed: drift.magnitude + 2 * (figures.driftDeviation ?? 0), decimals: 1)
            return line.put(" ppm, which the jitter hides")
        }
        line.put(trimmed: drift.magnitude, decimals: drift.magnitude < 10 ? 3 : 1)
        line.put(" ppm: the system clock \(drift < 0 ? "loses" : "gains") \(amount(drift * 86_400 * 1e3)) a day")
    }

    private func stability(_ figures: ClockFigures, _ out: inout TextBuffer) {
        guard !figures.allanDeviations.isEmpty else { return }
        row("Stability", &out) { line in
            line.put("Allan deviation ")
            for (index, allan) in figures.allanDeviations.enumerated() {
                if index > 0 { line.put(", ") }
                line.put(scientific: allan.deviation)
                line.put(" at \(allan.interval) s")
            }
        }
    }

    private func messages(_ report: ClockReport, _ out: inout TextBuffer) {
        guard let message = report.message else { return }
        row("Messages", &out) { line in
            if let delay = report.delay {
                line.put("\(amount(Double(delay.nanoseconds))) \(delay.nanoseconds < 0 ? "before" : "after") ")
                switch delay.basis {
                case .systemClock: line.put("the second of the system clock")
                case .pulse(let device) where device == report.device: line.put("the pulse")
                case .pulse(let device): line.put("the pulse of \(device?.printable ?? "the other receiver")")
                }
            } else {
                line.put("of an unknown delay: there is no pulse, and the clock of gpsd's machine is not known to be ")
                line.put("synchronized")
            }
            if let jitter = message.figures.jitter { line.put(", jitter \(amount(jitter))") }
        }
    }

    private func pulse(_ report: ClockReport, _ out: inout TextBuffer) {
        row("Pulse", &out) { line in
            guard report.pulse != nil else {
                line.put("none seen")
                return
            }
            line.put(report.watch.isSeen ? "present" : "lost")
            let losses = report.watch.losses
            if losses > 0 { line.put(", lost \(losses == 1 ? "once" : "\(losses) times")") }
            if report.watch.lostTime > .zero { line.put(" for \(report.watch.lostTime.spoken)") }
        }
    }

    private func row(_ label: String, _ out: inout TextBuffer, _ write: (inout TextBuffer) -> Void) {
        if label.isEmpty {
            out.put(repeating: UInt8(ascii: " "), count: Self.indent)
        } else {
            out.put(label, in: .faint, if: style.usesColor)
            out.put(repeating: UInt8(ascii: " "), count: max(1, Self.indent - label.count))
        }
        var text = TextBuffer()
        write(&text)
        out.put(Paragraph.figures(text.text, indent: Self.indent, width: style.columns))
        out.put(UInt8(ascii: "\n"))
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
