package import LocationCore

/// The newest offsets of the host's clock from one receiver, by one kind of signal.
///
/// Offsets are in nanoseconds and positive if the host's clock is ahead. The series has a fixed size, so that a session
/// of any length needs the same memory.
package struct ClockSeries: Hashable, Sendable {
    /// A comparison: the receiver's time and the offset of the host's clock, both in nanoseconds.
    package struct Point: Hashable, Sendable {
        /// The receiver's time, in nanoseconds since 1970.
        package var time: Int64
        /// The host's time minus the receiver's.
        package var offset: Int64
    }

    /// The number of points that are kept: an hour of one in a second.
    package static let capacity = 3600
    /// The change of the offset, in nanoseconds, that no clock makes by itself: one of the clocks was set.
    private static let step: Int64 = 5_000_000_000
    /// The longest way back of a receiver's time that counts as a late report.
    private static let lateness = Duration.seconds(3)

    private var ring: [Point] = []
    private var next = 0
    /// The number of comparisons since the start of the session, or since a clock was set.
    package private(set) var count = 0
    package private(set) var newest: ClockSample?
    /// The distribution of the pulse's quantisation errors, in picoseconds.
    package private(set) var quantization = QuantizationErrors()

    package init() {}

    package var points: [Point] { Array(ring[next...] + ring[..<next]) }

    /// Adds a comparison, unless it repeats the receiver's time or comes late; starts anew if one of the clocks was set.
    package mutating func add(_ sample: ClockSample) {
        if let newest {
            let passed = sample.receiverTime.since(newest.receiverTime)
            if passed <= .zero, passed >= .zero - Self.lateness { return }
            let change = sample.offsetNanoseconds.subtractingClamped(newest.offsetNanoseconds)
            if passed < .zero || change.magnitude > Self.step.magnitude { self = ClockSeries() }
        }
        newest = sample
        count += 1
        if let error = sample.quantizationError { quantization.add(error) }
        let point = Point(time: sample.receiverTime.nanosecondsSince1970, offset: sample.offsetNanoseconds)
        if ring.count < Self.capacity {
            ring.append(point)
        } else {
            ring[next] = point
            next = (next + 1) % Self.capacity
        }
    }
}

extension Int64 {
    /// Returns the difference, clamped to the range of the type.
    func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self > other ? .max : .min) : difference
    }
}
