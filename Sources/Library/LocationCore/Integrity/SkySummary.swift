/// The values of a sky view that the integrity of a position is judged by, in constant space.
struct SkySummary: Hashable, Sendable {
    /// The mean of the strongest signals in dB-Hz; 0 if none is heard.
    var level: Double {
        heard == 0 ? 0 : (first + second + third + fourth) / Double(Swift.min(heard, 4))
    }
    private(set) var heard = 0
    /// The number of satellites in use whose signal is known, and the weakest and the strongest of them.
    private(set) var usedSignals = 0
    private(set) var weakestUsed = Double.infinity
    private(set) var strongestUsed = -Double.infinity
    private(set) var used = SatelliteSet()
    /// The sum of the signals of each constellation, in eighths of a dB-Hz, and their number.
    private(set) var sums = SIMD8<UInt16>()
    private(set) var counts = SIMD8<UInt16>()
    /// The strongest signals in descending order, 0 where there are fewer than four.
    private var (first, second, third, fourth) = (0.0, 0.0, 0.0, 0.0)

    private init() {}

    /// Creates the summary of a view, in which each satellite counts once with its strongest signal, or returns `nil` without a list.
    init?(_ sky: SkyView) {
        self.init()
        if let satellites = sky.satellites {
            add(sky.hasRepeats ? satellites.bySatellite : satellites)
        } else if let figures = sky.figures {
            add(sky.hasRepeats ? figures.bySatellite : figures)
        } else {
            return nil
        }
    }

    private mutating func add(_ satellites: [some SatelliteSignal]) {
        for satellite in satellites {
            add(
                signal: satellite.signal, isUsed: satellite.isUsed, constellation: satellite.system,
                number: satellite.name.map { Int($0.number) })
        }
    }

    /// Adds a satellite with its signal in dB-Hz, `nil` if it is unknown or not heard.
    @inline(__always)
    private mutating func add(signal: Double?, isUsed: Bool, constellation: Int?, number: Int?) {
        if isUsed, let number { used.insert(constellation: constellation ?? 0, number: number) }
        guard let signal, signal > 0, signal < 100 else { return }
        heard += 1
        if signal > fourth { insert(signal) }
        if let constellation, 0..<8 ~= constellation {
            sums[constellation] &+= UInt16(clamping: Int(clamping: signal * 8))
            counts[constellation] &+= 1
        }
        guard isUsed else { return }
        usedSignals += 1
        weakestUsed = min(weakestUsed, signal)
        strongestUsed = max(strongestUsed, signal)
    }

    /// Inserts a signal into the strongest ones, of which the weakest is dropped.
    @inline(__always)
    private mutating func insert(_ signal: Double) {
        let (one, two, three) = (first, second, third)
        first = max(one, signal)
        second = max(two, min(one, signal))
        third = max(three, min(two, signal))
        fourth = min(three, signal)
    }
}

/// A set of satellites in constant space; two satellites may count as one, which is rare enough for comparing sets.
struct SatelliteSet: Hashable, Sendable {
    private var words = SIMD4<UInt64>()

    @inline(__always)
    mutating func insert(constellation: Int, number: Int) {
        let place = constellation &* 37 &+ number
        words[(place >> 6) & 3] |= 1 << UInt64(truncatingIfNeeded: place & 63)
    }

    mutating func formUnion(_ other: SatelliteSet) { words |= other.words }

    func common(with other: SatelliteSet) -> Int {
        let both = words & other.words
        return both.indices.reduce(0) { $0 + both[$1].nonzeroBitCount }
    }

    var count: Int { common(with: self) }
}
