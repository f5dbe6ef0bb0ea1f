/// An encoder of records as the JSON of `locwatch`, for any topic of a broker.
///
/// The last record is retained. The topic below it, `TOPIC/status`, says `online` or `offline` while records follow.
package struct JSONTarget: MQTTTarget, Hashable {
    package let topic: MQTTTopic
    private let saysStatus: Bool

    /// Creates an encoder; without its status for a single record, after which nothing is known about the device.
    package init(_ topic: MQTTTopic, saysStatus: Bool = true) {
        self.topic = topic
        self.saysStatus = saysStatus
    }

    /// The newest record first; the others follow without being retained.
    package var backlog: BacklogOrder { .newestFirst }

    package var will: MQTTMessage? { status("offline").first }

    package var probes: [MQTTMessage] { [MQTTMessage(topic.name, Array("{}".utf8))] }

    package func greeting() -> [MQTTMessage] { status("online") }

    /// Returns the message `offline`; with a proper goodbye the broker does not publish the will.
    package func farewell() -> [MQTTMessage] { status("offline") }

    /// Returns the object of a record.
    ///
    /// An event at a fence is not retained, because a later subscriber would take it for a new one.
    package func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
        var isRetained = !isOld
        if case .fence = record.occasion { isRetained = false }
        return [MQTTMessage(topic.name, RecordJSON.encode(record), isRetained: isRetained)]
    }

    private func status(_ word: String) -> [MQTTMessage] {
        saysStatus ? [MQTTMessage(topic.name + "/status", Array(word.utf8), isRetained: true)] : []
    }
}
