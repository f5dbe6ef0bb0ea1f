import LocationCore

extension TargetScheme {
    /// Home Assistant's discovery over MQTT.
    static let homeAssistant = pair(
        ("mqtt+ha", "Home Assistant's discovery over MQTT"),
        encrypted: ("mqtts+ha", "Home Assistant's discovery over MQTT with TLS"), form: "[USER@]HOST[:PORT]",
        access: .user, parameters: [.client, .discovery]
    ) { parts throws(PublishError) in
        try parts.requireNoPath()
        return { target throws(PublishError) in
            .mqtt(
                try target.broker(parts),
                HomeAssistantTarget(
                    name: try target.deviceName(), version: target.options.version,
                    prefix: parts.value(of: .discovery).flatMap { try? MQTTTopic($0) },
                    staysAvailable: target.options.isForOneRecord))
        }
    }
}

/// An encoder of records for Home Assistant's discovery over MQTT: a device tracker, sensors, and a sign of the fix.
///
/// Every message is retained, because Home Assistant forgets all states when it restarts. A position is never null, which
/// would make the tracker unknown: after a loss the last one stays, and the sign of the fix is off.
package struct HomeAssistantTarget: MQTTTarget, Hashable {
    /// The name of the machine for people.
    package let name: String
    /// The name of the machine in topics: letters, digits, hyphens and underscores.
    package let node: String
    private let version: String
    /// The first part of the topics of discovery, or `nil` for Home Assistant's default.
    private let prefix: MQTTTopic?
    /// Whether the entities stay available after the goodbye, for a single record.
    private let staysAvailable: Bool

    private static let discoveryPrefix = "homeassistant"
    private static let online = Array("online".utf8)
    private static let offline = Array("offline".utf8)

    package init(name: String, version: String, prefix: MQTTTopic? = nil, staysAvailable: Bool = false) {
        self.name = name
        node = Self.identifier(name, allowsHyphen: true)
        self.version = version
        self.prefix = prefix
        self.staysAvailable = staysAvailable
    }

    // MARK: Target

    /// None: an old position would move the tracker back.
    package var backlog: BacklogOrder { .none }

    package var will: MQTTMessage? { farewell().first }

    /// A word on the topic of the availability, where Home Assistant ignores all but two, and on one of the discovery, where it
    /// ignores what is not JSON.
    package var probes: [MQTTMessage] {
        ([statusTopic] + entities.prefix(1).map { topic(of: $0) }).map { MQTTMessage($0, Array("probe".utf8)) }
    }

    /// The topic on which Home Assistant says that it has started.
    package var subscriptions: [String] { ["\(discovery)/status"] }

    /// Returns the descriptions of all entities, and then the message that makes them available.
    package func greeting() -> [MQTTMessage] {
        entities.map { MQTTMessage(topic(of: $0), $0.description, isRetained: true) }
            + [MQTTMessage(statusTopic, Self.online, isRetained: true)]
    }

    /// Returns the message that makes all entities unavailable; with a proper goodbye the broker does not publish the will.
    package func farewell() -> [MQTTMessage] {
        staysAvailable ? [] : [MQTTMessage(statusTopic, Self.offline, isRetained: true)]
    }

    /// Returns the greeting again when Home Assistant says that it has started.
    package func response(to message: MQTTMessage) -> [MQTTMessage] {
        message.topic == "\(discovery)/status" && message.payload == Self.online ? greeting() : []
    }

    /// Returns the attributes of a position.
    ///
    /// Home Assistant computes zones on its own, so events at fences have no message; neither has a loss without a position.
    package func messages(for record: PublishRecord, isOld: Bool) -> [MQTTMessage] {
        guard !isOld, let location = record.location else { return [] }
        if case .fence = record.occasion { return [] }
        var json = TextBuffer()
        json.object { object in
            object.member("latitude", location.coordinate.latitude, decimals: 7)
            object.member("longitude", location.coordinate.longitude, decimals: 7)
            object.member("gps_accuracy", location.plausibleAccuracy, decimals: 3)
            object.member("altitude", location.altitudeMSL, decimals: 3)
            object.member("speed", location.plausibleSpeed, decimals: 3)
            object.member("course", location.plausibleCourse, decimals: 2)
            object.member("satellites_used", record.satellitesUsed)
            object.member("fix", record.occasion != .lost)
            object.member("integrity", record.verdict.rawValue)
            object.member("stationary", record.isStationary)
            object.member("last_seen", record.time)
        }
        return [MQTTMessage(attributesTopic, json.bytes, isRetained: true)]
    }

    // MARK: Names

    private var discovery: String { prefix?.name ?? Self.discoveryPrefix }
    private var attributesTopic: String { "locwatch/\(node)/attributes" }
    private var statusTopic: String { "locwatch/\(node)/status" }
    private var identifier: String { "locwatch_\(node)" }

    /// Returns a name with an underscore in the place of each character that an identifier must not have.
    private static func identifier(_ name: String, allowsHyphen: Bool) -> String {
        let bytes = name.unicodeScalars.map { scalar in
            let byte = UInt8(exactly: scalar.value) ?? 0
            return byte.isLetterOrDigit || allowsHyphen && byte == UInt8(ascii: "-") ? byte : UInt8(ascii: "_")
        }
        return bytes.isEmpty ? "_" : String(decoding: bytes, as: UTF8.self)
    }

    // MARK: Entities

    private typealias Entity = (kind: String, object: String, description: [UInt8])

    /// Returns the topic on which Home Assistant finds an entity.
    private func topic(of entity: Entity) -> String { "\(discovery)/\(entity.kind)/\(entity.object)/config" }

    private var entities: [Entity] {
        [
            ("device_tracker", identifier, tracker),
            sensor("speed", "Speed", value: "speed", deviceClass: "speed", unit: "m/s"),
            sensor("satellites", "Satellites", value: "satellites_used", isDiagnostic: true),
            sensor("accuracy", "Accuracy", value: "gps_accuracy", deviceClass: "distance", unit: "m"),
            sensor("altitude", "Altitude", value: "altitude", deviceClass: "distance", unit: "m"),
            fix,
        ]
    }

    /// The tracker; without a topic of its own state, Home Assistant finds the zone by the position.
    private var tracker: [UInt8] {
        var json = TextBuffer()
        json.object { object in
            object.member("unique_id", identifier)
            object.put(key: "name")
            object.put("null")
            // The identifiers of entities have lower case and no hyphens.
            object.member(
                "default_entity_id", "device_tracker.\(Self.identifier(name, allowsHyphen: false).lowercased())")
            object.member("json_attributes_topic", attributesTopic)
            object.member("source_type", "gps")
            object.member("icon", "mdi:crosshairs-gps")
            object.member("availability_topic", statusTopic)
            object.object("device") { device in
                device.member("identifiers", [identifier])
                device.member("name", name)
                device.member("manufacturer", "gpsd")
                device.member("sw_version", "locwatch \(version)")
            }
            object.object("origin") { origin in
                origin.member("name", "locwatch")
                origin.member("sw_version", version)
            }
        }
        return json.bytes
    }

    private func sensor(
        _ object: String, _ name: String, value: String, deviceClass: String? = nil, unit: String? = nil,
        isDiagnostic: Bool = false
    ) -> (String, String, [UInt8]) {
        // A missing value makes the sensor unknown; without the default it would keep the last value.
        let template = "{{ value_json.\(value) | default(none) }}"
        let entity = entity(object, name, template: template) { entity in
            entity.member("device_class", deviceClass)
            entity.member("unit_of_measurement", unit)
            entity.member("state_class", "measurement")
            entity.member("entity_category", isDiagnostic ? "diagnostic" : nil)
        }
        return ("sensor", "\(identifier)_\(object)", entity)
    }

    private var fix: (String, String, [UInt8]) {
        let entity = entity("fix", "Fix", template: "{{ value_json.fix }}") { entity in
            // A template prints a Boolean value as Python does.
            entity.member("payload_on", "True")
            entity.member("payload_off", "False")
            entity.member("device_class", "connectivity")
            entity.member("entity_category", "diagnostic")
        }
        return ("binary_sensor", "\(identifier)_fix", entity)
    }

    private func entity(
        _ object: String, _ name: String, template: String, _ members: (inout TextBuffer) -> Void
    ) -> [UInt8] {
        var json = TextBuffer()
        json.object { entity in
            entity.member("unique_id", "\(identifier)_\(object)")
            entity.member("name", name)
            entity.member("state_topic", attributesTopic)
            entity.member("value_template", template)
            entity.member("availability_topic", statusTopic)
            entity.object("device") { device in
                device.member("identifiers", [identifier])
                // A broker sends what it retains in any order. Without the name, a sensor that comes before the tracker
                // would be called sensor.none_speed for good.
                device.member("name", self.name)
            }
            members(&entity)
        }
        return json.bytes
    }
}
