/// A receiver, and what it is doing.
public struct DeviceStatus: Hashable, Sendable, Codable {
    /// Its path, as the daemon names it.
    public var path: String
    /// What it is doing now.
    public var activity: Activity
    /// The driver that recognised it, such as `u-blox` or `NMEA0183`.
    public var driver: String?
    /// Model and firmware, where the driver asked for them.
    public var subtype: String?
    /// Speed of the line in bits a second.
    public var speed: Int?
    /// Framing of the line, such as `8N1`.
    public var framing: String?
    /// Time between two of its reports.
    public var cycle: Duration?
    /// When a byte was last heard from it, by the daemon's clock.
    public var lastHeard: Timestamp?

    /// A receiver of which only the path is known yet.
    public init(path: String, activity: Activity = .unknown) {
        self.path = path
        self.activity = activity
    }

    /// What a receiver is doing.
    public enum Activity: String, Hashable, Sendable, Codable {
        /// The daemon has not said.
        case unknown
        /// Listed and not opened, as nobody watches it yet.
        case idle
        /// The daemon could not open it.
        case unopenable
        /// Open, and not a byte comes.
        case silent
        /// Bytes come that are no packets of a receiver: a wrong line speed, or no receiver.
        case babbling
        /// Recognised and sending packets.
        case reporting
        /// It was there and is not any more.
        case gone
    }
}
