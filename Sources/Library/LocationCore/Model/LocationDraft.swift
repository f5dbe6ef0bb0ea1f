extension Location {
    /// The values of a location beside its numbers.
    @usableFromInline package struct Facts: Hashable, Sendable {
        @usableFromInline package var coordinate: Coordinate
        @usableFromInline package var fix: FixKind
        @usableFromInline package var quality: FixQuality
        @usableFromInline package var timestamp: Timestamp?
        @usableFromInline package var received: Timestamp?
        @usableFromInline package var device: String?
        @usableFromInline package var isLate = false
        /// Whether no receiver has measured the position now; it takes no part in comparisons.
        @usableFromInline package var isSimulated = false
        /// The map datum, if reported; almost always WGS 84.
        @usableFromInline package var datum: String?

        @inlinable package init(
            coordinate: Coordinate, fix: FixKind, quality: FixQuality = .ordinary, timestamp: Timestamp? = nil,
            device: String? = nil, datum: String? = nil
        ) {
            self.coordinate = coordinate
            self.fix = fix
            self.quality = quality
            self.timestamp = timestamp
            self.device = device
            self.datum = datum
        }

        @usableFromInline package static func == (left: Facts, right: Facts) -> Bool {
            left.coordinate == right.coordinate && left.fix == right.fix && left.quality == right.quality
                && left.timestamp == right.timestamp && left.received == right.received && left.device == right.device
                && left.isLate == right.isLate && left.datum == right.datum
        }

        @usableFromInline package func hash(into hasher: inout Hasher) {
            hasher.combine(coordinate)
            hasher.combine(fix)
            hasher.combine(quality)
            hasher.combine(timestamp)
            hasher.combine(received)
            hasher.combine(device)
            hasher.combine(isLate)
            hasher.combine(datum)
        }
    }
}

/// A location that is being made or changed.
///
/// A change of a location makes a new object; several changes are made in a draft. A draft is large, so it is never copied.
@usableFromInline package struct LocationDraft: ~Copyable {
    @usableFromInline package var facts: Location.Facts
    @usableFromInline package var numbers: FixNumbers

    /// Creates a draft from its parts.
    package init(_ facts: consuming Location.Facts, _ numbers: consuming FixNumbers) {
        self.facts = facts
        self.numbers = numbers
    }

    /// Creates a draft without any known numbers.
    @inlinable package init(_ facts: consuming Location.Facts) {
        self.facts = facts
        numbers = FixNumbers()
    }

    /// Creates such a draft of a place alone.
    package init(at coordinate: Coordinate, fix: FixKind = .threeD) {
        self.init(Location.Facts(coordinate: coordinate, fix: fix))
    }

    /// Creates a draft with the values of a location.
    package init(_ location: Location) {
        facts = location.facts
        numbers = location.numbers
    }

    /// A number, or `nil` if it is unknown.
    package subscript(field: Location.Field) -> Double? {
        @inlinable @inline(__always) get { numbers[field] }
        @inline(__always) set { numbers[field] = newValue }
    }
}
