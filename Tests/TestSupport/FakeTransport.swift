package import LocationPublishing

/// A transport in memory that remembers what was sent, and reports what its behavior or the test says.
package final class FakeTransport: DeliveryTransport {
    package enum Behavior {
        case takes, refuses, rejects, fails
        /// Decides on no record by itself.
        case holds
        /// Decides on no record, and does not end its connection.
        case ignores
    }

    package var behavior: Behavior
    package var window = 10
    package private(set) var opened = 0
    package private(set) var closed = 0
    package private(set) var sent: [(number: UInt64, isOld: Bool)] = []
    /// The numbers of the records that were marked as repeated, in the order in which they were sent.
    package private(set) var repeated: [UInt64] = []
    /// The numbers of the records of each call.
    package private(set) var batches: [[UInt64]] = []
    package private(set) var inFlight: [UInt64] = []
    private var isOpen = false
    private var events: [DeliveryEvent] = []
    /// Whether a connection succeeds at once.
    package var accepts = true
    /// Whether the target answers a connection, as a broker does.
    package var answers = true

    package init(_ behavior: Behavior = .holds) { self.behavior = behavior }

    package var room: Int { isOpen ? max(0, window - inFlight.count) : 0 }
    package var poll: (descriptor: Int32, events: Int16) { (-1, 0) }
    package var deadline: Duration? { events.isEmpty ? nil : .zero }

    package func open(at now: Duration) {
        opened += 1
        if behavior == .fails {
            report(.failed(cause: "scripted", isRefusal: false))
        } else if accepts {
            report(.opened(isAccepted: answers))
        }
    }

    package func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        let numbers = records.map(\.number)
        sent += numbers.map { ($0, isOld) }
        repeated += records.filter(\.record.isRepeated).map(\.number)
        batches.append(numbers)
        inFlight += numbers
        switch behavior {
        case .takes: acknowledge()
        case .refuses: report(.decided(.refused(cause: "scripted"), numbers: numbers))
        case .rejects: report(.decided(.rejected(cause: "scripted"), numbers: numbers))
        case .holds, .ignores, .fails: break
        }
    }

    package func close(at now: Duration) {
        closed += 1
        if behavior != .ignores { report(.closed) }
    }

    package func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) { exchange(&events, with: []).forEach(emit) }

    package func report(_ event: DeliveryEvent) {
        switch event {
        case .opened: isOpen = true
        case .failed, .closed: (isOpen, inFlight) = (false, [])
        case .unsent: break
        case .decided(_, let numbers): inFlight.removeAll { numbers.contains($0) }
        }
        events.append(event)
    }

    /// Takes the first records in flight.
    package func acknowledge(_ count: Int = .max) {
        let numbers = Array(inFlight.prefix(count))
        if !numbers.isEmpty { report(.decided(.taken, numbers: numbers)) }
    }
}
