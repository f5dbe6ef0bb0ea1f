import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The transport of records to an HTTP server, one request at a time.
///
/// The session has a thread of its own, and signals an event when a response has come.
final class HTTPTransport: DeliveryTransport {
    typealias Outcome = Result<HTTPResponse, HTTPError>
    /// A function that starts to send a request, and returns one that cancels it; its last argument is called once, on any thread.
    typealias Start = (HTTPRequest, @escaping @Sendable (Outcome) -> Void) -> @Sendable () -> Void

    private let start: Start
    private var target: HTTPTarget
    private let limits: HTTPLimits
    private let arrival: Event
    /// The place where the session leaves the outcome of a request.
    private let inbox = Inbox()
    private var isOpen = false
    private var isClosing = false
    private var numbers: [UInt64] = []
    private var isInFlight = false
    private var cancel: (@Sendable () -> Void)?
    private var events: [DeliveryEvent] = []

    private final class Inbox: Sendable {
        let outcome = Lock<Outcome?>(nil)
    }

    init(
        _ target: HTTPTarget, limits: HTTPLimits = HTTPLimits(), start: @escaping Start
    ) throws(HTTPError) {
        self.start = start
        self.target = target
        self.limits = limits
        do throws(SystemFailure) { arrival = try Event() } catch { throw .other(cause: "\(error)") }
    }

    deinit { cancel?() }

    /// The number of records that fit into a request, while none is in flight.
    var room: Int { isOpen && !isInFlight && !isClosing ? target.batchSize : 0 }

    var poll: (descriptor: Int32, events: Int16) { (arrival.descriptor, Int16(POLLIN)) }

    /// Only an event that waits to be emitted is due; the session applies the limits of a request.
    var deadline: Duration? { events.isEmpty ? nil : .zero }

    /// Opens the transport at once, because each request is its own connection.
    func open(at now: Duration) {
        isOpen = true
        events.append(.opened(isAccepted: false))
    }

    /// Sends records in one request, and omits those for which the target needs none.
    func send(_ records: [QueuedRecord], isOld: Bool, at now: Duration) {
        let sent = records.filter { target.admits($0.record) }
        let request = target.request(for: sent.map(\.record))
        numbers = request == nil ? [] : sent.map(\.number)
        let omitted = records.map(\.number).filter { !numbers.contains($0) }
        if !omitted.isEmpty { events.append(.decided(.omitted, numbers: omitted)) }
        guard var request else { return }
        request.limits = limits
        do throws(HTTPError) {
            try request.validate()
            isInFlight = true
            cancel = start(request) { [inbox, arrival] outcome in
                inbox.outcome.withLock { $0 = outcome }
                arrival.happen()
            }
        } catch {
            fail(error)
        }
    }

    /// Ends the transport after the response that is awaited, if there is one.
    func close(at now: Duration) {
        isClosing = true
        if !isInFlight { events.append(.closed) }
    }

    func step(at now: Duration, _ emit: (DeliveryEvent) -> Void) {
        arrival.clear()
        if let arrived = inbox.outcome.withLock({ $0.take() }) {
            isInFlight = false
            process(arrived)
            if isClosing { events.append(.closed) }
        }
        exchange(&events, with: []).forEach(emit)
    }

    private func process(_ outcome: Outcome) {
        do throws(HTTPError) {
            // A redirect is an error: the success of another page would lose the record.
            let response = try outcome.get().checked(by: limits)
            events.append(.decided(target.verdict(on: response), numbers: numbers))
        } catch {
            fail(error)
        }
    }

    private func fail(_ error: HTTPError) {
        isOpen = false
        if error.isBeforeRequest { events.append(.unsent) }
        let isRefusal =
            switch error {
            case .tls, .redirected: true
            default: false
            }
        events.append(.failed(cause: "\(error)", isRefusal: isRefusal))
    }
}

extension HTTPError {
    /// Whether nothing of the request can have reached the server.
    fileprivate var isBeforeRequest: Bool {
        switch self {
        case .invalidURL, .invalidHeader, .unexpectedBody, .unresolvable, .unreachable, .tls, .connectionTimeout,
            .libraryMissing:
            true
        case .timeout, .connectionLost, .malformedResponse, .headersTooLarge, .tooLarge, .redirected, .status,
            .cancelled, .other:
            false
        }
    }
}
