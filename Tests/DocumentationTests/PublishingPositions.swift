import LocationCore
import LocationPublishing
import LocationTesting
import LocationTransports
import Testing

func makePublisher(_ words: [String], password: String?, queue: String) throws -> LocationPublisher {
    var options = TargetOptions(hostName: "boat", version: "1.0", started: Timestamp("2026-11-20T12:00:00Z")!)
    options.password = password
    let targets = try PreparedTarget.prepare(words.map { try TargetWord($0) }, options)
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
    for try await update in provider.settled().updates() {
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
        print(status.target, status.delivery.queued, status.delivery.obstacle ?? "")
    }
}

func report(_ alarm: PublishRecord, to publisher: LocationPublisher) async throws(QueueError) -> Bool {
    try await publisher.publish(alarm, within: .seconds(30)).contains(.taken)
}

func watch(_ publisher: LocationPublisher, _ show: ([String]) -> Void) async {
    for await statuses in publisher.changes { show(statuses.compactMap(\.delivery.obstacle)) }
}

final class UnsteadyTransport: DeliveryTransport {
    private(set) var attempts = 0
    private(set) var taken: [UInt64] = []
    private var events: [DeliveryEvent] = []

    var room: Int { attempts > 1 ? 10 : 0 }
    var poll: (descriptor: Int32, events: Int16) { (-1, 0) }
    var deadline: Duration? { nil }

    func open(at now: Duration) {
        attempts += 1
        events.append(attempts > 1 ? .opened(isAccepted: true) : .failed(cause: "no route", isRefusal: false))
    }

    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        taken += records.map(\.number)
        events.append(.decided(.taken, numbers: records.map(\.number)))
    }

    func close(at now: Duration) { events.append(.closed) }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        let due = events
        events = []
        due.forEach(emit)
    }
}

final class RecordList: RecordSource {
    private let records: [PublishRecord]
    private(set) var cursor = DeliveryProgress.Cursor(low: 0)

    init(_ records: [PublishRecord]) { self.records = records }

    var end: UInt64 { UInt64(records.count) }

    func records(from number: UInt64, limit: Int, isOld: Bool) -> [QueuedRecord] {
        (number..<end).prefix(limit).map { QueuedRecord($0, records[Int($0)]) }
    }

    func store(_ cursor: DeliveryProgress.Cursor) { self.cursor = cursor }
}

@Test func `positions are sent at the second attempt`() async throws {
    var records: [PublishRecord] = []
    let source = ScriptedLocationSource([.location(1, 2), .location(3, 4), .end], clock: ManualClock())
    #expect(try await publish(source, every: 10, to: { records.append($0) }) == 2)

    let transport = UnsteadyTransport()
    let list = RecordList(records)
    let delivery = TargetDelivery(transport, list, from: list.cursor)
    delivery.step(at: .zero)
    #expect(delivery.status.obstacle == "no route" && delivery.status.queued == 2)

    let retry = try #require(delivery.deadline(after: .zero))
    delivery.step(at: retry)
    delivery.step(at: retry)
    #expect(transport.taken == [0, 1] && list.cursor.low == 2)
    #expect(delivery.status.isComplete)
}
