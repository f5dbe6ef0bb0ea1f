import LocationCore
import LocationPublishing
import Testing

@Suite struct MQTTTargetTests {
    private let ownTracks = OwnTracksTarget(user: "anna", device: "van", started: Records.time)
    private let home = HomeAssistantTarget(name: "van 1", version: "0.2")

    @Test func `OwnTracks gets whole numbers, kilometres per hour without decimals, and a retained position`() {
        let messages = ownTracks.messages(for: Records.record(), isOld: false)
        #expect(messages.map(\.topic) == ["owntracks/anna/van"])
        #expect(messages[0].isRetained && messages[0].quality == .atLeastOnce)
        #expect(
            Records.text(messages[0].payload) == #"{"_type":"location","lat":45.1234568,"lon":-7.5,"tst":1772366400,"#
                + #""acc":4,"alt":241,"vac":8,"vel":50,"cog":181,"tid":"an"}"#)
    }

    @Test func `an old position is not retained, and says when the message was made`() throws {
        let messages = ownTracks.messages(for: Records.record(after: .seconds(90)), isOld: true)
        #expect(!messages[0].isRetained)
        #expect(try Records.json(messages[0].payload)["created_at"] as? Int == 1_772_366_490)
    }

    @Test func `an accuracy below half a metre is 1, because Home Assistant drops a message with 0`() throws {
        var location = Records.location()
        location.horizontalAccuracy = 0.01
        let message = ownTracks.messages(for: Records.record(.moved, location), isOld: false)[0]
        #expect(try Records.json(message.payload)["acc"] as? Int == 1)
    }

    @Test func `only the first of two positions in a second is published, also when it is sent again`() {
        var second = Records.location()
        second.timestamp = Records.time.advanced(by: .milliseconds(500))
        for _ in 0..<2 {
            #expect(ownTracks.messages(for: Records.record(), isOld: false).count == 1)
            #expect(ownTracks.messages(for: Records.record(.moved, second), isOld: false).isEmpty)
        }
    }

    @Test func `a leave is published only after an enter, and a stay never`() {
        func events(_ kind: FenceEvent.Kind, _ seconds: Int) -> [String] {
            ownTracks.messages(for: Records.record(.fence(kind, name: "home"), after: .seconds(seconds)), isOld: false)
                .map { Records.text($0.payload) }
        }
        #expect(events(.exit, 1).isEmpty)
        #expect(
            events(.inside, 2) == [
                #"{"_type":"transition","event":"enter","desc":"home","wtst":1772366400,"lat":45.1234568,"lon":-7.5,"#
                    + #""tst":1772366400,"created_at":1772366402,"acc":4,"t":"l","tid":"an"}"#
            ])
        #expect(events(.dwell, 3).isEmpty)
        #expect(events(.exit, 4).count == 1)
        // The record is sent again after a failure.
        #expect(events(.exit, 4).count == 1)
        #expect(events(.exit, 5).isEmpty)
    }

    @Test func `events at fences are neither retained nor mixed with positions`() {
        let messages = ownTracks.messages(for: Records.record(.fence(.enter, name: "home")), isOld: false)
        #expect(messages.map(\.topic) == ["owntracks/anna/van/event"])
        #expect(!messages[0].isRetained)
    }

    @Test func `the will is the message by which OwnTracks sees that the device is gone`() {
        #expect(ownTracks.will == MQTTMessage("owntracks/anna/van", Array(#"{"_type":"lwt","tst":1772366400}"#.utf8)))
    }

    @Test func `a heartbeat and a request have their triggers`() throws {
        for (occasion, trigger) in [(PublishRecord.Occasion.heartbeat, "p"), (.manual, "u")] {
            let message = ownTracks.messages(for: Records.record(occasion), isOld: false)[0]
            let json = try Records.json(message.payload)
            #expect(json["t"] as? String == trigger)
        }
    }

    @Test func `Home Assistant gets the entities once, then attributes, all retained`() throws {
        let greeting = home.greeting()
        #expect(
            greeting.map(\.topic) == [
                "homeassistant/device_tracker/locwatch_van_1/config",
                "homeassistant/binary_sensor/locwatch_van_1_fix/config",
                "homeassistant/sensor/locwatch_van_1_speed/config",
                "homeassistant/sensor/locwatch_van_1_altitude/config",
                "homeassistant/sensor/locwatch_van_1_accuracy/config",
                "homeassistant/sensor/locwatch_van_1_satellites/config",
                "locwatch/van_1/status",
            ])
        #expect(greeting.allSatisfy { $0.isRetained })
        let tracker = try Records.json(greeting[0].payload)
        #expect(tracker.index(forKey: "state_topic") == nil, "Home Assistant finds the zone itself")
        #expect(tracker["default_entity_id"] as? String == "device_tracker.van_1")
        #expect(tracker["json_attributes_topic"] as? String == "locwatch/van_1/attributes")
        let device = try #require(tracker["device"] as? [String: Any])
        #expect(device["identifiers"] as? [String] == ["locwatch_van_1"])
        let fix = try Records.json(greeting[1].payload)
        #expect(fix["payload_on"] as? String == "True" && fix["payload_off"] as? String == "False")
        #expect(Records.text(greeting[6].payload) == "online")
        #expect(home.will == MQTTMessage("locwatch/van_1/status", Array("offline".utf8), isRetained: true))
        #expect(home.farewell().map { $0 as MQTTMessage? } == [home.will])
    }

    @Test func `a lost fix keeps the last position and turns the sensor off`() {
        func attributes(_ record: PublishRecord) -> [String] {
            home.messages(for: record, isOld: false).map { Records.text($0.payload) }
        }
        let found =
            #"{"latitude":45.1234568,"longitude":-7.5,"gps_accuracy":4.2,"altitude":241.3,"speed":13.9,"#
            + #""course":181,"satellites_used":12,"fix":true,"last_seen":"2026-03-01T12:00:00Z"}"#
        #expect(attributes(Records.record()) == [found])
        #expect(attributes(Records.record(.lost)) == [found.replacing(#""fix":true"#, with: #""fix":false"#)])
        #expect(attributes(Records.record(.lost, nil)).isEmpty)
    }

    @Test func `an old position never reaches Home Assistant`() {
        #expect(home.backlog == .none)
        #expect(home.messages(for: Records.record(), isOld: true).isEmpty)
    }

    @Test func `the entities are published again when Home Assistant starts`() {
        #expect(home.response(to: MQTTMessage("homeassistant/status", Array("online".utf8))) == home.greeting())
        #expect(home.response(to: MQTTMessage("homeassistant/status", Array("offline".utf8))).isEmpty)
        #expect(home.response(to: MQTTMessage("other", Array("online".utf8))).isEmpty)
    }

    @Test func `the JSON has the keys and the milliseconds of watch`() {
        let target = JSONTarget(topic: "fleet/van")
        let messages = target.messages(for: Records.record(), isOld: false)
        #expect(messages.map(\.topic) == ["fleet/van"])
        #expect(
            Records.text(messages[0].payload) == #"{"event":"location","time":"2026-03-01T12:00:00.250Z","#
                + #""lat":45.1234568,"lon":-7.5,"altMSL":241.26,"altHAE":289.3,"mode":3,"eph":4.24,"epv":7.5,"#
                + #""speed":13.9,"course":181.04,"device":"/dev/ttyACM0","used":12}"#)
        #expect(target.will == MQTTMessage("fleet/van/status", Array("offline".utf8), isRetained: true))
    }

    @Test func `hostile names and numbers leave valid JSON without control characters`() throws {
        let hostileHome = HomeAssistantTarget(name: Records.name, version: Records.name)
        let targets: [any MQTTTarget] = [
            OwnTracksTarget(user: "u", device: "d", trackerID: Records.name, started: Records.time), hostileHome,
            JSONTarget(topic: "t"),
        ]
        for target in targets {
            for occasion in [
                PublishRecord.Occasion.moved, .heartbeat, .lost, .fence(.enter, name: Records.name), .manual, .found,
            ] {
                for message in target.messages(for: Records.hostile(occasion), isOld: false) {
                    _ = try Records.json(message.payload)
                    #expect(message.payload.allSatisfy { $0 >= 0x20 })
                }
            }
        }
        for message in hostileHome.greeting() where message.topic.hasSuffix("config") {
            _ = try Records.json(message.payload)
            #expect(message.topic.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }
}
