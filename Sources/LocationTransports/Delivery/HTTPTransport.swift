import Glibc
public import LocationPublishing
import LocwatchPlatform
import LocwatchSupport

/// The transport of records to an HTTP server, one request at a time.
///
/// The session sends the requests in tasks of its own; an event wakes the transport when a response has come.
public final class HTTPTransport: DeliveryTransport {
    private enum Outcome {
        case response(HTTPResponse)
        case failure(HTTPError)
    }

    /// The place where the task of a request leaves its outcome.
    private final class Inbox: Sendable {
        private let outcome = Lock<Outcome?>(nil)

        func put(_ new: Outcome) { outcome.withLock { $0 = new } }

        func pop() -> Outcome? {
            outcome.withLock { outcome in
                defer { outcome = nil }
                return outcome
            }
        }
    }

    private let session: any HTTPSession
    private var target: any HTTPTarget
    private let limits: HTTPLimits
    private let arrival: Event
    private let inbox = Inbox()
    private var isOpen = false
    private var isClosing = false
    private var numbers: [UInt64] = []
    private var request: Task<Void, Never>?
    private var events: [DeliveryEvent] = []

    /// Creates a transport; every request is sent by `session`.
    public init(
        _ session: any HTTPSession, _ target: any HTTPTarget, limits: HTTPLimits = HTTPLimits()
    ) throws(HTTPError) {
        self.session = session
        self.target = target
        self.limits = limits
        do throws(SystemFailure) { arrival = try Event() } catch { throw .other(cause: "\(error)") }
    }

    deinit { request?.cancel() }

    /// The number of records that fit into a request, while none is in flight.
    public var room: Int { isOpen && request == nil && !isClosing ? target.batchSize : 0 }

    /// The event of a response.
    public var poll: (descriptor: Int32, events: Int16) { (arrival.descriptor, Int16(POLLIN)) }

    /// Only an event that waits to be emitted is due; the session applies the limits of a request.
    public var deadline: Duration? { events.isEmpty ? nil : .zero }

    /// Opens the transport at once, because each request is its own connection.
    public func open(at now: Duration) {
        isOpen = true
        events.append(.opened)
    }

    /// Sends records in one request; records for which the target sends nothing count as taken.
    public func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        numbers = records.map(\.number)
        guard var next = target.request(for: records.map(\.record)) else {
            events.append(.decided(.taken, numbers: numbers))
            return
        }
        next.limits = limits
        request = Task { [session, inbox, arrival, next] in
            let result: Outcome
            do throws(HTTPError) {
                result = .response(try await session.response(to: next))
            } catch {
                result = .failure(error)
            }
            inbox.put(result)
            arrival.happen()
        }
    }

    /// Ends the transport after the response that is awaited, if there is one.
    public func close(at now: Duration) {
        isClosing = true
        if request == nil { events.append(.closed) }
    }

    /// Emits the verdict on the records whose response has come.
    public func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        arrival.clear()
        if let result = inbox.pop() {
            request = nil
            events.append(event(for: result))
            if isClosing { events.append(.closed) }
        }
        let due = events
        events = []
        due.forEach(emit)
    }

    private func event(for outcome: Outcome) -> DeliveryEvent {
        switch outcome {
        case .response(let response): return .decided(target.verdict(on: response), numbers: numbers)
        case .failure(let error):
            isOpen = false
            let isRefusal = if case .tls = error { true } else { false }
            return .failed(cause: "\(error)", isRefusal: isRefusal)
        }
    }
}
