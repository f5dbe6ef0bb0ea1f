/// locwatch's own JSON over MQTT: the newest record as a retained message, and whether the program is running.
public struct JSONTarget: MQTTTarget {
    private let topic: String

    /// Creates a target that publishes to a topic; `TOPIC/status` says `online` or `offline`.
    public init(topic: String) {
        self.topic = topic
    }

    /// The order in which the target takes records after an outage.
    public var backlog: BacklogOrder { .newestFirst }

    /// The message that the broker publishes if the connection ends without a goodbye.
    public var will: MQTTMessage? { status("offline") }

    /// Returns the messages to publish after each connection.
    public func greeting() -> [MQTTMessage] { [status("online")] }

    /// Returns the messages to publish before the connection ends.
    public func farewell() -> [MQTTMessage] { [status("offline")] }

    /// Returns the messages for a record.
    public func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
        [MQTTMessage(topic, RecordJSON.text(record), isRetained: !isOld)]
    }

    private func status(_ word: String) -> MQTTMessage {
        MQTTMessage(topic + "/status", Array(word.utf8), isRetained: true)
    }
}
