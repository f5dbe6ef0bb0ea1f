/// A message for an MQTT broker.
package struct MQTTMessage: Hashable, Sendable {
    package enum Quality: UInt8, Hashable, Sendable {
        /// The message is sent once and not acknowledged.
        case atMostOnce = 0
        /// The message is sent until the broker acknowledges it.
        case atLeastOnce = 1
    }

    /// The topic, without wildcards.
    package var topic: String
    package var payload: [UInt8]
    package var quality: Quality
    /// Whether the broker keeps the message for later subscribers.
    package var isRetained: Bool

    package init(_ topic: String, _ payload: [UInt8], quality: Quality = .atLeastOnce, isRetained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
    }
}
