import LocationCore
import LocwatchArguments
import LocwatchPrinting
import LocwatchSession
import LocwatchTerminal

/// The check of the quality of the positions.
enum FixCheck {
    /// The number and span of positions needed to judge a fix, unless the observation ends earlier.
    private static let sufficient = (count: 4, time: Duration.seconds(3))
    /// The number for a line of this machine, whose bad cable damages some sentences only.
    private static let sufficientOfLine = 8

    static func examine(_ observation: Observation, _ machine: any ExaminedMachine) -> Finding {
        let device = observation.positions.last?.location.device
        let positions = observation.positions.filter { device == nil || $0.location.device == device }
        guard let first = positions.first, let last = positions.last else {
            guard observation.isOver else { return .wait }
            return .fault(
                .noFix, "no position in \(observation.watched.spoken)", why: "the receiver reports none",
                remedy: "wait longer: locwatch once -t 15m\(observation.source.argument)")
        }
        let span = first.moment.duration(to: last.moment)
        let count = observation.source.isLine ? sufficientOfLine : sufficient.count
        guard observation.isOver || (positions.count >= count && span >= sufficient.time) else { return .wait }
        let fix = words(for: last.location)
        let fault = frozen(positions, span, fix) ?? flat(positions, fix) ?? doubted(observation, last.location, fix)
        return fault ?? jump(positions, fix) ?? drift(positions, fix) ?? coarse(last.location, fix)
            ?? torn(positions, fix) ?? .ok(fix)
    }

    /// Returns a fault if the time does not advance, because a receiver that hangs repeats its last epoch.
    private static func frozen(_ positions: [ObservedPosition], _ span: Duration, _ fix: String) -> Finding? {
        let times = positions.compactMap(\.location.timestamp)
        guard let first = times.first, let last = times.last, times.count == positions.count, positions.count >= 3,
            last.since(first) <= .zero, span >= .seconds(2)
        else { return nil }
        return .fault(
            .noFix, "\(fix), but its time is stuck at \(last.formatted(fractionDigits: 0))",
            why: "the receiver repeats an old position", remedy: "disconnect its power for ten seconds")
    }

    private static func flat(_ positions: [ObservedPosition], _ fix: String) -> Finding? {
        guard positions.allSatisfy({ $0.location.fix == .twoD }) else { return nil }
        return .remark(
            "\(fix), all without altitude",
            why: "three satellites give a position without altitude, and the position assumes an old altitude",
            remedy: "give the antenna more sky, and wait for 3D: locwatch once --fix 3d -t 5m")
    }

    /// Returns a finding if the receiver is not to be believed; a rollover of the date is the clock's.
    private static func doubted(_ observation: Observation, _ last: Location, _ fix: String) -> Finding? {
        guard let change = observation.view[last.device]?.integrity, change.to > .nominal, change.reasons != .rollover
        else { return nil }
        let found = "\(fix), but \(change.to.rawValue): \(IntegrityText(change).words)"
        var finding = Finding.remark(
            found, why: "it may be jammed or spoofed, or shaded by a building",
            remedy: "see INTEGRITY in the manual: man locwatch",
            "watch it: locwatch monitor\(observation.source.argument)")
        if change.to == .alarm { (finding.result, finding.code) = (.fault, .noFix) }
        return finding
    }

    /// Returns a remark if a step between two positions is too large for the reported motion.
    private static func jump(_ positions: [ObservedPosition], _ fix: String) -> Finding? {
        for (one, other) in zip(positions, positions.dropFirst()) {
            let metres = one.location.coordinate.distance(to: other.location.coordinate)
            let seconds = max(1, one.moment.duration(to: other.moment).inSeconds)
            let speed = max(one.location.speed ?? 0, other.location.speed ?? 0)
            let accuracy = (one.location.horizontalAccuracy ?? 10) + (other.location.horizontalAccuracy ?? 10)
            guard metres > 3 * (speed * seconds + accuracy) + 20 else { continue }
            return .remark(
                "\(fix); it jumped by \(length(metres)) within \(Duration(clampingSeconds: seconds).spoken)",
                why: "signals are reflected by walls, or a satellite went out of sight",
                remedy: "give the antenna more sky; drop coarse positions: locwatch -a 20")
        }
        return nil
    }

    /// Returns a remark if a receiver that reports a standstill drifts farther than its reported accuracy allows.
    private static func drift(_ positions: [ObservedPosition], _ fix: String) -> Finding? {
        guard let first = positions.first?.location, positions.count >= 3,
            positions.allSatisfy({ ($0.location.speed ?? 1) < 0.3 }), let accuracy = first.horizontalAccuracy
        else { return nil }
        let metres = positions.map { $0.location.coordinate.distance(to: first.coordinate) }.max() ?? 0
        guard metres > 2 * accuracy else { return nil }
        return .remark(
            "\(fix); it drifted by \(length(metres)) while standing",
            why: "its error is larger than reported: signals are reflected by walls",
            remedy: "give the antenna more sky, and a metal plate below it")
    }

    private static func coarse(_ location: Location, _ fix: String) -> Finding? {
        guard let accuracy = location.horizontalAccuracy, accuracy > 50 else { return nil }
        return .remark(
            fix, why: "few satellites, or all in one part of the sky",
            remedy: "give the antenna more sky and a minute of time")
    }

    /// Returns a remark if reports are missing, or have no altitude while others have it.
    ///
    /// gpsd drops damaged sentences without a word, so that only what they do not tell is left of them.
    private static func torn(_ positions: [ObservedPosition], _ fix: String) -> Finding? {
        let times = positions.compactMap(\.location.timestamp)
        let steps = zip(times, times.dropFirst()).map { $1.since($0) }
        // The clock's check explains a date that leaps.
        guard let cycle = steps.min(), cycle > .zero, steps.allSatisfy({ $0 < .seconds(60) }) else { return nil }
        let missing = steps.reduce(0) { $0 + Int(clamping: ($1 / cycle).rounded()) - 1 }
        let solid = positions.filter { $0.location.fix == .threeD }
        let flat = solid.count { $0.location.altitude == nil }
        let torn = missing + (flat < solid.count ? flat : 0)
        guard torn > 0 else { return nil }
        return .remark(
            "\(fix); \(torn) of \((positions.count + missing).counting("report")) came without all of its sentences",
            why: "sentences are damaged or lost on their way, and gpsd drops what is damaged",
            remedy: "check the cable and its plugs",
            "if the line is slow, let the receiver send less, or raise its speed")
    }

    private static func words(for location: Location) -> String {
        let accuracy = location.horizontalAccuracy.map { ", accurate to \(length($0))" } ?? ""
        return "\(location.fix.words) fix\(accuracy)"
    }

    private static func length(_ metres: Double) -> String { TextBuffer.text { $0.put(length: metres, in: .metric) } }
}
