/// A meter of ascents and descents, for which a change of direction counts from `MotionStatistics.heightStep` on.
///
/// While the receiver climbs, each new greatest height counts at once, and a descent begins when the height is a step below it; and
/// the other way round. The noise of a height therefore adds its amplitude once, and not with each report.
///
/// Each height counts as the median of those within a few seconds around it, as many before it as after it: noise of single reports
/// is left out, and a steady climb keeps its first and its last height.
struct Climb {
    private enum Direction { case unknown, up, down }

    /// A way upwards and downwards in metres.
    struct Change: Hashable {
        var ascent = 0.0
        var descent = 0.0
    }

    /// The limits of the heights around one, on each side.
    private static let reach = (time: 4_000_000_000 as Int64, count: 12)

    private var direction = Direction.unknown
    /// The least height since the last descent began, and the greatest one since the last ascent began.
    private var extremes: (low: Double, high: Double)?
    /// The last heights, of which those from `next` on do not count yet.
    private var heights: [(height: Double, time: Int64)] = []
    private var next = 0
    /// The places of the heights whose median counts, and these heights in their order.
    private var window = 0..<0
    private var sorted: [Double] = []

    var isEmpty: Bool { heights.isEmpty }

    /// Processes the next height at a time in nanoseconds that does not go back; returns what the heights add that count by now.
    mutating func process(_ height: Double, at time: Int64) -> Change {
        heights.append((height, time))
        var change = Change()
        while time - heights[next].time > Self.reach.time || heights.count - 1 - next >= Self.reach.count {
            take(to: &change)
        }
        let first = heights.indices.first { next - $0 <= Self.reach.count && isNear($0, next) } ?? next
        guard first > 0 else { return change }
        slide(to: max(first, window.lowerBound)..<max(first, window.upperBound))
        heights.removeFirst(first)
        next -= first
        window = window.lowerBound - first..<window.upperBound - first
        return change
    }

    /// Returns what the last heights add; the meter is not used afterwards.
    mutating func finish() -> Change {
        var change = Change()
        while next < heights.count { take(to: &change) }
        return change
    }

    private func isNear(_ place: Int, _ other: Int) -> Bool {
        heights[max(place, other)].time - heights[min(place, other)].time <= Self.reach.time
    }

    private mutating func take(to change: inout Change) {
        let step = count(median(around: next))
        change.ascent += max(0, step)
        change.descent -= min(0, step)
        next += 1
    }

    private mutating func median(around place: Int) -> Double {
        var width = min(Self.reach.count, place, heights.count - 1 - place)
        while width > 0, !isNear(place - width, place) || !isNear(place + width, place) { width -= 1 }
        slide(to: place - width..<place + width + 1)
        return sorted[width]
    }

    /// Moves the window, which usually loses its first height and gets another one.
    private mutating func slide(to new: Range<Int>) {
        if !window.overlaps(new) { (window, sorted) = (new.lowerBound..<new.lowerBound, []) }
        // What is left out and what is new is on one side or on both. Looking at each height of the windows took 500 instructions.
        remove(from: window.lowerBound, to: new.lowerBound)
        remove(from: new.upperBound, to: window.upperBound)
        insert(from: new.lowerBound, to: window.lowerBound)
        insert(from: window.upperBound, to: new.upperBound)
        window = new
    }

    private mutating func remove(from first: Int, to end: Int) {
        for place in first..<max(first, end) { sorted.remove(at: rank(of: heights[place].height)) }
    }

    private mutating func insert(from first: Int, to end: Int) {
        for place in first..<max(first, end) {
            let height = heights[place].height
            sorted.insert(height, at: rank(of: height))
        }
    }

    /// Returns the place of a height among the sorted ones.
    private func rank(of height: Double) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] < height { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns the ascent in metres that a height adds, or a descent as a negative number.
    private mutating func count(_ height: Double) -> Double {
        guard let (low, high) = extremes else {
            extremes = (height, height)
            return 0
        }
        let step = MotionStatistics.heightStep
        if direction == .up ? height > high : height - low >= step {
            let start = direction == .up ? high : low
            direction = .up
            extremes = (height, height)
            return height - start
        }
        if direction == .down ? height < low : high - height >= step {
            let start = direction == .down ? low : high
            direction = .down
            extremes = (height, height)
            return height - start
        }
        if direction == .unknown { extremes = (min(low, height), max(high, height)) }
        return 0
    }
}
