package import LocationCore

/// The numbers of a report at the places of their table, as gpsd reports them.
///
/// The decoder uses the memory again for the next report as soon as nothing holds the last one, so that a report allocates nothing.
package struct ReportedNumbers: Sendable {
    /// The set of the known numbers.
    package private(set) var known: UInt64 = 0
    /// All numbers, of which those that are unknown have no meaning; empty before the first one.
    private(set) var values: [Double] = []

    /// Creates numbers of which none is known.
    package init() {}

    /// A number, or `nil` if it is unknown; one that is not finite becomes unknown.
    package subscript(field: Location.Field) -> Double? {
        get { known & field.bit == 0 ? nil : values[field.place] }
        set { set(field, to: newValue) }
    }

    /// A whole number, or `nil` if it is unknown.
    package subscript(count field: Location.Field) -> Int? { self[field].flatMap { Int(exactly: $0) } }

    @inline(__always)
    mutating func set(_ field: Location.Field, to number: Double?) {
        guard let number, number.isFinite else {
            known &= ~field.bit
            return
        }
        if values.isEmpty { makeRoom() }
        values[field.place] = number
        known |= field.bit
    }

    @inline(never)
    private mutating func makeRoom() { values = [Double](repeating: 0, count: Location.Field.allCases.count) }

    /// Makes all numbers unknown, and keeps their memory.
    mutating func removeAll() { known = 0 }
}

extension ReportedNumbers: Hashable {
    package static func == (left: ReportedNumbers, right: ReportedNumbers) -> Bool {
        guard left.known == right.known else { return false }
        return Location.Field.allCases.allSatisfy { left[$0] == right[$0] }
    }

    package func hash(into hasher: inout Hasher) {
        for field in Location.Field.allCases { hasher.combine(self[field]) }
    }
}
