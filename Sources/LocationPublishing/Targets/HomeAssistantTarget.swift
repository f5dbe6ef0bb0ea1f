import LocationCore

/// Home Assistant through its MQTT discovery: a tracker on the map, sensors, and whether there is a fix.
///
/// A lost position is never published as an empty one; the last one stays, and the sensor of the fix turns off.
public struct HomeAssistantTarget: MQTTTarget {
    private struct Sensor {
        let id: StaticString
        let name: StaticString
        let key: String
        var unit: String?
        var deviceClass: String?
        var isDiagnostic = false
    }

    private static let sensors = [
        Sensor(id: "speed", name: "Speed", key: "speed", unit: "m/s", deviceClass: "speed"),
        Sensor(id: "altitude", name: "Altitude", key: "altitude", unit: "m", deviceClass: "distance"),
        Sensor(
            id: "accuracy", name: "Accuracy", key: "gps_accuracy", unit: "m", deviceClass: "distance",
            isDiagnostic: true),
        Sensor(id: "satellites", name: "Satellites", key: "satellites_used", isDiagnostic: true),
    ]
    /// The topic on which Home Assistant says that it has started.
    private static let homeAssistantStatus = "homeassistant/status"

    private let name: String
    private let id: String
    private let version: String

    /// Creates a target for a machine.
    ///
    /// - Parameters:
    ///   - name: The name that Home Assistant shows.
    ///   - version: The version of the program.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
        // Identifiers in topics have only these characters.
        id = String(
            decoding: name.utf8.map { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    byte
                default: UInt8(ascii: "_")
                }
            }, as: UTF8.self)
    }

    /// The order in which the target takes records after an outage.
    public var backlog: BacklogOrder { .none }

    /// The message that the broker publishes if the connection ends without a goodbye.
    public var will: MQTTMessage? { status("offline") }

    /// The topics to subscribe to after each connection.
    public var subscriptions: [String] { [Self.homeAssistantStatus] }

    /// Returns the messages to publish before the connection ends.
    public func farewell() -> [MQTTMessage] { [status("offline")] }

    /// Returns the messages to publish after each connection.
    public func greeting() -> [MQTTMessage] { discovery() + [status("online")] }

    /// Returns the messages that answer a received one.
    public func response(to message: MQTTMessage) -> [MQTTMessage] {
        message.topic == Self.homeAssistantStatus && message.payload == Array("online".utf8) ? greeting() : []
    }

    /// Returns the messages for a record.
    public func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
        guard !isOld, let location = record.location else { return [] }
        var object = JSONObject()
        object.set("latitude", location.coordinate.latitude, decimals: 7)
        object.set("longitude", location.coordinate.longitude, decimals: 7)
        // An accuracy of 0 means to Home Assistant that there is none.
        object.set("gps_accuracy", location.horizontalAccuracy.map { max(0.1, $0) }, decimals: 1)
        object.set("altitude", location.altitudeMSL, decimals: 1)
        object.set("speed", location.speed, decimals: 2)
        object.set("course", location.course, decimals: 1)
        object.set("satellites_used", record.satellitesUsed)
        object.set("fix", record.occasion != .lost)
        object.set("last_seen", record.time.formatted(fractionDigits: 0))
        return [MQTTMessage(attributes, object.text, isRetained: true)]
    }

    private var attributes: String { "locwatch/\(id)/attributes" }

    private func status(_ word: String) -> MQTTMessage {
        MQTTMessage("locwatch/\(id)/status", Array(word.utf8), isRetained: true)
    }

    private func discovery() -> [MQTTMessage] {
        var tracker = entity("locwatch_\(id)")
        tracker.set("name", name)
        tracker.set("default_entity_id", "device_tracker.\(id.lowercased())")
        tracker.set("json_attributes_topic", attributes)
        tracker.set("source_type", "gps")
        tracker.set("icon", "mdi:crosshairs-gps")
        var fix = entity("locwatch_\(id)_fix")
        fix.set("name", "Fix")
        fix.set("state_topic", attributes)
        // A template prints the booleans of Python.
        fix.set("value_template", "{{ value_json.fix }}")
        fix.set("payload_on", "True")
        fix.set("payload_off", "False")
        fix.set("device_class", "connectivity")
        fix.set("entity_category", "diagnostic")
        return [
            MQTTMessage("homeassistant/device_tracker/locwatch_\(id)/config", tracker.text, isRetained: true),
            MQTTMessage("homeassistant/binary_sensor/locwatch_\(id)_fix/config", fix.text, isRetained: true),
        ] + Self.sensors.map(message(of:))
    }

    private func message(of sensor: Sensor) -> MQTTMessage {
        let id = "locwatch_\(id)_\(sensor.id)"
        var object = entity(id)
        object.set("name", "\(sensor.name)")
        object.set("state_topic", attributes)
        object.set("value_template", "{{ value_json.\(sensor.key) }}")
        object.set("device_class", sensor.deviceClass)
        object.set("unit_of_measurement", sensor.unit)
        object.set("state_class", "measurement")
        if sensor.isDiagnostic { object.set("entity_category", "diagnostic") }
        return MQTTMessage("homeassistant/sensor/\(id)/config", object.text, isRetained: true)
    }

    /// Returns the members that every entity has.
    private func entity(_ uniqueID: String) -> JSONObject {
        var device = JSONObject()
        device.set("identifiers", ["locwatch_\(id)"])
        device.set("name", name)
        device.set("manufacturer", "gpsd")
        device.set("sw_version", "locwatch \(version)")
        var origin = JSONObject()
        origin.set("name", "locwatch")
        origin.set("sw_version", version)
        var object = JSONObject()
        object.set("unique_id", uniqueID)
        object.set("availability_topic", "locwatch/\(self.id)/status")
        object.set("device", device)
        object.set("origin", origin)
        return object
    }
}
