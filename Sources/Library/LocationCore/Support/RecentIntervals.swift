/// The last five intervals between reports, to the nanosecond, and their median.
///
/// They are stored in place: an array for each machine of a fleet would take as much memory as the rest of its tracker.
struct RecentIntervals: Sendable {
    private static let memory = 5
    private static let size = MemoryLayout<Int64>.size
    private var nanoseconds: (Int64, Int64, Int64, Int64, Int64) = (0, 0, 0, 0, 0)
    private var known: UInt8 = 0
    /// The place of the oldest interval, and that of the median.
    private var oldest: UInt8 = 0
    private var middle: UInt8 = 0

    var count: Int { Int(known) }

    /// The median, the lower one of an even number, so that a pause or a burst among them does not change it, if any.
    var median: Duration? { known == 0 ? nil : .nanoseconds(self[Int(middle)]) }

    /// Notes an interval, which takes the place of the oldest one.
    mutating func note(_ interval: Duration) {
        let interval = Int64(clamping: interval.wholeNanoseconds)
        let place = Int(oldest)
        oldest = place == Self.memory - 1 ? 0 : oldest + 1
        if count < Self.memory {
            known += 1
        } else if self[place] == interval {
            return
        }
        self[place] = interval
        middle = placeOfMedian
    }

    private subscript(place: Int) -> Int64 {
        get {
            withUnsafeBytes(of: nanoseconds) { $0.load(fromByteOffset: Self.size * place, as: Int64.self) }
        }
        set {
            withUnsafeMutableBytes(of: &nanoseconds) {
                $0.storeBytes(of: newValue, toByteOffset: Self.size * place, as: Int64.self)
            }
        }
    }

    /// The place of the interval with half of the others before it: a sort takes twice as many instructions.
    private var placeOfMedian: UInt8 {
        let half = (count - 1) / 2
        for place in 0..<count {
            let interval = self[place]
            var before = 0
            // Among equal ones, those at earlier places are before it.
            for other in 0..<place where self[other] <= interval { before += 1 }
            for other in place..<count where self[other] < interval { before += 1 }
            if before == half { return UInt8(place) }
        }
        return 0
    }
}

extension RecentIntervals: Hashable {
    static func == (left: RecentIntervals, right: RecentIntervals) -> Bool { left.list == right.list }

    func hash(into hasher: inout Hasher) { hasher.combine(list) }

    private var list: [Int64] {
        (0..<count).map { self[(count < Self.memory ? $0 : Int(oldest) + $0) % Self.memory] }
    }
}
