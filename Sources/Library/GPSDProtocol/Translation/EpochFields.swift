import LocationCore

/// The fields of a location that gpsd may report late in an epoch.
struct EpochFields: OptionSet {
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ location: Location) {
        rawValue = location.numbers.known & Self.late | (location.fix == .threeD ? Self.threeD : 0)
    }

    private static let late =
        [
            Location.Field.altitudeMSL, .altitudeHAE, .horizontalAccuracy, .verticalAccuracy, .speed, .course, .climb,
            .speedAccuracy, .geoidSeparation,
        ].bits | Location.Field.attitude
    /// The third dimension of the fix, which is no number.
    private static let threeD: UInt64 = 1 << 63
}

/// The fields that later reports of a receiver's recent epochs added to the first one.
///
/// A receiver may send some sentences only now and then. A field is remembered for 8 to 16 epochs after a later report
/// added it, so that an epoch without it costs a delay, but an epoch with it does not lose it.
struct LateFields {
    private static let epochs = 8
    private var current = EpochFields()
    private var previous = EpochFields()
    private var count = 0

    var recent: EpochFields { current.union(previous) }

    mutating func note(_ fields: EpochFields) { current.formUnion(fields) }

    mutating func beginEpoch() {
        count += 1
        guard count == Self.epochs else { return }
        (previous, current, count) = (current, [], 0)
    }
}

/// Whether the satellites of recent epochs came in parts.
///
/// A further part is expected for 8 to 16 epochs after one came, and in the first 8 epochs of a receiver.
struct LateParts {
    private static let epochs = 8
    private var hasCome = false
    private var hadCome = true
    private var count = 0

    /// Whether the first part of an epoch waits for further ones.
    var isExpected: Bool { hasCome || hadCome }

    mutating func note() { hasCome = true }

    mutating func beginEpoch() {
        count += 1
        guard count > Self.epochs else { return }
        (hadCome, hasCome, count) = (hasCome, false, 1)
    }
}
