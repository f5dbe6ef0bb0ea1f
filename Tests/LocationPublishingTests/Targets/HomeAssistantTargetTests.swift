import LocationCore
import Testing

@testable import LocationPublishing

@Suite struct HomeAssistantTargetTests {
    let target = HomeAssistantTarget(name: "My-Pi.local", version: "0.2")

    @Test func `the tracker is described without a topic of its state`() throws {
        let message = try #require(target.greeting().first)
        #expect(
            text(message.payload)
                == #"{"unique_id":"locwatch_My-Pi_local","name":null,"#
                + #""default_entity_id":"device_tracker.my_pi_local","#
                + #""json_attributes_topic":"locwatch/My-Pi_local/attributes","source_type":"gps","#
                + #""icon":"mdi:crosshairs-gps","availability_topic":"locwatch/My-Pi_local/status","#
                + #""device":{"identifiers":["locwatch_My-Pi_local"],"name":"My-Pi.local","manufacturer":"gpsd","#
                + #""sw_version":"locwatch 0.2"},"#
                + #""origin":{"name":"locwatch","sw_version":"0.2"}}"#)
    }

    @Test func `a sensor reads its value from the attributes`() throws {
        let message = try #require(target.greeting().dropFirst().first)
        #expect(
            text(message.payload)
                == #"{"unique_id":"locwatch_My-Pi_local_speed","name":"Speed","#
                + #""state_topic":"locwatch/My-Pi_local/attributes","#
                + #""value_template":"{{ value_json.speed | default(none) }}","#
                + #""availability_topic":"locwatch/My-Pi_local/status","#
                + #""device":{"identifiers":["locwatch_My-Pi_local"],"name":"My-Pi.local"},"device_class":"speed","#
                + #""unit_of_measurement":"m/s","state_class":"measurement"}"#)
    }

    @Test func `all entities are described, and then available`() throws {
        let messages = target.greeting()
        #expect(
            messages.map(\.topic) == [
                "homeassistant/device_tracker/locwatch_My-Pi_local/config",
                "homeassistant/sensor/locwatch_My-Pi_local_speed/config",
                "homeassistant/sensor/locwatch_My-Pi_local_satellites/config",
                "homeassistant/sensor/locwatch_My-Pi_local_accuracy/config",
                "homeassistant/sensor/locwatch_My-Pi_local_altitude/config",
                "homeassistant/binary_sensor/locwatch_My-Pi_local_fix/config",
                "locwatch/My-Pi_local/status",
            ])
        #expect(messages.allSatisfy { $0.isRetained && $0.quality == .atLeastOnce })
        #expect(messages.last?.payload == Array("online".utf8))
        let fix = try object(messages[5].payload)
        #expect(fix["payload_on"] as? String == "True" && fix["payload_off"] as? String == "False")
        #expect(fix["device_class"] as? String == "connectivity")
        #expect(fix["value_template"] as? String == "{{ value_json.fix }}")
        let satellites = try object(messages[2].payload)
        #expect(satellites["device_class"] == nil && satellites["entity_category"] as? String == "diagnostic")
        for message in messages[3...4] { #expect(try object(message.payload)["unit_of_measurement"] as? String == "m") }
    }

    @Test func `availability is retained, or Home Assistant would lose it at a restart`() {
        let offline = MQTTMessage("locwatch/My-Pi_local/status", Array("offline".utf8), isRetained: true)
        #expect(target.will == offline)
        #expect(target.farewell() == [offline])
    }

    @Test func `the descriptions are published again when Home Assistant has started`() {
        #expect(target.subscriptions == ["homeassistant/status"])
        let online = MQTTMessage("homeassistant/status", Array("online".utf8))
        #expect(target.response(to: online) == target.greeting())
        #expect(target.response(to: MQTTMessage("homeassistant/status", Array("offline".utf8))).isEmpty)
        #expect(target.response(to: MQTTMessage("other", Array("online".utf8))).isEmpty)
    }

    @Test func `another prefix of discovery is used throughout`() throws {
        let target = HomeAssistantTarget(name: "pi", version: "0.2", prefix: try MQTTTopic("ha/x"))
        #expect(target.subscriptions == ["ha/x/status"])
        #expect(target.greeting().first?.topic == "ha/x/device_tracker/locwatch_pi/config")
        #expect(target.response(to: MQTTMessage("ha/x/status", Array("online".utf8))).count == 7)
    }

    @Test func `a position is a retained message of attributes`() {
        let json =
            #"{"latitude":45.05,"longitude":7.68,"gps_accuracy":4.2,"altitude":241.3,"speed":3.9,"course":181.4,"#
            + #""satellites_used":12,"fix":true,"integrity":"nominal","stationary":false,"#
            + #""last_seen":"2026-03-20T09:27:25.400Z"}"#
        #expect(
            target.messages(for: Samples.record(used: 12), isOld: false)
                == [MQTTMessage("locwatch/My-Pi_local/attributes", Array(json.utf8), isRetained: true)])
    }

    @Test func `after a loss the last position stays and the fix is off`() throws {
        let message = try #require(target.messages(for: Samples.record(.lost), isOld: false).first)
        let json = try object(message.payload)
        #expect(json["fix"] as? Bool == false && json["latitude"] as? Double == 45.05)
        #expect(target.messages(for: Samples.record(.lost, nil), isOld: false).isEmpty)
    }

    @Test func `an old position, which would move the tracker back, is not published`() {
        #expect(target.backlog == .none)
        #expect(target.messages(for: Samples.record(), isOld: true).isEmpty)
        #expect(target.messages(for: Samples.record(.fence(.enter, name: "x")), isOld: false).isEmpty)
    }

    @Test(arguments: Samples.hostileNames)
    func `the name of a machine makes valid topics and JSON`(name: String) throws {
        let target = HomeAssistantTarget(name: name, version: name)
        for message in target.greeting().dropLast() {
            _ = try MQTTTopic(message.topic)
            let allowed = message.topic.utf8.allSatisfy {
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-/".utf8.contains($0)
            }
            #expect(allowed)
            let device = try #require(try object(message.payload)["device"] as? [String: Any])
            #expect(device["identifiers"] as? [String] == ["locwatch_\(target.node)"])
        }
        let device = try object(target.greeting()[0].payload)["device"] as? [String: Any]
        #expect(device?["name"] as? String == name)
    }

    @Test func `positions are never null or text, with numbers of any kind`() throws {
        let messages = Samples.hostileRecords.flatMap { target.messages(for: $0, isOld: false) }
        #expect(!messages.isEmpty)
        for message in messages {
            let json = try object(message.payload)
            #expect(json["latitude"] is Double && json["longitude"] is Double)
            if let speed = json["speed"] { #expect(speed is Double) }
        }
    }
}
