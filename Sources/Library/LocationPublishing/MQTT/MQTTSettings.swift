/// The settings of a connection to an MQTT broker.
public struct MQTTSettings: Hashable, Sendable {
    /// The files with which an encrypted connection is verified.
    public struct Encryption: Hashable, Sendable {
        /// A file with the certificates of the trusted authorities in PEM form; `nil` stands for the system's.
        public var authorityFile: String?
        /// A file with the certificate by which the broker recognizes the client, in PEM form.
        public var certificateFile: String?
        /// A file with the key of that certificate, in PEM form.
        public var keyFile: String?

        package var files: [String] { [authorityFile, certificateFile, keyFile].compactMap(\.self) }

        /// Creates settings for the system's authorities, without a client certificate.
        public init() {}
    }

    /// The host of the broker.
    public var host: String
    /// The port of the broker.
    public var port: UInt16
    /// The settings of the encryption, or `nil` for a plain connection.
    public var encryption: Encryption?
    /// The name of the client, of at most 23 characters, which only one connection to the broker may have at a time.
    public var clientID: String
    /// The name with which the client signs in, if any.
    public var user: String?
    /// The password of the user, if any.
    public var password: String?
    /// The interval at which a silent connection is tested.
    package var keepAlive = Duration.seconds(60)
    /// The time in which the broker must have accepted the connection, its encryption included.
    package var connectionTimeout = Duration.seconds(10)
    /// The message that the broker publishes if the connection ends without a goodbye.
    package var will: MQTTMessage?

    /// Creates the settings of a plain connection without a user.
    public init(host: String, port: UInt16 = 1883, clientID: String) {
        self.host = host
        self.port = port
        self.clientID = clientID
    }
}

extension MQTTSettings: CustomStringConvertible, CustomDebugStringConvertible {
    /// The address of the broker, without user and password.
    public var description: String { "\(encryption == nil ? "mqtt" : "mqtts")://\(host):\(port)" }

    /// The address of the broker, without user and password.
    public var debugDescription: String { description }
}
