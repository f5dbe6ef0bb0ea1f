public import LocationCore

/// OwnTracks over MQTT: the position as a retained message, entering and leaving of fences, and a will.
public struct OwnTracksTarget: MQTTTarget {
    private let message: OwnTracksMessage
    private let started: Timestamp
    /// The fences that the device has entered, and the second of the last position.
    private let session = OwnTracksSession()

    /// Creates a target for a device.
    ///
    /// - Parameters:
    ///   - user: The user to whom the device belongs.
    ///   - device: The name of the device.
    ///   - trackerID: Two characters that a map shows, by default the last ones of the device's name.
    ///   - started: The time at which the fences were set up, which transitions contain.
    public init(user: String, device: String, trackerID: String? = nil, started: Timestamp) {
        message = OwnTracksMessage(user: user, device: device, trackerID: trackerID)
        self.started = started
    }

    /// The order in which the target takes records after an outage.
    public var backlog: BacklogOrder { .newestFirst }

    /// The message that the broker publishes if the connection ends without a goodbye.
    public var will: MQTTMessage? { MQTTMessage(message.topic, message.lastWill(connected: started)) }

    /// Returns the messages for a record.
    public func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
        var messages: [MQTTMessage] = []
        if case .fence(let kind, let name) = record.occasion, session.admits(kind, name, at: record.created),
            let transition = message.transition(record, created: started)
        {
            messages.append(MQTTMessage(message.topic + "/event", transition))
        }
        if session.isNew(record), let location = message.location(record) {
            messages.append(MQTTMessage(message.topic, location, isRetained: !isOld))
        }
        return messages
    }
}
