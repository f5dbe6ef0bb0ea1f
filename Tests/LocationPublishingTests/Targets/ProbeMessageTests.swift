import LocationCore
import LocationPublishing
import Testing

/// The messages with which access to a target's topic is tested.
@Suite struct ProbeMessageTests {
    @Test func `a probe goes to the topics of its target, is not retained, and says nothing about a position`() throws {
        let device = try OwnTracksDevice(user: "anna", device: "boat")
        let targets: [(any MQTTTarget, topics: [String])] = [
            (OwnTracksTarget(device, started: Timestamp(secondsSince1970: 0)), ["owntracks/anna/boat"]),
            (JSONTarget(try MQTTTopic("fleet/boat")), ["fleet/boat"]),
            (
                HomeAssistantTarget(name: "boat", version: "1"),
                ["locwatch/boat/status", "homeassistant/device_tracker/locwatch_boat/config"]
            ),
        ]
        for (target, topics) in targets {
            #expect(target.probes.map(\.topic) == topics)
            for probe in target.probes {
                #expect(!probe.isRetained && probe.quality == .atLeastOnce)
                // None of the words that a subscriber takes for a position, a state or an entity.
                let text = String(decoding: probe.payload, as: UTF8.self)
                #expect(["{\"_type\":\"probe\"}", "{}", "probe"].contains(text))
                #expect(target.response(to: probe).isEmpty)
            }
        }
    }
}
