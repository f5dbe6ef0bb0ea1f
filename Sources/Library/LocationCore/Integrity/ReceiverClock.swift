/// The rules over a receiver's time: a leap against the session's clock, and a date that is a rollover away.
struct ReceiverClock: Hashable, Sendable {
    /// The first time that the receiver reported, from which the others are counted.
    private var base: Timestamp?
    /// The session's time then, and at the last position, in seconds.
    private var began = 0.0
    private var latest = 0.0
    /// The receiver's time minus the session's, since `base`, in seconds; it follows slow differences.
    private var offset = 0.0
    /// The beginning of a time in which the receiver's clock has been behind, if it is.
    private var behindSince = Double.nan
    /// Whether the receiver has corrected its time by seconds, as once it has the almanac.
    private var hasCorrected = false

    /// Processes the receiver's time in a position, which arrived at `time` in seconds of the session and at `wall`.
    mutating func process(
        _ sent: Timestamp, at time: Double, wall: Timestamp, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        let ahead = Double(clampingNanoseconds: sent, since: wall)
        if abs(ahead) > IntegrityRules.rollover / 2, let weeks = Self.rollovers(ahead) {
            object(Self.finding(weeks, sent))
        }
        guard let base else {
            (self.base, began, latest, offset) = (sent, time, time, -time)
            return
        }
        let difference = Double(clampingNanoseconds: sent, since: base) - time - offset
        let passed = max(0, time - latest)
        latest = time
        guard abs(difference) > rules.leap else {
            behindSince = .nan
            if time - began < IntegrityRules.dateTime {
                offset += difference * min(1, passed / IntegrityRules.learning)
            } else {
                // A clock that walks faster than any honest one leaves the offset behind.
                offset += max(-IntegrityRules.drift * passed, min(IntegrityRules.drift * passed, difference))
            }
            return
        }
        if difference < 0 {
            // A report can arrive late, but it catches up.
            if behindSince.isNaN { behindSince = time }
            guard time - behindSince >= IntegrityRules.behind else { return }
        }
        offset += difference
        behindSince = .nan
        judge(difference, sent, age: time - began, object)
    }

    private mutating func judge(
        _ difference: Double, _ sent: Timestamp, age: Double, _ object: (IntegrityFinding) -> Void
    ) {
        guard age >= IntegrityRules.dateTime else { return }
        if abs(difference) <= IntegrityRules.almanacLeap, age < IntegrityRules.almanacTime, !hasCorrected {
            hasCorrected = true
            return
        }
        if let weeks = Self.rollovers(difference) {
            object(Self.finding(weeks, sent))
        } else {
            object(IntegrityFinding(reason: .clock, values: .clock(seconds: difference)))
        }
    }

    private static func finding(_ weeks: Int, _ sent: Timestamp) -> IntegrityFinding {
        let likely = sent.advanced(by: Duration(clampingSeconds: 604_800) * -weeks)
        return IntegrityFinding(reason: .rollover, values: .rollover(weeks: weeks, likely: likely))
    }

    /// Returns the weeks of a difference in seconds, if it is a multiple of 1,024 weeks but for a day.
    private static func rollovers(_ difference: Double) -> Int? {
        let count = (difference / IntegrityRules.rollover).rounded()
        guard count != 0, abs(difference - count * IntegrityRules.rollover) <= IntegrityRules.rolloverTolerance
        else { return nil }
        return Int(clamping: count) * 1024
    }
}

extension Double {
    /// Creates the seconds from one timestamp to another; a difference beyond the range is clamped.
    init(clampingNanoseconds time: Timestamp, since other: Timestamp) {
        let (difference, overflows) = time.nanosecondsSince1970
            .subtractingReportingOverflow(other.nanosecondsSince1970)
        self = overflows ? (time > other ? 9e9 : -9e9) : Double(difference) / 1e9
    }
}
