/// The range and the root of the mean square of a pulse's quantisation errors, in picoseconds.
package struct QuantizationErrors: Hashable, Sendable {
    package private(set) var count = 0
    package private(set) var smallest = 0
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
