import LocwatchSupport

/// The requests of a client about a receiver that its session observes, for a source whose daemon can write to it.
///
/// A client puts requests in while it processes updates, and the session sends them with its next step. What becomes of them
/// shows in the updates: gpsd answers with the state of the device, whether it has done anything or not.
package final class ReceiverControl: Sendable {
    /// A request about one device, by its name in the updates.
    package enum Request: Hashable, Sendable {
        /// Set the time between two reports.
        case setCycle(Duration)
        /// Write bytes to the receiver.
        case write([UInt8])
        /// Report the state of the device.
        case reportState
        /// Count the bytes that arrive from the device within a time.
        case countBytes(within: Duration)
    }

    private struct State {
        var requests: [(request: Request, device: String)] = []
        var count: Int?
    }

    private let state = Lock(State())

    package init() {}

    package func send(_ request: Request, to device: String) {
        state.withLock { $0.requests.append((request, device)) }
    }

    package var hasRequests: Bool { state.withLock { !$0.requests.isEmpty } }

    /// Returns and removes the requests, in their order.
    package func takeRequests() -> [(request: Request, device: String)] {
        state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// The number of bytes that were counted last, or `nil` until then.
    package var byteCount: Int? {
        get { state.withLock { $0.count } }
        set { state.withLock { $0.count = newValue } }
    }
}

/// Each control is that of one session.
extension ReceiverControl: Hashable {
    package static func == (left: ReceiverControl, right: ReceiverControl) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
