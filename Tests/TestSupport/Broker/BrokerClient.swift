package import LocationPublishing

/// A client as it introduces itself to a broker.
package struct BrokerClient: Hashable, Sendable {
    package var clientID: String
    package var version = MQTTVersion.version3
    /// Whether the client wants a session without a past.
    package var isCleanSession = true
    /// The interval at which the client promises a sign of life, in seconds.
    package var keepAlive: UInt16 = 60
    /// The message that is published if the connection ends without a goodbye.
    package var will: MQTTMessage?
    package var user: String?
    package var password: String?
}
