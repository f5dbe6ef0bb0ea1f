/// The numbers of a fix, at the places of their table.
///
/// An unknown number is 0 in memory, so that equal numbers are equal there too.
@usableFromInline package struct FixNumbers: Sendable {
    /// The room, which is that of the table.
    static let capacity = 57

    /// The set of the known numbers.
    @usableFromInline package internal(set) var known: UInt64 = 0
    #if os(Linux)
        @usableFromInline var values = InlineArray<57, Double>(repeating: 0)
    #else
        // An array in place needs newer systems than the package does.
        @usableFromInline var values = [Double](repeating: 0, count: Self.capacity)
    #endif

    @inlinable package init() {}

    /// A number, or `nil` if it is unknown.
    ///
    /// One that is not finite becomes unknown, as do a count that is not whole and a negative accuracy.
    @usableFromInline package subscript(field: Location.Field) -> Double? {
        // An index into the array itself would copy all of it.
        @inlinable @inline(__always) get { known & field.bit == 0 ? nil : values.span[field.place] }
        set { set(field, to: newValue.flatMap { field.admits($0) ? $0 : nil }) }
    }

    /// Sets a number of which the field is known to admit every finite one.
    package mutating func set(_ field: Location.Field, to number: Double?) {
        guard let number, number.isFinite else {
            known &= ~field.bit
            values[field.place] = 0
            return
        }
        known |= field.bit
        values[field.place] = number
    }

    /// A whole number, or `nil` if it is unknown.
    @usableFromInline package subscript(count field: Location.Field) -> Int? {
        @inlinable @inline(__always) get { self[field].flatMap { Int(exactly: $0) } }
        set { self[field] = newValue.map(Double.init) }
    }

    /// Calls `body` with the place of each known number of a set, and with the number, in the order of the table.
    @inlinable @inline(__always)
    package func forEach(of fields: UInt64 = .max, _ body: (_ place: Int, _ number: Double) -> Void) {
        // An index into the array itself would copy all of it at each turn.
        let values = values.span
        var rest = known & fields
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            body(place, values[place])
            rest &= rest &- 1
        }
    }

    /// Sets the numbers of a set that `isKept` admits, of which each is finite and the fields admit each.
    ///
    /// - Parameter others: The numbers, at the places of the table.
    @inlinable @inline(__always)
    package mutating func set(
        _ fields: UInt64, from others: Span<Double>, where isKept: (_ place: Int, _ number: Double) -> Bool
    ) {
        var rest = fields
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            let number = others[place]
            if isKept(place, number) {
                values[place] = number
                known |= rest & (0 &- rest)
            }
            rest &= rest &- 1
        }
    }

    /// Takes each number that is unknown from other ones.
    package mutating func fill(from other: borrowing FixNumbers) {
        let unknown = ~known
        known |= other.known
        other.forEach(of: unknown) { place, number in values[place] = number }
    }
}

extension FixNumbers: Hashable {
    @usableFromInline package static func == (left: FixNumbers, right: FixNumbers) -> Bool {
        guard left.known == right.known else { return false }
        let (one, other) = (left.values.span, right.values.span)
        var rest = left.known
        while rest != 0 {
            let place = rest.trailingZeroBitCount
            if one[place] != other[place] { return false }
            rest &= rest &- 1
        }
        return true
    }

    @usableFromInline package func hash(into hasher: inout Hasher) {
        hasher.combine(known)
        forEach { hasher.combine($1) }
    }
}
