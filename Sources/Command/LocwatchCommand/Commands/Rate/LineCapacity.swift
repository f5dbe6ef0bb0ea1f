import LocationCore

/// The epochs that a serial line can carry: a byte takes ten bits on it.
struct LineCapacity: Hashable, Sendable {
    let bytesPerEpoch: Int
    /// The speed of the line.
    let bitsPerSecond: Int

    /// Returns the capacity of a line on which some bytes arrived within a time, at one epoch a cycle.
    init?(bytes: Int, within time: Duration, cycle: Duration, bitsPerSecond: Int?) {
        guard let bitsPerSecond, bitsPerSecond > 0, bytes > 0, cycle > .zero, cycle <= time, time > .zero else {
            // An epoch can be missing in a time that is shorter than a cycle.
            return nil
        }
        bytesPerEpoch = Int(clamping: (Double(bytes) * (cycle / time)).rounded(.up))
        self.bitsPerSecond = bitsPerSecond
    }

    /// Returns whether the line carries an epoch each cycle.
    func carries(cycle: Duration) -> Bool { cycle.inSeconds * Double(bitsPerSecond) >= Double(bytesPerEpoch) * 10 }

    /// The shortest cycle that the line carries.
    var shortestCycle: Duration { Duration(clampingSeconds: Double(bytesPerEpoch) * 10 / Double(bitsPerSecond)) }
}
