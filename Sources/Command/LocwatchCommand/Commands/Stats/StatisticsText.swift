import LocationCore
import LocationTracks
import LocwatchArguments
import LocwatchPrinting
import LocwatchTerminal

/// The statistics of a session for people.
struct StatisticsText {
    let statistics: TrackStatistics
    let source: SourceWord
    let localTime: LocalTime

    /// The number of gaps that are listed individually.
    private static let gapLimit = 10
    /// The number of receivers that are listed individually.
    private static let receiverLimit = 10

    /// Returns the text, where every line ends with a line feed.
    func text(in style: TextStyle) -> String {
        var lines = FigureLines(style: style)
        for (label, phrases) in rows { lines.add(label, phrases) }
        return lines.out.text
    }

    /// The lines below each label; a label without lines is not shown.
    private var rows: KeyValuePairs<String, [Phrase]> {
        [
            "Session": session,
            "Positions": positions,
            "First fix": [statistics.timeToFirstFix.map { "after \($0.spoken)" } ?? "none"],
            "Availability": availability,
            "Gaps": gaps,
            "Integrity": integrity,
            "Receivers": receivers,
            "Handovers": receivers.isEmpty || statistics.handovers == 0 ? [] : ["\(statistics.handovers)"],
            "Satellites": satellites,
            "Signal": signals,
            "Geometry": dilutions,
            "Reported": accuracies,
            "Reference": statistics.reference.map(reference) ?? [],
            "Standstill": statistics.scatter.map(standstill) ?? [],
            "Distance": distance,
            "Speed": speed,
            "Climb": climb,
            "Clock": clockOffset,
            "System clock": clocks,
        ]
    }

    private var motion: MotionStatistics { statistics.motion }

    private var session: [Phrase] {
        let place: Phrase = "\(source.place.printable)"
        guard let began = statistics.began?.wall, let ended = statistics.ended?.wall else {
            return [place, "no reports"]
        }
        guard began.nanosecondsSince1970 != 0 else { return [place, "\(statistics.duration.spoken)"] }
        let (first, last) = (localTime.civil(began), localTime.civil(ended))
        let zone: Phrase = localTime.hasSameOffset(began, ended) ? "" : " \(localTime.zone(began))"
        let day: Phrase = hasSeveralDays ? "\(date: last) " : ""
        let end: Phrase = "\(day)\(clock: last) \(localTime.zone(ended))"
        let span: Phrase = "\(date: first) \(clock: first)\(zone) to \(end), \(statistics.duration.spoken)"
        return [place, span] + dateJumps
    }

    /// The changes of the date that explain why the duration is not the time from the first date to the last.
    private var dateJumps: [Phrase] {
        guard let (from, to) = statistics.dateJumps.first else { return [] }
        let count = statistics.dateJumps.count.counting("jump")
        let (before, after) = (localTime.civil(from), localTime.civil(to))
        return ["\(count) of the date, which last no time: the first from \(date: before) to \(date: after)"]
    }

    /// Whether the session does not end on the day on which it began.
    private var hasSeveralDays: Bool {
        guard let began = statistics.began, let ended = statistics.ended else { return false }
        let (first, last) = (localTime.civil(began.wall), localTime.civil(ended.wall))
        return (first.year, first.month, first.day) != (last.year, last.month, last.day)
    }

    private var positions: [Phrase] {
        var count: Phrase = "\(statistics.epochs.counting("epoch"))"
        if let rate = statistics.rate {
            let each = statistics.devices.count > 1 ? " for each receiver" : ""
            count = "\(count), \(rate, decimals: rate < 0.1 ? 4 : 2) per second\(each)"
        }
        var kinds = [(FixKind.threeD, "3D"), (.twoD, "2D")].compactMap { kind, name in
            statistics.fixes[kind].map { "\($0) \(name)" }
        }
        kinds += statistics.qualities.filter { $0.key != .ordinary }.map { "\($0.value) \($0.key.words)" }.sorted()
        if statistics.late > 0 { kinds.append("\(statistics.late) late") }
        if statistics.untimed > 0 { kinds.append("\(statistics.untimed) without a time") }
        return [count] + (kinds.isEmpty ? [] : ["\(kinds.joined(separator: ", "))"])
    }

    private var availability: [Phrase] {
        guard let share = statistics.availability else { return [] }
        let (found, duration) = (statistics.foundTime.spoken, statistics.duration.spoken)
        return ["\(Self.percent(share)) of the time: \(found) of \(duration)"]
    }

    private var gaps: [Phrase] {
        guard statistics.timeToFirstFix != nil else { return [] }
        let gaps = statistics.gaps
        guard let longest = gaps.map(\.length).max() else { return ["none"] }
        let count: Phrase = gaps.count > 1 ? "\(gaps.count), the longest \(longest.spoken)" : "1"
        let hasDates = hasSeveralDays
        let listed = gaps.prefix(Self.gapLimit).map { gap -> Phrase in
            let start = localTime.civil(gap.start.wall)
            let day: Phrase = hasDates ? "\(date: start) " : ""
            return "\(day)\(clock: start)  for \(gap.length.spoken): \(ReasonText.words(ofCode: gap.reason))"
        }
        return [count] + listed + (gaps.count > Self.gapLimit ? ["and \(gaps.count - Self.gapLimit) more"] : [])
    }

    /// Whether positions are to be believed, if a rule has ever objected.
    private var integrity: [Phrase] {
        let figures = statistics.integrity
        guard !figures.isNominal else { return [] }
        let alarms = "\(figures.alarms.counting("alarm")) for \(figures.alarmTime.spoken)"
        let suspect = "suspect \(figures.suspects.counting("time")) for \(figures.suspectTime.spoken)"
        let reasons = figures.reasons.codes.joined(separator: ", ")
        return ["\(suspect), \(figures.alarms > 0 ? alarms : "no alarm"): \(reasons)"]
    }

    /// The figures of each receiver, if there are several.
    private var receivers: [Phrase] {
        let receivers = statistics.receivers.filter { $0.epochs > 0 }.sorted { $0.epochs > $1.epochs }
        guard receivers.count > 1 else { return [] }
        let listed = receivers.prefix(Self.receiverLimit).map { receiver -> Phrase in
            let gaps = receiver.gaps.count
            return .joined([
                "\(receiver.device?.printable ?? "an unnamed receiver"): \(receiver.epochs.counting("epoch"))",
                receiver.reportInterval.map { "every \($0.spoken)" },
                receiver.availability.map { "\(Self.percent($0)) of the time" },
                gaps > 0 ? "\(gaps.counting("gap"))" : nil,
                receiver.horizontalAccuracy.median.map { "\(within: "\(length: $0)")" },
            ])
        }
        let rest = receivers.count - Self.receiverLimit
        return listed + (rest > 0 ? ["and \(rest.counting("other"))"] : [])
    }

    private var satellites: [Phrase] {
        let parts = [("seen", statistics.seen), ("used", statistics.used)].filter { $0.1.count > 0 }
        return parts.isEmpty ? [] : ["\(parts.map { "\($0) \(spread($1, decimals: 0))" }.joined(separator: ", "))"]
    }

    private var signals: [Phrase] {
        statistics.signals.sorted { ($0.key?.rawValue ?? .max) < ($1.key?.rawValue ?? .max) }.map { system, signal in
            let name = system?.name ?? "unknown"
            let gap = String(repeating: " ", count: max(0, 9 - name.count))
            return "\(name)\(gap)\(spread(signal, " dB-Hz", decimals: 0))"
        }
    }

    private var dilutions: [Phrase] {
        [
            ("HDOP", statistics.horizontalDilution), ("VDOP", statistics.verticalDilution),
            ("PDOP", statistics.positionDilution),
        ].filter { $0.1.count > 0 }.map { "\($0) \(spread($1, decimals: 1))" }
    }

    private var distance: [Phrase] {
        guard statistics.epochs > 1 else { return [] }
        return [
            "\(distance: motion.distance); from point to point \(distance: motion.rawDistance)",
            "moving \(motion.movingTime.spoken), standing \(motion.standingTime.spoken)",
        ]
    }

    private var speed: [Phrase] {
        guard statistics.epochs > 1, let median = motion.speeds.median, let fastest = motion.speeds.maximum else {
            return []
        }
        let average: Phrase = motion.averageMovingSpeed.map { "\(speed: $0) average, " } ?? ""
        return ["\(average)\(speed: median) median, maximum \(speed: fastest)"]
    }

    private var climb: [Phrase] {
        guard !speed.isEmpty, motion.isHeightKnown else { return [] }
        return ["\(length: motion.ascent) up, \(length: motion.descent) down"]
    }

    private var clockOffset: [Phrase] {
        guard statistics.clockOffset.count > 0 else { return [] }
        return ["positions arrive \(spread(statistics.clockOffset, " s", decimals: 3))", "after their timestamps"]
    }

    /// The system clock by each receiver, if gpsd has compared them.
    private var clocks: [Phrase] {
        ClockReport.all(statistics.clocks, isKept: false).prefix(Self.receiverLimit).compactMap { report -> Phrase? in
            guard let figures = report.best?.figures else { return nil }
            let side = figures.median < 0 ? "behind" : "ahead"
            let source = report.source == .pulse ? "pulse" : "messages, which come late,"
            let device = report.device?.printable ?? "an unnamed receiver"
            return .joined([
                "\(brief: Double(figures.median)) \(side) by the \(source) of \(device)",
                figures.isDriftKnown ? figures.drift.map { "drift \($0, decimals: 2) ppm" } : nil,
                figures.jitter.map { "jitter \(brief: $0)" },
            ])
        }
    }

    /// Returns the median of a distribution, and its range.
    private func spread(_ values: Distribution, _ unit: String = "", decimals: Int) -> String {
        guard let median = values.median, let least = values.minimum, let most = values.maximum else {
            return "unknown"
        }
        let (low, high) = (Self.trimmed(least, decimals), Self.trimmed(most, decimals))
        return Self.trimmed(median, decimals) + unit + (low == high ? "" : " (\(low) to \(high))")
    }

    static func percent(_ share: Double) -> String {
        // A share below 1 must not be rounded up to 100 %.
        trimmed(share < 1 ? min(share * 100, 99.9) : 100, 1) + " %"
    }

    private static func trimmed(_ number: Double, _ decimals: Int) -> String {
        TextBuffer.text { $0.put(trimmed: number, decimals: decimals) }
    }
}
