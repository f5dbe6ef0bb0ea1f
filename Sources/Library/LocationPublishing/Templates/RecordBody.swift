import LocationCore

/// The content of a message about a record that the user chooses.
public enum RecordBody: Hashable, Sendable {
    /// A text with values.
    case template(PublishTemplate)
    /// A line of InfluxDB's line protocol.
    case influx
}
