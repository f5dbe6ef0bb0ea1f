/// The factors by which the satellite geometry widens errors; smaller is better.
public struct DilutionOfPrecision: Hashable, Sendable {
    /// On the ground, along the east–west axis.
    @OptionalDouble public var longitude: Double?
    /// On the ground, along the north–south axis.
    @OptionalDouble public var latitude: Double?
    /// On the ground.
    @OptionalDouble public var horizontal: Double?
    /// In altitude.
    @OptionalDouble public var vertical: Double?
    /// In all three dimensions.
    @OptionalDouble public var position: Double?
    /// In time.
    @OptionalDouble public var time: Double?
    /// In space and time.
    @OptionalDouble public var geometric: Double?

    /// Creates dilutions without any known values.
    public init() {}

    /// The largest plausible dilution.
    fileprivate static let largest = 1e5

    /// Whether each known dilution is above 0 and plausible.
    package var isOrdinary: Bool {
        // A comparison with an unknown one is false.
        func isOdd(_ number: OptionalDouble) -> Bool { number.raw <= 0 || number.raw > Self.largest }
        return
            !(isOdd(_longitude) || isOdd(_latitude) || isOdd(_horizontal) || isOdd(_vertical)
            || isOdd(_position) || isOdd(_time) || isOdd(_geometric))
    }

    /// Whether no dilution is known.
    @usableFromInline package var isUnknown: Bool {
        func isUnknown(_ number: OptionalDouble) -> Bool { number.raw.isNaN }
        return isUnknown(_longitude) && isUnknown(_latitude) && isUnknown(_horizontal) && isUnknown(_vertical)
            && isUnknown(_position) && isUnknown(_time) && isUnknown(_geometric)
    }

    /// Removes dilutions of 0, which receivers report instead of unknown ones; no geometry has a dilution of 0.
    package mutating func removeZeros() {
        for field in Field.allCases where self[field] == 0 { self[field] = nil }
    }
}

extension DilutionOfPrecision {
    /// A dilution, in the order of JSON.
    @usableFromInline package enum Field: UInt8, CaseIterable, Sendable {
        case longitude, latitude, horizontal, vertical, position, time, geometric

        @usableFromInline package static let rows = allCases.map(\.row)

        /// The plausible values of each dilution.
        private static let range = 0...DilutionOfPrecision.largest

        /// The row of the dilution.
        package var row: FieldRow {
            switch self {
            case .longitude: FieldRow("xdop", Self.range, means: "Dilution of precision from west to east")
            case .latitude: FieldRow("ydop", Self.range, means: "Dilution of precision from south to north")
            case .horizontal: FieldRow("hdop", Self.range, means: "Dilution of precision on the ground")
            case .vertical: FieldRow("vdop", Self.range, means: "Dilution of precision of the altitude")
            case .position: FieldRow("pdop", Self.range, means: "Dilution of precision in three dimensions")
            case .time: FieldRow("tdop", Self.range, means: "Dilution of precision of the time")
            case .geometric: FieldRow("gdop", Self.range, means: "Dilution of precision in space and time")
            }
        }

        /// The place in the table.
        @inlinable package var place: Int { Int(rawValue) }
    }

    /// A dilution, or `nil` if it is unknown.
    @usableFromInline package subscript(field: Field) -> Double? {
        @inlinable get {
            switch field {
            case .longitude: longitude
            case .latitude: latitude
            case .horizontal: horizontal
            case .vertical: vertical
            case .position: position
            case .time: time
            case .geometric: geometric
            }
        }
        set {
            switch field {
            case .longitude: longitude = newValue
            case .latitude: latitude = newValue
            case .horizontal: horizontal = newValue
            case .vertical: vertical = newValue
            case .position: position = newValue
            case .time: time = newValue
            case .geometric: geometric = newValue
            }
        }
    }
}
