import LocationCore

/// The fields of a location that gpsd may report late in an epoch.
struct EpochFields: OptionSet {
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }

    init(_ location: Location) {
        rawValue =
            (location.fix == .threeD ? 1 : 0) | (location.altitudeMSL == nil ? 0 : 2)
            | (location.altitudeHAE == nil ? 0 : 4) | (location.horizontalAccuracy == nil ? 0 : 8)
            | (location.verticalAccuracy == nil ? 0 : 16) | (location.speed == nil ? 0 : 32)
            | (location.course == nil ? 0 : 64) | (location.climb == nil ? 0 : 128)
            | (location.speedAccuracy == nil ? 0 : 256) | (location.geoidSeparation == nil ? 0 : 512)
            | (location.hasDetails ? Self.attitude(of: location) : 0)
    }

    /// Returns the fields of the attitude, which comes in a report of its own.
    private static func attitude(of location: Location) -> UInt16 {
        guard let details = location.details else { return 0 }
        return (details.heading == nil ? 0 : 1 << 10) | (details.headingMagnetic == nil ? 0 : 1 << 11)
            | (details.pitch == nil ? 0 : 1 << 12) | (details.roll == nil ? 0 : 1 << 13)
            | (details.rateOfTurn == nil ? 0 : 1 << 14)
    }
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
