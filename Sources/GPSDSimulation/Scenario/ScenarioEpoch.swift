public import LocationCore

/// One epoch of a scenario: the truth, and the receiver's report of it.
public struct ScenarioEpoch: Hashable, Sendable {
    /// The number of the epoch, counted from 0.
    public var index: Int
    /// The time since the scenario's start.
    public var offset: Duration
    /// The true time.
    public var time: Timestamp
    /// The true position of the receiver.
    public var place: Coordinate
    /// The true speed in metres per second.
    public var speed: Double
    /// The true course in degrees, or `nil` if the receiver does not move.
    public var course: Double?
    /// The reception of the receiver.
    public var reception: ReceiverScenario.Reception
    /// The reported position, before rounding to a sentence's digits.
    package var reported: NMEAPosition
    /// The satellites that the receiver reports, whether heard or not.
    public var satellites: [SimulatedSatellite]
    /// The satellites that are used in the fix.
    public var used: [SimulatedSatellite]
    /// The dilution of precision of the used satellites, if they determine a position.
    public var dops: DilutionOfPrecision?
}

/// The bytes that a receiver sends at an epoch.
public struct Transmission: Hashable, Sendable {
    /// The epoch that the bytes report.
    public var epoch: ScenarioEpoch
    /// The bytes, to be sent from the epoch on at the speed of the line; empty while the receiver is unplugged.
    public var bytes: [UInt8]
}
