/// A receiver and its current activity.
public struct DeviceStatus: Hashable, Sendable {
    /// The path, as the daemon names it.
    public var path: String
    /// The current activity.
    public var activity: Activity
    /// The driver that recognised the receiver, such as `u-blox` or `NMEA0183`.
    package var driver: String?
    /// The model and firmware, if the driver queried them.
    package var subtype: String?
    /// The speed of the line in bits per second.
    package var speed: Int?
    /// The framing of the line, such as `8N1`.
    package var framing: String?
    package var cycle: Duration?
    /// The shortest cycle that the daemon can set, if its driver can set any; gpsd cuts it off after hundredths of a second.
    package var minimumCycle: Duration?
    /// Whether the daemon says that it writes nothing to the receiver, as gpsd does from 3.23 on.
    package var isReadOnly = false
    /// The time at which the daemon last received a byte from the receiver, by the daemon's clock.
    public var lastHeard: Timestamp?
    /// The charge of the device's battery in percent, if the device reports it.
    public var battery: Int?

    /// Creates a status of which only the path is known yet.
    public init(path: String, activity: Activity = .unknown) {
        self.path = path
        self.activity = activity
    }

    /// The activity of a receiver.
    public enum Activity: String, Hashable, Sendable {
        /// The daemon has not reported it.
        case unknown
        /// Listed but not opened, because no client watches it yet.
        case idle
        /// The daemon could not open it.
        case unopenable
        /// Open, but sending nothing.
        case silent
        /// Sending bytes that are not packets of a receiver: a wrong line speed, or not a receiver.
        case babbling
        /// Recognised and sending packets.
        case reporting
        /// No longer present.
        case gone
    }
}
