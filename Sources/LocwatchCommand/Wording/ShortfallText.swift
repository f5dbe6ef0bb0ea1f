import LocationCore

extension ErrorText {
    /// What was missing when one position was asked for, with the best that was seen.
    static func words(for shortfall: LocationError.Shortfall) -> (String, String?) {
        switch shortfall {
        case .nothingHeard(let duration):

            (
                "no position: nothing was heard" + (isNothing(duration) ? "" : " for \(duration.spoken)"),
                "'locwatch doctor' finds out why"
            )
        case .noPosition(let duration, let reason):
            (
                "no position" + (isNothing(duration) ? "" : " within \(duration.spoken)")
                    + ": \(ReasonText(reason).words)",
                advice(for: reason)
            )
        case .tooCoarse(let best, let wanted):
            (
                best.horizontalAccuracy.map {
                    "no position was accurate to \(metres(wanted)): the best was to \(metres($0))"
                } ?? "no position was accurate to \(metres(wanted)): the receiver does not tell how accurate it is",
                best.horizontalAccuracy.map {
                    "wait longer (-t), or ask for less, as in -a \(Int(clamping: $0.rounded(.up)))"
                }
                    ?? "leave -a out"
            )
        case .tooFlat(let best, let wanted):
            (
                "no \(wanted.words) fix: the best was \(best.fix.words)",
                "wait longer (-t) under an open sky, or take --fix 2d"
            )
        case .tooOld(let best, let wanted):
            (
                best.ageWhenReceived.map {
                    "no position was at most \(wanted.spoken) old: the newest was \($0.spoken) old"
                } ?? "no position was at most \(wanted.spoken) old: the receiver does not tell the time",
                "wait longer (-t), or take older ones (--max-age)"
            )
        }
    }

    /// Whether so little time passed that it explains nothing, as in a short recording.
    private static func isNothing(_ duration: Duration) -> Bool { duration < .milliseconds(500) }

    private static func advice(for reason: SearchReason) -> String {
        switch reason {
        case .noFix: "give the antenna an open sky and some minutes; 'locwatch doctor' tells more"
        default: "'locwatch doctor' tells what to do"
        }
    }

    private static func metres(_ value: Double) -> String {
        var text = TextBuffer()
        text.put(trimmed: value, decimals: 1)
        text.put(" m")
        return text.text
    }
}
