import LocationCore
import LocationPublishing

/// Returns the record of a second.
func record(_ second: Int) -> PublishRecord {
    let time = Timestamp(secondsSince1970: 1_700_000_000 + Double(second))
    let location = Location(coordinate: Coordinate(latitude: 1, longitude: 2), timestamp: time)
    return PublishRecord(.moved, created: time, location: location)
}

/// A transport that the test opens, and that treats every record the same way if it is open.
final class ScriptedTransport: DeliveryTransport {
    enum Behavior {
        case takes, refuses, fails
        /// Decides on no record.
        case holds
        /// Decides on no record, and does not end its connection.
        case ignores
    }

    var behavior: Behavior
    var sent: [UInt64] = []
    private var isOpen = false
    private var events: [DeliveryEvent] = []

    init(_ behavior: Behavior) { self.behavior = behavior }

    var room: Int { isOpen ? 10 : 0 }
    var poll: (descriptor: Int32, events: Int16) { (-1, 0) }
    var deadline: Duration? { events.isEmpty ? nil : .zero }

    func open(at now: Duration) {
        isOpen = behavior != .fails
        events.append(isOpen ? .opened(isAccepted: true) : .failed(cause: "scripted", isRefusal: false))
    }

    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        sent += records.map(\.number)
        let numbers = records.map(\.number)
        switch behavior {
        case .takes: events.append(.decided(.taken, numbers: numbers))
        case .refuses: events.append(.decided(.refused(cause: "scripted"), numbers: numbers))
        case .holds, .ignores, .fails: break
        }
    }

    func close(at now: Duration) { if behavior != .ignores { events.append(.closed) } }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        exchange(&events, with: []).forEach(emit)
    }
}
