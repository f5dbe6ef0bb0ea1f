/// The rules over the satellites of one receiver: a fall of all signals, equal signals, a system above the others,
/// and a change of sky.
///
/// Receivers report an epoch's satellites in parts, so levels and sets are gathered over windows of some seconds.
struct SkyIntegrity: Sendable {
    /// The level and the satellites that were gathered over a window.
    private struct Window: Sendable {
        var level = 0.0
        var heard = 0
        var used = SatelliteSet()
        var systems = SystemLevels()
    }

    /// The signals of the systems in the lists of a window.
    private struct SystemLevels: Sendable {
        private var sums = SIMD8<Float>()
        private var counts = SIMD8<Float>()
        /// The greatest number of signals in a list.
        private var signals = SIMD8<UInt16>()

        mutating func add(_ sky: SkySummary) {
            sums += SIMD8<Float>(sky.sums.all)
            counts += SIMD8<Float>(sky.counts.all)
            signals = pointwiseMax(signals, sky.counts.all)
        }

        /// The system that is above all others together, and by how many dB; `nil` if too few signals tell it.
        var strongest: (system: Constellation, excess: Double)? {
            var strongest: (system: Constellation, excess: Double)?
            let least = IntegrityRules.systemSignals
            let (sum, count, all) = (sums.sum(), counts.sum(), Int(signals.wrappedSum()))
            // The satellites of SBAS stand still in the sky, and can all be high.
            for system in Constellation.allCases where system != .sbas {
                let place = system.rawValue
                let number = Int(signals[place])
                guard number >= least, all - number >= least else { continue }
                let others = (sum - sums[place]) / (count - counts[place])
                // The sums are in eighths.
                let excess = Double(sums[place] / counts[place] - others) / 8
                if excess > strongest?.excess ?? -.infinity { strongest = (system, excess) }
            }
            return strongest
        }
    }

    private var start = Double.nan
    private var window = Window()
    private var last = Window()
    /// The levels of the windows before `last`, the newest first, and the satellites of the newest.
    private var before = (0.0, 0.0)
    private var usedBefore = SatelliteSet()
    /// The level that the signals fell to, NaN if they have not, and the moment of the fall.
    private var low = Double.nan
    private var fell = 0.0
    /// The highest level since the receiver stands still, which decreases slowly; NaN while it moves.
    private var standing = Double.nan
    /// The signals in use of the epoch, whose satellites are reported in parts.
    private var epoch = SignalsInUse()
    private var epochBegan = 0.0
    private var lastPosition = -Double.infinity
    private var alikeSince = Double.nan
    private var imbalancedSince = Double.nan

    /// The signals of the satellites in use that the parts of an epoch contain together.
    private struct SignalsInUse: Sendable {
        private(set) var count = 0
        private var satellites = SatelliteSet()
        private var weakest = Double.infinity
        private var strongest = -Double.infinity

        var spread: Double { strongest - weakest }

        mutating func add(_ part: SkySummary) {
            // Most receivers repeat a list while it grows; some report each system in a list of its own.
            let isOther = satellites.common(with: part.used) == 0
            count = isOther ? count + part.usedSignals : max(count, part.usedSignals)
            satellites.formUnion(part.used)
            weakest = min(weakest, part.weakestUsed)
            strongest = max(strongest, part.strongestUsed)
        }
    }

    /// Processes a view of the satellites, and reports what the rules object to; `position` is the moment of the
    /// receiver's last position, in seconds of the session.
    mutating func process(
        _ sky: SkySummary, at time: Double, speed: Double, isStill: Bool, position: Double,
        _ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void
    ) {
        if position > lastPosition {
            lastPosition = position
            endEpoch(at: time, rules, object)
        }
        epoch.add(sky)
        if start.isNaN { start = time }
        if time - start >= IntegrityRules.window {
            closeWindow(at: time, speed: speed, isStill: isStill, rules, object)
            start = time
        }
        window.level = max(window.level, sky.level)
        window.heard = max(window.heard, sky.heard)
        window.used.formUnion(sky.used)
        window.systems.add(sky)
    }

    /// Whether all signals are low since a fall.
    func isLow(at time: Double) -> Bool { !low.isNaN && time - fell < IntegrityRules.longestFall }

    /// Judges the signals in use of the epoch that a new position has ended.
    private mutating func endEpoch(
        at time: Double, _ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void
    ) {
        let (count, spread) = (epoch.count, epoch.spread)
        // Few signals say nothing, and the systems can be reported in turns, or only every few epochs.
        guard count >= IntegrityRules.spreadSignals else {
            if time - epochBegan > IntegrityRules.window { (epoch, epochBegan) = (SignalsInUse(), time) }
            return
        }
        (epoch, epochBegan) = (SignalsInUse(), time)
        guard spread < (alikeSince.isNaN ? rules.spread : rules.spread + IntegrityRules.spreadMargin) else {
            alikeSince = .nan
            return
        }
        if alikeSince.isNaN { alikeSince = time }
        guard time - alikeSince >= IntegrityRules.alike else { return }
        object(IntegrityFinding(reason: .uniform, values: .uniform(count: count, spread: spread)))
    }

    private mutating func closeWindow(
        at time: Double, speed: Double, isStill: Bool, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        // A pause between the windows is none of the receiver's doing.
        guard time - start <= 3 * IntegrityRules.window else { return forget() }
        checkFall(at: time, speed: speed, isStill: isStill, rules, object)
        checkSystems(at: time, rules, object)
        if isStill { checkSky(rules, object) }
        (before, usedBefore) = ((last.level, before.0), last.used)
        last = window
        window = Window()
    }

    private mutating func forget() {
        (window, last, before, usedBefore) = (Window(), Window(), (0, 0), SatelliteSet())
        (low, standing, alikeSince, imbalancedSince) = (.nan, .nan, .nan, .nan)
        epoch = SignalsInUse()
    }

    private mutating func checkFall(
        at time: Double, speed: Double, isStill: Bool, _ rules: borrowing IntegrityRules,
        _ object: (IntegrityFinding) -> Void
    ) {
        if !low.isNaN {
            if window.level > low + IntegrityRules.recovery { low = .nan } else { low = min(low, window.level) }
            return
        }
        let level = max(window.level, last.level)
        let high = max(before.0, before.1)
        let fall = high - level
        let isSilent = window.heard < IntegrityRules.levelSignals
        if high > 0, fall >= rules.fall, !isSilent || speed < IntegrityRules.tunnelSpeed {
            endStanding(at: time)
            object(IntegrityFinding(reason: .signal, values: .signal(fall: fall, isSilent: isSilent)))
        } else if !isStill {
            standing = .nan
        } else {
            let slowFall = standing - level
            standing = max(window.level, standing.isNaN ? 0 : standing - IntegrityRules.setting)
            guard slowFall >= rules.slowFall else { return }
            endStanding(at: time)
            object(IntegrityFinding(reason: .signal, values: .slowFall(slowFall)))
        }
    }

    /// Begins the time in which the signals are low.
    private mutating func endStanding(at time: Double) {
        (low, fell, standing) = (window.level, time, .nan)
    }

    private mutating func checkSystems(
        at time: Double, _ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void
    ) {
        guard let (system, excess) = window.systems.strongest else { return }
        guard excess >= rules.imbalance else {
            imbalancedSince = .nan
            return
        }
        if imbalancedSince.isNaN { imbalancedSince = start }
        guard time - imbalancedSince >= IntegrityRules.imbalanceTime else { return }
        object(IntegrityFinding(reason: .constellation, values: .constellation(system, excess: excess)))
    }

    private func checkSky(_ rules: borrowing IntegrityRules, _ object: (IntegrityFinding) -> Void) {
        // The window between may contain both skies.
        let (old, new) = (usedBefore.count, window.used.count)
        guard old >= IntegrityRules.skySatellites, new >= IntegrityRules.skySatellites else { return }
        let remaining = usedBefore.common(with: window.used)
        guard Double(remaining) <= rules.remaining * Double(old) else { return }
        object(IntegrityFinding(reason: .sky, values: .sky(remaining: remaining, of: old)))
    }
}
