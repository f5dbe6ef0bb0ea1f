/// A message for an MQTT broker.
public struct MQTTMessage: Hashable, Sendable {
    /// A quality of service.
    public enum Quality: UInt8, Hashable, Sendable {
        /// The message is sent once and not acknowledged.
        case atMostOnce = 0
        /// The message is sent until the broker acknowledges it.
        case atLeastOnce = 1
    }

    /// The topic, without wildcards.
    public var topic: String
    /// The bytes of the message.
    public var payload: [UInt8]
    /// The quality of service.
    public var quality: Quality
    /// Whether the broker keeps the message for later subscribers.
    public var isRetained: Bool

    /// Creates a message.
    public init(_ topic: String, _ payload: [UInt8], quality: Quality = .atLeastOnce, isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
    }
}
