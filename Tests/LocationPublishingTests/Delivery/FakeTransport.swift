import LocationCore
import LocationPublishing

/// A transport that a test drives: it remembers what was sent and reports what the test says.
final class FakeTransport: DeliveryTransport {
    var window = 10
    private(set) var opened = 0
    private(set) var closed = 0
    private(set) var sent: [(number: UInt64, isOld: Bool)] = []
    private(set) var inFlight: [UInt64] = []
    private var isOpen = false
    private var events: [DeliveryEvent] = []
    /// Whether a connection succeeds at once.
    var accepts = true
    /// Whether the target answers a connection, as a broker does.
    var answers = true

    var room: Int { isOpen ? max(0, window - inFlight.count) : 0 }
    var poll: (descriptor: Int32, events: Int16) { (-1, 0) }
    var deadline: Duration? { nil }

    func open(at now: Duration) {
        opened += 1
        if accepts { report(.opened(isAccepted: answers)) }
    }

    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        sent += records.map { ($0.number, isOld) }
        inFlight += records.map(\.number)
    }

    func close(at now: Duration) {
        closed += 1
        report(.closed)
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        let due = events
        events = []
        due.forEach(emit)
    }

    func report(_ event: DeliveryEvent) {
        switch event {
        case .opened: isOpen = true
        case .failed, .closed: (isOpen, inFlight) = (false, [])
        case .decided(_, let numbers): inFlight.removeAll { numbers.contains($0) }
        }
        events.append(event)
    }

    /// Takes the first records in flight.
    func acknowledge(_ count: Int = .max) {
        let numbers = Array(inFlight.prefix(count))
        if !numbers.isEmpty { report(.decided(.taken, numbers: numbers)) }
    }
}

/// A queue of positions and events in memory.
final class FakeQueue: RecordSource {
    var end: UInt64
    /// The number of the oldest record that is not lost.
    var start: UInt64 = 0
    private(set) var cursor = DeliveryProgress.Cursor(low: 0)
    /// The numbers of the records that are events at fences.
    var events: Set<UInt64> = []

    init(count: UInt64) { end = count }

    func records(from number: UInt64, limit: Int) -> [QueuedRecord] {
        let first = max(start, number)
        guard first < end else { return [] }
        return (first..<min(end, first + UInt64(limit))).map { number in
            let occasion: PublishRecord.Occasion = events.contains(number) ? .fence(.enter, name: "home") : .moved
            let time = Timestamp(secondsSince1970: Double(number))
            let location = Location(coordinate: Coordinate(latitude: 0, longitude: 0))
            return QueuedRecord(number, PublishRecord(occasion, created: time, location: location))
        }
    }

    func store(_ cursor: DeliveryProgress.Cursor) { self.cursor = cursor }
}
