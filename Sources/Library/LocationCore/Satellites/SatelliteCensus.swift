/// The counts of a list of signals, in which a signal without a name is a satellite of its own.
///
/// It is made in one pass, when a view is made, and everything that asks about the list as a whole reads it.
package struct SatelliteCensus: Sendable {
    /// The number of satellites.
    package private(set) var seen = 0
    /// The number of satellites of which a signal is used.
    package private(set) var used = 0
    /// Whether a satellite has more than one signal.
    package private(set) var hasRepeats = false
    /// The strongest signal in dB-Hz, or `nil` if none is heard.
    @OptionalDouble package private(set) var best: Double?
    /// The values that the integrity of a position is judged by.
    private(set) var summary = SkySummary()

    /// Creates the census of no satellite.
    package init() {}

    /// Counts the satellites of a list.
    package init(_ list: [Satellite]) {
        var counter = SatelliteCounter()
        var summary = SkySummaryCounter()
        var best = -Double.infinity
        for satellite in list {
            let name = satellite.name
            counter.insert(name, isUsed: satellite.isUsed)
            if let signal = satellite.signal, signal > best { best = signal }
            summary.add(satellite, name)
        }
        (seen, used, hasRepeats) = (counter.seen, counter.used, counter.hasRepeats)
        self.best = best
        self.summary = hasRepeats ? SkySummaryCounter(list.bySatellite).summary : summary.summary
    }
}

/// The satellites of a list that a census has met.
///
/// Lists come with every epoch, and counting them must not cost much beside reading them, so satellites are bits and not
/// elements of a hashed set.
private struct SatelliteCounter {
    private static let numbers = 512
    /// The words of a bit for each number of eight constellations, and of the satellites without one.
    private static let words = 9 * numbers / 64

    private(set) var seen = 0
    private(set) var used = 0
    private(set) var hasRepeats = false
    // The satellites that are seen, then those that are used.
    #if os(Linux)
        private var bits = InlineArray<144, UInt64>(repeating: 0)
    #else
        // An array in place needs newer systems than the package does.
        private var bits = [UInt64](repeating: 0, count: 2 * Self.words)
    #endif
    /// The satellites with larger numbers, and whether they are used.
    private var others: [SatelliteName: Bool] = [:]

    init() {}

    /// Counts a signal of a satellite.
    @inline(__always)
    mutating func insert(_ name: SatelliteName?, isUsed: Bool) {
        var (isNew, isNewlyUsed) = (true, isUsed)
        if let name {
            if 0..<Self.numbers ~= name.number {
                let place = (name.constellation &+ 1) &* Self.numbers &+ name.number
                let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: place & 63)
                isNew = bits[place >> 6] & bit == 0
                bits[place >> 6] |= bit
                if isUsed {
                    isNewlyUsed = bits[Self.words + (place >> 6)] & bit == 0
                    bits[Self.words + (place >> 6)] |= bit
                }
            } else {
                (isNew, isNewlyUsed) = insertOther(name, isUsed: isUsed)
            }
        }
        if isNew { seen &+= 1 } else { hasRepeats = true }
        if isNewlyUsed { used &+= 1 }
    }

    /// Notes a satellite with a large number, and returns whether it is new and newly used.
    @inline(never)
    private mutating func insertOther(_ name: SatelliteName, isUsed: Bool) -> (isNew: Bool, isNewlyUsed: Bool) {
        let known = others[name]
        others[name] = isUsed || known == true
        return (known == nil, isUsed && known != true)
    }
}
