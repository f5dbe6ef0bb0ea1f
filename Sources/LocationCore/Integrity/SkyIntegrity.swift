/// The rules over the satellites of one receiver: a fall of all signals, equal signals, and a change of sky.
///
/// Receivers report an epoch's satellites in parts, so levels and sets are gathered over windows of some seconds.
struct SkyIntegrity: Sendable {
    /// The level and the satellites that were gathered over a window.
    private struct Window: Sendable {
        var level = 0.0
        var heard = 0
        var used = SatelliteSet()
    }

    private var start = Double.nan
    private var window = Window()
    private var last = Window()
    /// The levels of the windows before `last`, the newest first, and the satellites of the newest.
    private var before = (0.0, 0.0)
    private var usedBefore = SatelliteSet()
    /// The level that the signals fell to, if they have, and the moment of the fall.
    private var fallen: (low: Double, at: Double)? { low.isNaN ? nil : (low, fell) }
    private var low = Double.nan
    private var fell = 0.0
    private var alikeSince = Double.nan

    /// Processes a view of the satellites, and reports what the rules object to.
    ///
    /// - Parameters:
    ///   - sky: The summary of the view.
    ///   - time: The seconds since the session began.
    ///   - speed: The speed of the receiver.
    ///   - isStill: Whether the receiver stands still.
    mutating func process(
        _ sky: SkySummary, at time: Double, speed: Double, isStill: Bool, _ object: (IntegrityFinding) -> Void
    ) {
        checkSpread(sky, at: time, object)
        if start.isNaN { start = time }
        if time - start >= IntegrityRules.window {
            closeWindow(at: time, speed: speed, isStill: isStill, object)
            start = time
        }
        window.level = max(window.level, sky.level)
        window.heard = max(window.heard, sky.heard)
        window.used.formUnion(sky.used)
    }

    /// Whether all signals are low since a fall.
    func isLow(at time: Double) -> Bool { fallen.map { time - $0.at < IntegrityRules.longestFall } ?? false }

    private mutating func checkSpread(_ sky: SkySummary, at time: Double, _ object: (IntegrityFinding) -> Void) {
        // A part of an epoch's view says nothing.
        guard sky.usedSignals >= IntegrityRules.spreadSignals else { return }
        let spread = sky.strongestUsed - sky.weakestUsed
        guard spread < (alikeSince.isNaN ? IntegrityRules.spread : IntegrityRules.spreadOver) else {
            alikeSince = .nan
            return
        }
        if alikeSince.isNaN { alikeSince = time }
        guard time - alikeSince >= IntegrityRules.alike else { return }
        object(IntegrityFinding(reason: .uniform, values: .uniform(count: sky.usedSignals, spread: spread)))
    }

    private mutating func closeWindow(
        at time: Double, speed: Double, isStill: Bool, _ object: (IntegrityFinding) -> Void
    ) {
        // A pause between the windows is none of the receiver's doing.
        guard time - start <= 3 * IntegrityRules.window else { return forget() }
        checkFall(at: time, speed: speed, object)
        if isStill { checkSky(object) }
        (before, usedBefore) = ((last.level, before.0), last.used)
        last = window
        window = Window()
    }

    private mutating func forget() {
        (window, last, before, usedBefore) = (Window(), Window(), (0, 0), SatelliteSet())
        (low, alikeSince) = (.nan, .nan)
    }

    private mutating func checkFall(at time: Double, speed: Double, _ object: (IntegrityFinding) -> Void) {
        if !low.isNaN {
            if window.level > low + IntegrityRules.recovery { low = .nan } else { low = min(low, window.level) }
            return
        }
        let high = max(before.0, before.1)
        let fall = high - max(window.level, last.level)
        let isSilent = window.heard < IntegrityRules.levelSignals
        guard high > 0, fall >= IntegrityRules.fall, !isSilent || speed < IntegrityRules.tunnelSpeed else { return }
        low = window.level
        fell = time
        object(IntegrityFinding(reason: .signal, values: .signal(fall: fall, isSilent: isSilent)))
    }

    private func checkSky(_ object: (IntegrityFinding) -> Void) {
        // The window between may contain both skies.
        let (old, new) = (usedBefore.count, window.used.count)
        guard old >= IntegrityRules.skySatellites, new >= IntegrityRules.skySatellites else { return }
        let remaining = usedBefore.common(with: window.used)
        guard Double(remaining) <= IntegrityRules.remaining * Double(old) else { return }
        object(IntegrityFinding(reason: .sky, values: .sky(remaining: remaining, of: old)))
    }
}
