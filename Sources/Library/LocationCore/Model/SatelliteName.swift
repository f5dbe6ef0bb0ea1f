/// The numbers that tell a satellite from others: that of its constellation and that within it, or else the receiver's own.
package struct SatelliteName: Hashable, Sendable {
    /// The constellation by gpsd's number, or −1 if only the receiver's own number is known.
    fileprivate let constellation: Int8
    let number: Int32

    /// Creates the name, or returns `nil` if no number is known, or only 0, which no satellite has.
    package init?(constellation: Int?, number: Int?, prn: Int?) {
        if let constellation, let number, number != 0 {
            (self.constellation, self.number) = (Int8(clamping: constellation), Int32(clamping: number))
        } else if let number = prn ?? number, number != 0 {
            (self.constellation, self.number) = (-1, Int32(clamping: number))
        } else {
            return nil
        }
    }
}

/// A count of the different satellites in a list of signals, in which one without a name is a satellite of its own.
package struct SatelliteCensus: Sendable {
    /// The number of satellites.
    package private(set) var seen = 0
    /// The number of satellites of which a signal is used.
    package private(set) var used = 0
    /// Whether a satellite has more than one signal.
    package private(set) var hasRepeats = false

    /// Creates the census of no satellite.
    package init() {}

    /// Counts the satellites of a list.
    package init(_ signals: [some SatelliteSignal]) {
        var counter = SatelliteCounter()
        for signal in signals { counter.insert(signal.name, isUsed: signal.isUsed, &self) }
    }

    /// Counts a satellite.
    fileprivate mutating func count(isNew: Bool, isNewlyUsed: Bool) {
        if isNew { seen += 1 } else { hasRepeats = true }
        if isNewlyUsed { used += 1 }
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
    /// The satellites that are seen, then those that are used.
    private var bits = [UInt64](repeating: 0, count: 2 * words)
    /// The satellites with larger numbers, and whether they are used.
    private var others: [SatelliteName: Bool] = [:]

    /// Counts a signal of a satellite.
    @inline(__always)
    mutating func insert(_ name: SatelliteName?, isUsed: Bool, _ census: inout SatelliteCensus) {
        var (isNew, isNewlyUsed) = (true, isUsed)
        if let name {
            if -1..<8 ~= name.constellation, 0..<Self.numbers ~= Int(name.number) {
                let place = Int(name.constellation &+ 1) &* Self.numbers &+ Int(name.number)
                let bit: UInt64 = 1 << UInt64(truncatingIfNeeded: place & 63)
                isNew = bits[place >> 6] & bit == 0
                bits[place >> 6] |= bit
                if isUsed {
                    isNewlyUsed = bits[Self.words + (place >> 6)] & bit == 0
                    bits[Self.words + (place >> 6)] |= bit
                }
            } else {
                isNew = others[name] == nil
                isNewlyUsed = isUsed && others[name] != true
                others[name] = isUsed || others[name] == true
            }
        }
        census.count(isNew: isNew, isNewlyUsed: isNewlyUsed)
    }
}
