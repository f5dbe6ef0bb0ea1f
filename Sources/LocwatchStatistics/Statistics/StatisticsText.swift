import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The statistics of a session for people: labels on the left, figures on the right.
struct StatisticsText {
    let style: TextStyle
    let localTime: LocalTime
    /// The number of gaps that are listed individually.
    var gapLimit = 10
    /// The number of receivers that are listed individually.
    var receiverLimit = 10

    private static let indent = 14

    /// Returns the text, where every line ends with a line feed.
    func text(_ statistics: TrackStatistics, of source: SourceWord) -> String {
        var out = TextBuffer()
        session(statistics, source, &out)
        positions(statistics, &out)
        gaps(statistics, &out)
        integrity(statistics.integrity, &out)
        receivers(statistics, &out)
        satellites(statistics, &out)
        accuracies(statistics, &out)
        if let figures = statistics.reference { reference(figures, &out) }
        // The scatter of fewer positions is meaningless.
        if let scatter = statistics.scatter, scatter.count >= 10 { standstill(scatter, &out) }
        motion(statistics, &out)
        if statistics.clockOffset.count > 0 {
            row("Clock", &out) { $0.put("positions arrive " + spread(statistics.clockOffset, "s", decimals: 3)) }
            row("", &out) { $0.put("after their timestamps") }
        }
        clocks(statistics, &out)
        return out.text
    }

    func row(_ label: String, _ out: inout TextBuffer, _ write: (inout TextBuffer) -> Void) {
        if label.isEmpty {
            out.put(repeating: UInt8(ascii: " "), count: Self.indent)
        } else {
            out.put(label, in: .faint, if: style.usesColor)
            out.put(repeating: UInt8(ascii: " "), count: max(1, Self.indent - label.count))
        }
        let start = out.count
        write(&out)
        let room = style.columns - Self.indent
        if out.columns(from: start) > room {
            let text = String(decoding: out.written[start...], as: UTF8.self)
            out.cut(to: start)
            out.put(Paragraph.figures(text, indent: Self.indent, width: style.columns))
        }
        out.put(UInt8(ascii: "\n"))
    }

    private func session(_ statistics: TrackStatistics, _ source: SourceWord, _ out: inout TextBuffer) {
        row("Session", &out) { $0.put(source.place.printable) }
        guard let began = statistics.began, let ended = statistics.ended else {
            row("", &out) { $0.put("no reports") }
            return
        }
        row("", &out) { line in
            if began.wall.nanosecondsSince1970 != 0 {
                let (first, last) = (localTime.civil(began.wall), localTime.civil(ended.wall))
                line.put(date: first)
                line.put(" ")
                line.put(clock: first)
                if !localTime.hasSameOffset(began.wall, ended.wall) { line.put(" \(localTime.zone(began.wall))") }
                line.put(" to ")
                if hasSeveralDays(statistics) {
                    line.put(date: last)
                    line.put(" ")
                }
                line.put(clock: last)
                line.put(" \(localTime.zone(ended.wall)), ")
            }
            line.put(spoken: statistics.duration)
        }
    }

    /// Returns whether the session does not end on the day on which it began.
    private func hasSeveralDays(_ statistics: TrackStatistics) -> Bool {
        guard let began = statistics.began, let ended = statistics.ended else { return false }
        let (first, last) = (localTime.civil(began.wall), localTime.civil(ended.wall))
        return (first.year, first.month, first.day) != (last.year, last.month, last.day)
    }

    private func positions(_ statistics: TrackStatistics, _ out: inout TextBuffer) {
        row("Positions", &out) { line in
            line.put(statistics.epochs.counting("epoch") + " in ")
            line.put(statistics.reports.counting("report"))
            if let rate = statistics.rate {
                line.put(", ")
                line.put(trimmed: rate, decimals: rate < 0.1 ? 4 : 2)
                line.put(statistics.devices.count > 1 ? " per second for each receiver" : " per second")
            }
        }
        var kinds: [String] = []
        for (kind, name) in [(FixKind.threeD, "3D"), (.twoD, "2D")] {
            if let count = statistics.fixes[kind] { kinds.append("\(count) \(name)") }
        }
        kinds += statistics.qualities.filter { $0.key != .ordinary }.map { "\($0.value) \($0.key.words)" }.sorted()
        if statistics.late > 0 { kinds.append("\(statistics.late) late") }
        if statistics.untimed > 0 { kinds.append("\(statistics.untimed) without a time") }
        if !kinds.isEmpty { row("", &out) { $0.put(kinds.joined(separator: ", ")) } }
        row("First fix", &out) { line in
            if let first = statistics.timeToFirstFix {
                line.put("after ")
                line.put(spoken: first)
            } else {
                line.put("none")
            }
        }
        guard let share = statistics.availability else { return }
        row("Availability", &out) { line in
            line.put(Self.percent(share) + " of the time: ")
            line.put(spoken: statistics.foundTime)
            line.put(" of ")
            line.put(spoken: statistics.duration)
        }
    }

    /// Writes the figures of each receiver, if there are several.
    private func receivers(_ statistics: TrackStatistics, _ out: inout TextBuffer) {
        let receivers = statistics.receivers.filter { $0.reports > 0 }
        guard receivers.count > 1 else { return }
        for (index, receiver) in receivers.sorted(by: { $0.epochs > $1.epochs }).prefix(receiverLimit).enumerated() {
            row(index == 0 ? "Receivers" : "", &out) { line in
                line.put("\(receiver.device?.printable ?? "an unnamed receiver"): ")
                line.put(receiver.epochs.counting("epoch"))
                if let interval = receiver.reportInterval { line.put(", every \(interval.spoken)") }
                if let share = receiver.availability { line.put(", \(Self.percent(share)) of the time") }
                let gaps = receiver.gaps.count
                if gaps > 0 { line.put(", \(gaps.counting("gap"))") }
                if let accuracy = receiver.horizontalAccuracy.median {
                    line.put(", \(style.glyphs.plusMinus)")
                    line.put(length: accuracy, in: style.units)
                }
            }
        }
        let rest = receivers.count - receiverLimit
        if rest > 0 { row("", &out) { $0.put("and \(rest.counting("other"))") } }
        if statistics.handovers > 0 { row("Handovers", &out) { $0.put("\(statistics.handovers)") } }
    }

    private func gaps(_ statistics: TrackStatistics, _ out: inout TextBuffer) {
        guard statistics.timeToFirstFix != nil else { return }
        let gaps = statistics.gaps
        row("Gaps", &out) { line in
            line.put(gaps.isEmpty ? "none" : "\(gaps.count)")
            guard gaps.count > 1, let longest = gaps.map(\.length).max() else { return }
            line.put(", the longest ")
            line.put(spoken: longest)
        }
        let hasDates = hasSeveralDays(statistics)
        for gap in gaps.prefix(gapLimit) {
            row("", &out) { line in
                let start = localTime.civil(gap.start.wall)
                if hasDates {
                    line.put(date: start)
                    line.put(" ")
                }
                line.put(clock: start)
                line.put("  for ")
                line.put(spoken: gap.length)
                line.put(": \(Self.words(ofReason: gap.reason))")
            }
        }
        if gaps.count > gapLimit { row("", &out) { $0.put("and \(gaps.count - gapLimit) more") } }
    }

    /// Writes whether positions are to be believed, if a rule has ever objected.
    private func integrity(_ figures: IntegrityFigures, _ out: inout TextBuffer) {
        guard !figures.isNominal else { return }
        row("Integrity", &out) { line in
            line.put("suspect \(figures.suspects.counting("time")) for ")
            line.put(spoken: figures.suspectTime)
            line.put(", ")
            if figures.alarms > 0 {
                line.put("\(figures.alarms.counting("alarm")) for ")
                line.put(spoken: figures.alarmTime)
            } else {
                line.put("no alarm")
            }
            line.put(": \(figures.reasons.codes.joined(separator: ", "))")
        }
    }

    private func satellites(_ statistics: TrackStatistics, _ out: inout TextBuffer) {
        var parts: [String] = []
        if statistics.seen.count > 0 { parts.append("seen " + spread(statistics.seen, "", decimals: 0)) }
        if statistics.used.count > 0 { parts.append("used " + spread(statistics.used, "", decimals: 0)) }
        if !parts.isEmpty { row("Satellites", &out) { $0.put(parts.joined(separator: ", ")) } }
        let signals = statistics.signals.sorted { ($0.key?.rawValue ?? .max) < ($1.key?.rawValue ?? .max) }
        for (index, (system, signal)) in signals.enumerated() {
            row(index == 0 ? "Signal" : "", &out) { line in
                let start = line.count
                line.put(system?.name ?? "unknown")
                line.put(repeating: UInt8(ascii: " "), count: 9 - line.columns(from: start))
                line.put(spread(signal, "dB-Hz", decimals: 0))
            }
        }
        let dilutions = [
            ("HDOP", statistics.horizontalDilution), ("VDOP", statistics.verticalDilution),
            ("PDOP", statistics.positionDilution),
        ].filter { $0.1.count > 0 }
        for (index, (name, values)) in dilutions.enumerated() {
            row(index == 0 ? "Geometry" : "", &out) { $0.put("\(name) " + spread(values, "", decimals: 1)) }
        }
    }

    private func motion(_ statistics: TrackStatistics, _ out: inout TextBuffer) {
        guard statistics.epochs > 1 else { return }
        let motion = statistics.motion
        row("Distance", &out) { line in
            line.put(distance: motion.distance, in: style.units)
            line.put("; from point to point ")
            line.put(distance: motion.rawDistance, in: style.units)
        }
        row("", &out) { line in
            line.put("moving ")
            line.put(spoken: motion.movingTime)
            line.put(", standing ")
            line.put(spoken: motion.standingTime)
        }
        guard let median = motion.speeds.median, let fastest = motion.speeds.maximum else { return }
        row("Speed", &out) { line in
            if let average = motion.averageMovingSpeed {
                line.put(speed: average, in: style.units)
                line.put(" average, ")
            }
            line.put(speed: median, in: style.units)
            line.put(" median, maximum ")
            line.put(speed: fastest, in: style.units)
        }
        guard motion.isHeightKnown else { return }
        row("Climb", &out) { line in
            line.put(length: motion.ascent, in: style.units)
            line.put(" up, ")
            line.put(length: motion.descent, in: style.units)
            line.put(" down")
        }
    }

    /// Writes the system clock by each receiver, if gpsd has compared them.
    private func clocks(_ statistics: TrackStatistics, _ out: inout TextBuffer) {
        let reports = ClockReport.all(statistics.clocks, isKept: false)
        for (index, report) in reports.prefix(receiverLimit).enumerated() {
            guard let figures = report.best?.figures else { continue }
            row(index == 0 ? "System clock" : "", &out) { line in
                let side = figures.median < 0 ? "behind" : "ahead"
                line.put(brief: Double(figures.median), style.glyphs)
                line.put(" \(side) by the \(report.source == .pulse ? "pulse" : "messages, which come late,") of ")
                line.put(report.device?.printable ?? "an unnamed receiver")
                if let drift = figures.drift, figures.isDriftKnown {
                    line.put(", drift ")
                    line.put(trimmed: drift, decimals: 2)
                    line.put(" ppm")
                }
                if let jitter = figures.jitter {
                    line.put(", jitter ")
                    line.put(brief: jitter, style.glyphs)
                }
            }
        }
    }

    /// Returns the median of a distribution, and its range.
    private func spread(_ values: Distribution, _ unit: String, decimals: Int) -> String {
        guard let median = values.median, let least = values.minimum, let most = values.maximum else {
            return "unknown"
        }
        var out = TextBuffer()
        out.put(trimmed: median, decimals: decimals)
        if !unit.isEmpty { out.put(" " + unit) }
        var (low, high) = (TextBuffer(), TextBuffer())
        low.put(trimmed: least, decimals: decimals)
        high.put(trimmed: most, decimals: decimals)
        return low.bytes == high.bytes ? out.text : "\(out.text) (\(low.text) to \(high.text))"
    }

    static func percent(_ share: Double) -> String {
        var out = TextBuffer()
        // A share below 1 must not be rounded up to 100 %.
        out.put(trimmed: share < 1 ? min(share * 100, 99.9) : 100, decimals: 1)
        return out.text + " %"
    }

    private static func words(ofReason code: String) -> String {
        switch code {
        case "noFix": "no fix"
        case "silent": "no report"
        case "deviceLost": "the receiver is gone"
        case "deviceSilent": "the receiver sends nothing"
        case "deviceBabbling": "the receiver sends unrecognized data"
        case "deviceUnopenable": "the receiver cannot be opened"
        case "noDevice": "no receiver"
        case "connecting": "connecting"
        case "connected": "connected again"
        case "connectionLost": "the connection was lost"
        case "unreachable": "gpsd cannot be reached"
        default: code.printable
        }
    }
}
