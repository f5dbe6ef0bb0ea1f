import LocationCore
import LocationPublishing
import LocationTesting
import Testing

func makePublisher(_ words: [String], password: String?, queue: String) throws -> LocationPublisher {
    var options = TargetOptions(hostName: "boat", version: "1.0", started: Timestamp("2026-11-20T12:00:00Z")!)
    options.password = password
    let targets = try PreparedTarget.prepare(words, options)
    return try LocationPublisher(targets, queue: .folder(queue))
}

/// Turns positions into records, and returns how many there were when the session ends.
func publish(
    _ provider: some LocationProvider, every distance: Double, to publish: (PublishRecord) -> Void
) async throws(LocationError) -> Int {
    var options = PublishSchedule.Options()
    options.distance = distance
    var schedule = PublishSchedule(options)
    var count = 0
    for try await update in provider.updates() {
        guard case .location(let location) = update.event,
            let record = schedule.record(for: location, at: update.moment)
        else { continue }
        publish(record)
        count += 1
    }
    return count
}

func end(_ publisher: LocationPublisher) async {
    for status in await publisher.finish(within: .seconds(5)) where !status.delivery.isComplete {
        print(status.target, status.delivery.queued, status.delivery.lastObstacle ?? "")
    }
}

func report(_ alarm: PublishRecord, to publisher: LocationPublisher) async throws(PublishError) -> Bool {
    try await publisher.publish(alarm, within: .seconds(30)).contains(.taken)
}

func watch(_ publisher: LocationPublisher, _ show: ([String]) -> Void) async {
    for await statuses in publisher.changes { show(statuses.compactMap(\.delivery.obstacle)) }
}

@Test func `positions become records`() async throws {
    let source = ScriptedLocationSource(
        [.location(1, 2), .location(1, 2), .location(3, 4), .end], clock: ManualClock())
    var records: [PublishRecord] = []
    #expect(try await publish(source, every: 10, to: { records.append($0) }) == 2)
    #expect(records.map(\.location?.coordinate.latitude) == [1, 3])
}
