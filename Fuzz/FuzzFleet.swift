@testable import LocationCore
@testable import LocationPublishing

private let start = Timestamp(nanosecondsSince1970: 1_795_165_200_000_000_000)

/// Fuzzes a fleet with messages: a line that begins with `@` is the topic of the payloads on the lines after it, and a
/// payload after a tab is retained.
func fuzzFleet(_ input: UnsafeBufferPointer<UInt8>) {
    var fleet = FleetDevices(limit: 3)
    var topic = "owntracks/anna/boat"
    for (number, line) in lines(of: input).enumerated() {
        guard line.first != UInt8(ascii: "@") else {
            topic = String(decoding: line.dropFirst(), as: UTF8.self)
            continue
        }
        let time = Duration.seconds(number)
        let moment = Moment(elapsed: time, wall: start.advanced(by: time))
        let message = MQTTMessage(topic, line, isRetained: line.first == UInt8(ascii: "\t"))
        let events = fleet.events(of: message, at: moment)
        check(events.count <= 4, "a message has many events")
        for event in events { check(event, at: moment) }
        for case .location(let location) in fleet.events(of: message, at: moment) {
            check(location.timestamp == nil, "a message that comes twice is a position twice")
        }
    }
    check(fleet.count <= 3, "there are more devices than the limit")
    fleet.noteOversized(topic: topic, size: 2_000_000) { check($0, at: Moment(elapsed: .zero, wall: start)) }
}

extension FleetDevices {
    fileprivate mutating func events(of message: MQTTMessage, at moment: Moment) -> [LocationEvent] {
        var events: [LocationEvent] = []
        process(message, at: moment) { events.append($0.event) }
        return events
    }
}

private func check(_ event: LocationEvent, at moment: Moment) {
    switch event {
    case .location(let location):
        check(location.received == moment.wall, "a position has not arrived")
        check(location)
    case .notice(let notice): check(notice.content)
    default: break
    }
}

private func check(_ notice: Notice.NoticeContent) {
    switch notice {
    case .lastKnown(let location): check(location)
    case .fence(let event):
        check(!hides(event.device ?? ""), "the name of a device has a hidden character")
        check(Coordinate(checking: event.coordinate.latitude, event.coordinate.longitude) != nil, "a fence is nowhere")
    case .unknownMessage(let device, let cause):
        check(!hides(device + cause), "the cause has a hidden character")
    default: break
    }
}

private func check(_ location: Location) {
    check(!hides(location.device ?? ""), "the name of a device has a hidden character")
    checkNumbers(location)
    checkPublishing(location)
}

/// Checks that a fleet reads the position as `publish` writes it.
private func checkPublishing(_ location: Location) {
    let record = PublishRecord(.moved, created: start, location: location)
    guard let topic = try? MQTTTopic("locwatch/anna/boat"),
        let device = try? OwnTracksDevice(user: "anna", device: "boat")
    else { return check(false, "a topic is refused") }
    var messages = JSONTarget(topic).messages(for: record, isOld: false)
    // OwnTracks has no time before 1970.
    if record.time.wholeSeconds >= 1 {
        var target = OwnTracksTarget(device, started: start)
        messages += target.messages(for: record, isOld: false)
        check(messages.count == 2, "a position is not published")
    }
    for var message in messages {
        message.isRetained = false
        var fleet = FleetDevices()
        let events = fleet.events(of: message, at: Moment(elapsed: .zero, wall: start))
        guard case .location(let read)? = events.last else { return check(false, "a published position is not read") }
        let (latitude, longitude) = (location.coordinate.latitude, location.coordinate.longitude)
        check(abs(read.coordinate.latitude - latitude) < 1e-6, "the latitude differs")
        check(abs(read.coordinate.longitude - longitude) < 1e-6, "the longitude differs")
    }
}
