/// The direction in which a receiver points and how it is inclined, as a compass or two antennas measure them.
///
/// A receiver with a position has these values in its ``Location``. One without, such as a compass alone, reports them by
/// ``LocationEvent/attitude(_:)``. Angles are in degrees; a value that the receiver did not report, or an impossible one, is `nil`.
public struct Attitude: Hashable, Sendable, Codable {
    /// The receiver that reported the attitude.
    public var device: String?
    /// The time of the report, by the receiver's clock; most compasses have none.
    public var timestamp: Timestamp?
    /// The heading, the direction to which the front points, clockwise from true north.
    @OptionalDouble public var heading: Double?
    /// The heading, clockwise from magnetic north.
    @OptionalDouble public var headingMagnetic: Double?
    /// The angle by which the front points above the horizontal plane.
    @OptionalDouble public var pitch: Double?
    /// The angle by which the right side is lower than the left one.
    @OptionalDouble public var roll: Double?
    /// The speed of a turn to the right, in degrees a minute.
    @OptionalDouble public var rateOfTurn: Double?

    /// Creates an attitude; values that are not given are unknown.
    public init(
        heading: Double? = nil, headingMagnetic: Double? = nil, pitch: Double? = nil, roll: Double? = nil,
        rateOfTurn: Double? = nil, timestamp: Timestamp? = nil, device: String? = nil
    ) {
        self.device = device
        self.timestamp = timestamp
        self.heading = heading
        self.headingMagnetic = headingMagnetic
        self.pitch = pitch
        self.roll = roll
        self.rateOfTurn = rateOfTurn
    }

    /// Whether no value is known.
    package var isEmpty: Bool {
        heading == nil && headingMagnetic == nil && pitch == nil && roll == nil && rateOfTurn == nil
    }

    /// Takes over the values that a later report of the same receiver knows.
    ///
    /// A heading replaces both, because the earlier one from the other north belongs to another direction.
    package mutating func update(with later: Attitude) {
        device = later.device ?? device
        timestamp = later.timestamp ?? timestamp
        if later.heading != nil || later.headingMagnetic != nil {
            (heading, headingMagnetic) = (later.heading, later.headingMagnetic)
        }
        pitch = later.pitch ?? pitch
        roll = later.roll ?? roll
        rateOfTurn = later.rateOfTurn ?? rateOfTurn
    }
}

extension Location {
    /// The attitude of the receiver at this position, or `nil` if it reported none.
    public var attitude: Attitude? {
        guard storage.numbers.known & Field.attitude != 0 else { return nil }
        return Attitude(
            heading: heading, headingMagnetic: headingMagnetic, pitch: pitch, roll: roll, rateOfTurn: rateOfTurn,
            timestamp: timestamp, device: device)
    }

    /// Takes over the attitude that the receiver reports for the same epoch.
    package mutating func take(_ report: Attitude) {
        var whole = attitude ?? Attitude()
        whole.update(with: report)
        change { draft in
            draft[.heading] = whole.heading
            draft[.headingMagnetic] = whole.headingMagnetic
            draft[.pitch] = whole.pitch
            draft[.roll] = whole.roll
            draft[.rateOfTurn] = whole.rateOfTurn
            draft.completeHeading()
        }
    }

    /// Returns a direction turned by an angle, from 0 to less than 360 degrees.
    package static func turned(_ direction: Double, by angle: Double) -> Double {
        // Rounded to the decimals that gpsd writes, because further digits of a sum mean nothing.
        let sum = ((direction + angle) * 10_000).rounded() / 10_000
        let turned = sum.truncatingRemainder(dividingBy: 360)
        return turned < 0 ? turned + 360 : turned
    }
}

extension LocationDraft {
    /// Sets the heading from the one north to what that from the other north and the variation give, if only that is known.
    package mutating func completeHeading() {
        guard numbers.known & Location.Field.attitude != 0, let variation = self[.magneticVariation] else { return }
        let (heading, magnetic) = (self[.heading], self[.headingMagnetic])
        if let heading, magnetic == nil {
            self[.headingMagnetic] = Location.turned(heading, by: -variation)
        } else if let magnetic, heading == nil {
            self[.heading] = Location.turned(magnetic, by: variation)
        }
    }
}
