extension MosquittoConnection {
    package enum Event: Hashable, Sendable {
        /// The broker has accepted the client.
        case opened
        /// The connection could not be established, or has ended.
        case failed(MQTTError)
        /// The broker has a message, or a message of the quality `atMostOnce` was written.
        case acknowledged(Int32)
        /// The broker has refused a message, which is possible with MQTT 5 only.
        case rejected(Int32, MQTTRefusal)
        /// The broker has answered a subscription, for each filter with the reason of a refusal, or `nil` if it was granted.
        case subscribed(Int32, refusals: [MQTTRefusal?])
        case received(MQTTMessage)
        /// A message has arrived that is larger than 1 MiB, which is dropped.
        case oversized(topic: String, size: Int)
        /// The connection has ended after `close`.
        case closed
    }
}
