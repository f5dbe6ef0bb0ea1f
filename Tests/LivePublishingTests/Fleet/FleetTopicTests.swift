import TestSupport
import Testing

@testable import LocationPublishing

@Suite(.serialized, .withFew) struct FleetTopicTests {
    @Test(arguments: [
        ("owntracks/anna/boat", "owntracks/anna/boat", FleetTopic.TopicKind.positions),
        ("owntracks/anna/boat/event", "owntracks/anna/boat", .events),
        ("owntracks/anna/boat/status", "owntracks/anna/boat", .status),
        ("owntracks/anna/boat/waypoints", "owntracks/anna/boat", .other),
        ("owntracks/anna/boat/cmd", "owntracks/anna/boat", .other),
        ("owntracks/anna/status", "owntracks/anna/status", .positions),
        ("owntracks/event/boat", "owntracks/event/boat", .positions),
        ("locwatch/pi/attributes", "locwatch/pi", .positions),
        ("locwatch/pi/status", "locwatch/pi", .status),
        ("van7", "van7", .positions), ("van7/status", "van7", .status), ("status", "status", .positions),
    ])
    func `a topic names its device`(topic: String, device: String, kind: FleetTopic.TopicKind) {
        #expect(FleetTopic(topic).device == device)
        #expect(FleetTopic(topic).kind == kind)
    }

    @Test func `control characters of a name are visible`() {
        #expect(FleetTopic("owntracks/a\u{1B}[2J/b\n").device == #"owntracks/a\x1b[2J/b\n"#)
    }

    @Test(arguments: [
        ("owntracks/+/+", ["owntracks/+/+", "owntracks/+/+/event", "owntracks/+/+/status"]),
        ("owntracks/#", ["owntracks/#"]), ("#", ["#"]),
        ("locwatch/+/attributes", ["locwatch/+/attributes", "locwatch/+/status"]),
        ("fleet", ["fleet", "fleet/event", "fleet/status"]),
        (
            "$share/g/owntracks/+/+",
            ["$share/g/owntracks/+/+", "$share/g/owntracks/+/+/event", "$share/g/owntracks/+/+/status"]
        ),
        ("owntracks/+/+/event", ["owntracks/+/+/event"]),
    ])
    func `the filters cover the events and the status of each device`(filter: String, filters: [String]) {
        #expect(FleetTopic.filters(covering: filter) == filters)
    }
}
