import LocationCore
package import LocwatchArguments
import LocwatchTerminal

extension ErrorText {
    /// Returns the reason why no requested position was found, with the best one seen, if any.
    static func message(for shortfall: LocationError.Shortfall) -> String {
        switch shortfall {
        case .nothingHeard(let duration):
            "no position: no report of a receiver" + (isNothing(duration) ? "" : " within \(duration.spoken)")
        case .noPosition(let duration, let reason):
            "no position" + (isNothing(duration) ? "" : " within \(duration.spoken)") + ": \(ReasonText(reason).words)"
        case .tooCoarse: shortfall.description
        case .notRecorded(let time, let before, let after):
            "no position at \(time): "
                + LocationError.Shortfall.nearest(
                    before.map { "\($0), \(time.since($0).spoken) before" },
                    after.map { "\($0), \($0.since(time).spoken) after" })
        case .tooFlat(let best, let wanted): "no \(wanted.words) fix; the best is \(best.fix.words)"
        case .tooOld(let best, let wanted):
            "no position younger than \(wanted.spoken)"
                + (best.ageWhenReceived.map { "; the newest is \($0.spoken) old" } ?? "; the age is unknown")
        case .moved(let time, let distance):
            "the standstill ended: the receiver moved by \(Int(clamping: distance.rounded())) m after \(time.spoken)"
        case .interrupted(let time, let silence):
            "the standstill ended: no position for \(silence.spoken) after \(time.spoken)"
        case .tooBrief(.zero, let wanted):
            "no standstill of \(wanted.spoken): the receiver has not stood still for a minute"
        case .tooBrief(let longest, let wanted):
            "no standstill of \(wanted.spoken); the longest lasted \(longest.spoken)"
        }
    }

    /// Returns what may help to get the requested position.
    static func advice(for shortfall: LocationError.Shortfall, of source: SourceWord) -> String? {
        let wait = waiting(for: source)
        return switch shortfall {
        case .nothingHeard, .noPosition:
            absenceAdvice(shortfall, of: source)
        case .tooCoarse(let best, _):
            best.horizontalAccuracy.map { "\(wait)accept less, as in -a \(Int(clamping: $0.rounded(.up)))" }
                ?? "omit -a"
        case .tooFlat: source.isLive ? "wait longer (-t) under an open sky, or accept --fix 2d" : "accept --fix 2d"
        case .tooOld: wait + "accept older positions (--max-age)"
        case .notRecorded(_, nil, nil): "run \(source.line("stats")) to see what it has"
        case .notRecorded: nil
        case .moved, .interrupted: "a mean needs a receiver that stays in its place; begin again"
        case .tooBrief(.zero, _):
            source.isLive ? "put the receiver down, or wait longer for it to stand still (-t)" : nil
        case .tooBrief(let longest, _):
            source.isLive || longest < .seconds(60)
                ? nil : "take a shorter time, as in --average \(longest.components.seconds)s"
        }
    }

    /// Returns the beginning of an advice, to wait longer; nothing for a recording, which has nothing to wait for.
    package static func waiting(for source: SourceWord) -> String { source.isLive ? "wait longer (-t), or " : "" }

    private static func absenceAdvice(_ shortfall: LocationError.Shortfall, of source: SourceWord) -> String? {
        guard let doctor = source.doctor else { return "run \(source.line("stats")) to see what it has" }
        return switch shortfall {
        case .nothingHeard: "run \(doctor) to find out why"
        case .noPosition(_, .noFix):
            "give the antenna a clear view of the sky and a few minutes, or run \(doctor)"
        default: "run \(doctor) for advice"
        }
    }

    /// Whether a duration, as in a short recording, is too short to explain anything.
    private static func isNothing(_ duration: Duration) -> Bool { duration < .milliseconds(500) }
}
