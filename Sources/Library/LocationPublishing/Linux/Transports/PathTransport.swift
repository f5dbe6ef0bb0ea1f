import Glibc
import LocwatchPlatform

/// An entry at a path that other programs read.
protocol PathOutput: AnyObject {
    /// A descriptor that is readable when `step` has work, or −1.
    var descriptor: Int32 { get }
    /// The time at which `step` is called if the descriptor is not ready before.
    var deadline: Duration? { get }
    /// Makes the entry, or takes over that of a process of this user that was killed; does nothing if there is a claim.
    func claim() throws(SystemFailure)
    /// Hands a record to the programs that read now, and to none later.
    func write(_ datagrams: [[UInt8]], at now: Duration) throws(SystemFailure)
    func step(at now: Duration)
    /// Removes the entry if it is still the claimed one, as the end of the output does.
    func release()
}

extension PathOutput {
    var descriptor: Int32 { -1 }
    var deadline: Duration? { nil }
    func step(at now: Duration) {}
}

/// The transport of records to programs that open a path of this machine.
///
/// There are no acknowledgements, as with datagrams: a record counts as taken when it was handed to the programs that read, even
/// if there are none. The path is claimed by the initializer, and released at the end.
final class PathTransport: DeliveryTransport {
    private let output: any PathOutput
    private let target: any StreamTarget
    private var isOpen = false
    private var events: [DeliveryEvent] = []

    init(_ output: any PathOutput, _ target: any StreamTarget) throws(SystemFailure) {
        self.output = output
        self.target = target
        try output.claim()
    }

    var room: Int { isOpen ? 100 : 0 }

    var poll: (descriptor: Int32, events: Int16) { (output.descriptor, Int16(POLLIN)) }

    var deadline: Duration? { events.isEmpty ? output.deadline : .zero }

    func open(at now: Duration) {
        do throws(SystemFailure) {
            try output.claim()
            isOpen = true
            events.append(.opened(isAccepted: false))
        } catch {
            fail(error)
        }
    }

    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        var decisions = StreamDecisions()
        do throws(SystemFailure) {
            for record in records {
                let datagrams = decisions.datagrams(for: record, by: target)
                if !datagrams.isEmpty { try output.write(datagrams, at: now) }
            }
            events += decisions.events
        } catch {
            fail(error)
        }
    }

    func close(at now: Duration) {
        isOpen = false
        output.release()
        events.append(.closed)
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        output.step(at: now)
        exchange(&events, with: []).forEach(emit)
    }

    private func fail(_ failure: SystemFailure) {
        isOpen = false
        output.release()
        events.append(.failed(cause: failure.description, isRefusal: false))
    }
}
