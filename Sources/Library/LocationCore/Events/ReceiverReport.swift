/// A report of a receiver about itself, such as the state of its antenna.
///
/// A receiver sends these without a fix; with a fix its locations have the values.
public struct ReceiverReport: Hashable, Sendable {
    package var device: String?
    /// The state of the antenna, as gpsd numbers it: 2 is open, 3 is short.
    package var antennaStatus: Int?
    /// The level of interference, from 0 to 255.
    package var jamming: Int?

    package init(device: String? = nil, antennaStatus: Int? = nil, jamming: Int? = nil) {
        self.device = device
        self.antennaStatus = antennaStatus
        self.jamming = jamming
    }
}
