package import LocationCore

extension TargetScheme {
    /// OwnTracks over MQTT; with a topic of another kind, JSON.
    static let mqtt = pair(
        ("mqtt", "OwnTracks over MQTT; with another topic, JSON"),
        encrypted: ("mqtts", "OwnTracks over MQTT with TLS; with another topic, JSON"),
        form: "[USER@]HOST[:PORT]/owntracks/USER/DEVICE", access: .user,
        parameters: [.tracker, .client, .newest, .ordered, FormerParameter.order]
    ) { parts throws(PublishError) in
        try parts.requireNoQuery()
        let path = parts.path
        guard parts.value(of: .tracker) == nil || parts.path.hasPrefix("owntracks/") else {
            throw .unexpectedParameter("tracker")
        }
        let topic = try MQTTTopic(PercentEncoding.decode(path))
        let levels = topic.levels
        guard levels.first == "owntracks" else {
            return { target throws(PublishError) in
                .mqtt(try target.broker(parts), JSONTarget(topic, saysStatus: !target.options.isForOneRecord))
            }
        }
        if levels.count == 3 {
            let device = try OwnTracksDevice(user: levels[1], device: levels[2])
            return { target throws(PublishError) in
                .mqtt(
                    try target.broker(parts),
                    OwnTracksTarget(
                        device, trackerID: parts.value(of: .tracker), started: target.options.started))
            }
        }
        throw .ownTracksTopic
    }
}

/// An encoder of records for OwnTracks over MQTT.
///
/// The last position is retained; transitions are not, because a subscriber would take a retained one for a new event.
/// At most one position is published for each second, the unit of time of OwnTracks.
package struct OwnTracksTarget: MQTTTarget, Hashable {
    package let device: OwnTracksDevice
    /// The two characters that stand for the device on a map; by default the last two of its name.
    package let trackerID: String
    /// The time at which the program was started, and its fences were defined.
    private let started: Timestamp
    /// The time of the connection, which the will has.
    private var connected: Timestamp
    private var seconds = OnePerSecond()

    package init(_ device: OwnTracksDevice, trackerID: String? = nil, started: Timestamp) {
        self.device = device
        self.trackerID = trackerID ?? device.trackerID
        self.started = started
        connected = started
    }

    /// The newest record first; the others follow without being retained.
    package var backlog: BacklogOrder { .newestFirst }

    /// A message that is not retained, because it would take the place of the last position.
    package var will: MQTTMessage? {
        MQTTMessage(device.topic.name, OwnTracksMessage.lastWill(connected: connected))
    }

    /// A message of a type that OwnTracks does not know.
    package var probes: [MQTTMessage] { [MQTTMessage(device.topic.name, Array(#"{"_type":"probe"}"#.utf8))] }

    package mutating func willConnect(at time: Timestamp) { connected = time }

    /// Returns no message, and lets records that were not acknowledged be sent again.
    package mutating func greeting() -> [MQTTMessage] {
        seconds = OnePerSecond()
        return []
    }

    /// Returns the location or the transition of a record.
    ///
    /// A leave is sent even if this encoder has sent no enter, because that may have been done before a restart; the monitor of
    /// fences reports no exit without an entry, and only positions are sent ahead of older records.
    package mutating func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
        if let bytes = OwnTracksMessage.transition(record, trackerID: trackerID, defined: started) {
            return [MQTTMessage(device.eventTopic, bytes)]
        }
        guard let bytes = OwnTracksMessage.location(record, trackerID: trackerID),
            seconds.admits(record, isOld: isOld)
        else { return [] }
        return [MQTTMessage(device.topic.name, bytes, isRetained: !isOld)]
    }
}
