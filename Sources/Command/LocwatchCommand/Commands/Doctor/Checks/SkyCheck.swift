import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check that the receiver receives enough satellites.
enum SkyCheck {
    /// The signal in dB-Hz below which a receiver can track a signal but not decode it.
    private static let readable = 30.0
    /// The number of satellites needed for a position with altitude.
    private static let enough = 4

    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let found = observation.sky.map { words(for: $0) }
        if !observation.positions.isEmpty {
            // The first reports of a session contain only a part of the sky.
            guard observation.isOver || (found != nil && observation.positions.count > 1) else { return .wait }
            return .ok(found ?? "the receiver does not report satellites")
        }
        guard observation.isOver else { return .wait }
        let watched = observation.watched.spoken
        let advice =
            "a cold start under an open sky takes about a minute, a warm start half of that, and with weak signals "
            + "up to 12 minutes"
        guard let sky = observation.sky, sky.seen ?? 0 > 0 else {
            return blind("no satellite seen in \(watched)", observation)
        }
        let strong = sky.signals.count { $0 >= readable }
        let found0 = "\(words(for: sky)), no fix in \(watched)"
        if sky.signals.isEmpty {
            return blind("\(sky.seen ?? 0) satellites should be up, but none is received in \(watched)", observation)
        }
        if strong < enough {
            return .fault(
                .noFix, found0, brief: "the satellite signals are too weak",
                why:
                    "a fix needs \(enough) satellites at \(Int(clamping: readable)) dB-Hz or more: a roof, a wall or a body is "
                    + "in the way" + interference(observation),
                remedy: "put the antenna outside or at a window, flat, away from USB 3 and HDMI cables",
                "then wait: \(advice)")
        }
        return .fault(
            .noFix, found0, brief: "the receiver is still searching, with good signals",
            why: "the signals are strong enough; the receiver is still receiving the satellite orbits",
            remedy: "leave it where it is and wait: locwatch once -t 15m\(observation.source.argument)", advice)
    }

    private static func blind(_ found: String, _ observation: Observation) -> Finding {
        if observation.antenna == 2 || observation.antenna == 3 {
            return .fault(
                .noFix, found,
                why: observation.antenna == 2
                    ? "the receiver reports that its antenna is not connected"
                    : "the receiver reports that its antenna has a short circuit",
                remedy: "check the antenna's plug and cable, or try another antenna")
        }
        return .fault(
            .noFix, found,
            why: "the receiver works but receives nothing: no antenna, no view of the sky, or just switched on"
                + interference(observation),
            remedy: "check that the antenna is plugged in and under an open sky",
            "then check again: locwatch doctor -t 2m\(observation.source.argument)")
    }

    private static func interference(_ observation: Observation) -> String {
        guard let jamming = observation.jamming, jamming >= 128 else { return "" }
        return "; it also reports interference (\(jamming) of 255)"
    }

    private static func words(for sky: SkyView) -> String {
        let figures = ReasonText.sky(seen: sky.seen, used: sky.used, best: sky.bestSignal).joined(separator: ", ")
        let signals = sky.signals.sorted()
        guard !signals.isEmpty else { return figures }
        let median = TextBuffer.text { $0.put(fixed: signals[signals.count / 2], decimals: 0) }
        let strong = signals.count { $0 >= readable }
        return "\(figures), median \(median), \(strong) at \(Int(clamping: readable)) dB-Hz or more"
    }
}

extension SkyView {
    fileprivate var signals: [Double] { distinctSatellites?.compactMap(\.signal) ?? [] }
}
