package import LocationCore

/// One epoch of a scenario: the truth, and the receiver's report of it.
package struct ScenarioEpoch: Hashable, Sendable {
    /// The number of the epoch, counted from 0.
    package var index: Int
    /// The time since the scenario's start.
    package var offset: Duration
    /// The true time.
    package var time: Timestamp
    /// The true position of the receiver.
    package var place: Coordinate
    /// The true speed in metres per second.
    package var speed: Double
    /// The true course in degrees, or `nil` if the receiver does not move.
    package var course: Double?
    package var reception: ReceiverScenario.Reception
    /// The reported position, before rounding to a sentence's digits.
    package var reported: NMEAPosition
    /// The satellites that the receiver reports, whether heard or not.
    package var satellites: [SimulatedSatellite]
    package var used: [SimulatedSatellite]
    /// The dilution of precision of the used satellites, if they determine a position.
    package var dops: DilutionOfPrecision?
}

/// The bytes that a receiver sends at an epoch.
package struct Transmission: Hashable, Sendable {
    /// The epoch that the bytes report.
    package var epoch: ScenarioEpoch
    /// The bytes, to be sent from the epoch on at the speed of the line; empty while the receiver is unplugged.
    package var bytes: [UInt8]
}
