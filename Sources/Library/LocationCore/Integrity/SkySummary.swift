/// The values of a view of the satellites that the integrity of a position is judged by, in constant space.
struct SkySummary: Hashable, Sendable {
    /// The mean of the strongest signals in dB-Hz; 0 if none is heard.
    fileprivate(set) var level = 0.0
    fileprivate(set) var heard = 0
    /// The number of satellites in use whose signal is known, and the weakest and the strongest of them.
    fileprivate(set) var usedSignals = 0
    fileprivate(set) var weakestUsed = Double.infinity
    fileprivate(set) var strongestUsed = -Double.infinity
    fileprivate(set) var used = SatelliteSet()
    /// The sum of the signals of each constellation, in eighths of a dB-Hz, and their number.
    fileprivate(set) var sums = SystemNumbers()
    fileprivate(set) var counts = SystemNumbers()
}

/// A number for each constellation.
struct SystemNumbers: Hashable, Sendable {
    // In halves, as a vector of all would align each view to 16 bytes, for which the allocator takes five times as long.
    private var (lower, upper) = (SIMD4<UInt16>(), SIMD4<UInt16>())

    /// All numbers, at the places of the raw values of the constellations.
    var all: SIMD8<UInt16> { SIMD8(lowHalf: lower, highHalf: upper) }

    @inline(__always)
    mutating func add(_ number: UInt16, to constellation: Constellation) {
        let place = constellation.rawValue
        if place < 4 { lower[place] &+= number } else { upper[place & 3] &+= number }
    }
}

/// A counter of satellites for the summary of their view, in which each counts once with its strongest signal.
struct SkySummaryCounter {
    private var counted = SkySummary()
    /// The strongest signals in descending order, 0 where there are fewer than four.
    private var (first, second, third, fourth) = (0.0, 0.0, 0.0, 0.0)

    init() {}

    /// Counts the satellites of a list.
    init(_ list: [Satellite]) {
        for satellite in list { add(satellite, satellite.name) }
    }

    /// The summary of the satellites so far.
    var summary: SkySummary {
        var summary = counted
        if summary.heard > 0 { summary.level = (first + second + third + fourth) / Double(min(summary.heard, 4)) }
        return summary
    }

    /// Adds a satellite.
    @inline(__always)
    mutating func add(_ satellite: Satellite, _ name: SatelliteName?) {
        let isUsed = satellite.isUsed
        if isUsed, let name {
            counted.used.insert(constellation: satellite.constellation?.rawValue ?? 0, number: name.number)
        }
        guard let signal = satellite.signal, signal > 0, signal < 100 else { return }
        counted.heard &+= 1
        if signal > fourth { insert(signal) }
        if let constellation = satellite.constellation {
            counted.sums.add(UInt16(clamping: signal * 8), to: constellation)
            counted.counts.add(1, to: constellation)
        }
        guard isUsed else { return }
        counted.usedSignals &+= 1
        if signal < counted.weakestUsed { counted.weakestUsed = signal }
        if signal > counted.strongestUsed { counted.strongestUsed = signal }
    }

    /// Inserts a signal into the strongest ones, of which the weakest is dropped.
    @inline(__always)
    private mutating func insert(_ signal: Double) {
        // By comparisons: `min` and `max` of `Double` cost several times as much, because they consider NaN.
        if signal <= third { return fourth = signal }
        fourth = third
        if signal <= second { return third = signal }
        third = second
        if signal <= first { return second = signal }
        second = first
        first = signal
    }
}

/// A set of satellites in constant space; two satellites may count as one, which is rare enough for comparing sets.
struct SatelliteSet: Hashable, Sendable {
    // Words of their own, as a vector of them would align each view to 32 bytes, for which the allocator takes longer.
    private var (first, second, third, fourth): (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    @inline(__always)
    mutating func insert(constellation: Int, number: Int) {
        let place = constellation &* 37 &+ number
        let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: place & 63)
        switch (place >> 6) & 3 {
        case 0: first |= bit
        case 1: second |= bit
        case 2: third |= bit
        default: fourth |= bit
        }
    }

    mutating func formUnion(_ other: SatelliteSet) {
        first |= other.first
        second |= other.second
        third |= other.third
        fourth |= other.fourth
    }

    func common(with other: SatelliteSet) -> Int {
        (first & other.first).nonzeroBitCount + (second & other.second).nonzeroBitCount
            + (third & other.third).nonzeroBitCount + (fourth & other.fourth).nonzeroBitCount
    }

    var count: Int { common(with: self) }
}
