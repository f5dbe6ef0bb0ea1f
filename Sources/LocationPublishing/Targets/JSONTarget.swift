/// locwatch's own JSON over MQTT: the newest record as a retained message, and whether the program is running.
public struct JSONTarget: MQTTTarget {
    private let topic: String

    /// Creates a target that publishes to a topic; `TOPIC/status` says `online` or `offline`.
    public init(topic: String) {
        self.topic = topic
    }

    public var backlog: BacklogOrder { .newestFirst }
    public var will: MQTTMessage? { status("offline") }
    public func greeting() -> [MQTTMessage] { [status("online")] }
    public func farewell() -> [MQTTMessage] { [status("offline")] }

    public func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
        [MQTTMessage(topic, RecordJSON.text(record), isRetained: !isOld)]
    }

    private func status(_ word: String) -> MQTTMessage {
        MQTTMessage(topic + "/status", Array(word.utf8), isRetained: true)
    }
}
