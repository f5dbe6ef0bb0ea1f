import LocationCore

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

    private var ring: [Point] = []
    private var next = 0
    /// The number of comparisons since the start of the session.
    package private(set) var count = 0
    /// The newest comparison.
    package private(set) var newest: ClockSample?
    /// The distribution of the pulse's quantisation errors, in picoseconds.
    package private(set) var quantization = QuantizationErrors()

    /// Creates an empty series.
    package init() {}

    /// The points, the oldest first.
    package var points: [Point] { Array(ring[next...] + ring[..<next]) }

    /// Adds a comparison, unless it repeats the receiver's time or goes back.
    package mutating func add(_ sample: ClockSample) {
        let time = sample.receiverTime.nanosecondsSince1970
        if let newest, newest.receiverTime >= sample.receiverTime {
            // A receiver whose date is corrected starts anew.
            guard newest.receiverTime.since(sample.receiverTime) > .seconds(3) else { return }
            self = ClockSeries()
        }
        newest = sample
        count += 1
        if let error = sample.quantizationError { quantization.add(error) }
        let point = Point(time: time, offset: sample.offsetNanoseconds)
        if ring.count < Self.capacity {
            ring.append(point)
        } else {
            ring[next] = point
            next = (next + 1) % Self.capacity
        }
    }
}

/// The range and the mean of a pulse's quantisation errors, in picoseconds.
package struct QuantizationErrors: Hashable, Sendable {
    /// The number of reports with a quantisation error.
    package private(set) var count = 0
    /// The smallest error.
    package private(set) var smallest = 0
    /// The largest error.
    package private(set) var largest = 0
    private var sumOfSquares = 0.0

    /// The root of the mean square, in picoseconds; `nil` without a report.
    package var rootMeanSquare: Double? { count > 0 ? (sumOfSquares / Double(count)).squareRoot() : nil }

    mutating func add(_ error: Int) {
        (smallest, largest) = count == 0 ? (error, error) : (min(smallest, error), max(largest, error))
        count += 1
        sumOfSquares += Double(error) * Double(error)
    }
}
