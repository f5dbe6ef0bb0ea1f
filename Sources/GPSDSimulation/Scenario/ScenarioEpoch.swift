public import LocationCore

/// One instant of a scenario: what is true, and what the receiver says about it.
public struct ScenarioEpoch: Hashable, Sendable {
    /// Counts from 0.
    public var index: Int
    /// The time since the scenario's start.
    public var offset: Duration
    /// The true time.
    public var time: Timestamp
    /// Where the receiver truly is.
    public var place: Coordinate
    /// Its true speed in metres a second.
    public var speed: Double
    /// Its true course in degrees, `nil` where it does not move.
    public var course: Double?
    /// What it hears.
    public var reception: ReceiverScenario.Reception
    /// What it reports, before rounding to a sentence's digits.
    package var reported: NMEAPosition
    /// The satellites that it reports, whether heard or not.
    public var satellites: [SimulatedSatellite]
    /// Those that it computes with.
    public var used: [SimulatedSatellite]
    /// Their geometry.
    public var dops: DilutionOfPrecision?
}

/// What goes over the line at an epoch.
public struct Transmission: Hashable, Sendable {
    /// The instant that it tells of.
    public var epoch: ScenarioEpoch
    /// The bytes, from the epoch on as fast as the line carries them; none while the receiver is unplugged.
    public var bytes: [UInt8]
}
