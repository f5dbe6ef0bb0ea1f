import CCurl
import Glibc
import LocwatchPlatform
import LocwatchSupport

/// The thread of a session: it starts the transfers, drives them, and hands over their results.
///
/// Only the thread uses the transfers. Other threads put requests and cancellations into the inbox and wake the thread's wait.
final class CurlLoop: Sendable {
    typealias Outcome = Result<HTTPResponse, HTTPError>
    typealias Completion = @Sendable (Outcome) -> Void

    /// The longest wait in milliseconds: libcurl shortens it to its own deadlines, and the inbox ends it.
    private static let waitLimit: Int32 = 3_600_000
    /// The number of connections that are kept for later requests.
    private static let idleConnectionLimit = 8

    private struct Inbox {
        var lastNumber = 0
        var requests: [(number: Int, request: HTTPRequest)] = []
        var cancelled: [Int] = []
        /// The receivers of the outcomes that are awaited, by the number of the request.
        var waiting: [Int: Completion] = [:]
        var isStopped = false
    }

    private let library: CurlLibrary
    private let options: CurlHTTPSession.Options
    /// libcurl's set of transfers.
    ///
    /// Unsafe: only the thread uses it, except for `wake`; libcurl allows that from any thread, and the loop makes sure that none
    /// comes after the set is cleaned up.
    nonisolated(unsafe) private let multi: UnsafeMutableRawPointer
    private let inbox = Lock(Inbox())
    private let thread = Lock<NativeThread?>(nil)

    init(_ library: CurlLibrary, _ options: CurlHTTPSession.Options) throws(HTTPError) {
        self.library = library
        self.options = options
        guard let multi = library.functions.curl_multi_init() else { throw .other(cause: "libcurl has no memory") }
        self.multi = multi
        _ = locwatch_curl_multi_setopt_long(library.table, multi, CURLMOPT_MAXCONNECTS, Self.idleConnectionLimit)
        do throws(SystemFailure) {
            let thread = try NativeThread { [self] in run() }
            self.thread.withLock { $0 = thread }
        } catch {
            _ = library.functions.curl_multi_cleanup(multi)
            throw .other(cause: "\(error)")
        }
    }

    /// Ends the thread and all transfers, and waits for that.
    func stop() {
        thread.withLock { $0.take() }?.join {
            inbox.withLock { inbox in
                inbox.isStopped = true
                wake()
            }
        }
    }

    /// Sends a request and waits for its outcome; a cancellation is an outcome at once.
    func response(to request: HTTPRequest) async -> Outcome {
        let number = nextNumber()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(request, number) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            cancel(number)
        }
    }

    func nextNumber() -> Int {
        inbox.withLock { inbox in
            inbox.lastNumber += 1
            return inbox.lastNumber
        }
    }

    /// Starts to send a request; `completion` receives the outcome on the thread of the loop or of a cancellation.
    func start(_ request: HTTPRequest, _ number: Int, _ completion: @escaping Completion) {
        let isCancelled = inbox.withLock { inbox in
            // A task that was cancelled before it waited has called `cancel`, which has found nothing.
            if inbox.isStopped || Task.isCancelled { return true }
            inbox.waiting[number] = completion
            inbox.requests.append((number, request))
            wake()
            return false
        }
        if isCancelled { completion(.failure(.cancelled)) }
    }

    func cancel(_ number: Int) {
        let completion = inbox.withLock { inbox -> Completion? in
            guard !inbox.isStopped, let completion = inbox.waiting.removeValue(forKey: number) else { return nil }
            inbox.cancelled.append(number)
            wake()
            return completion
        }
        // Before the thread has closed the connection, which can take it as long as a name server does.
        completion?(.failure(.cancelled))
    }

    /// Ends the current wait of the thread, or the next one.
    private func wake() { _ = library.functions.curl_multi_wakeup(multi) }

    // MARK: The thread

    private func run() {
        let sockets = CurlSockets()
        defer { withExtendedLifetime(sockets) {} }
        var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
        var (running, code) = (Int32(0), CURLE_OK)
        while true {
            let (requests, cancelled, isStopped) = inbox.withLock { inbox in
                defer { (inbox.requests, inbox.cancelled) = ([], []) }
                return (inbox.requests, inbox.cancelled, inbox.isStopped)
            }
            if isStopped { break }
            for (number, request) in requests {
                do throws(HTTPError) {
                    let transfer = try CurlTransfer(library, number, request, options, in: multi, over: sockets)
                    transfers[transfer.easy] = transfer
                } catch {
                    finish(number, .failure(error))
                }
            }
            for number in cancelled {
                let easy = transfers.values.first { $0.number == number }?.easy
                if let easy { transfers.removeValue(forKey: easy)?.end() }
            }
            _ = library.functions.curl_multi_perform(multi, &running)
            while let easy = locwatch_curl_multi_next_ended(library.table, multi, &code) {
                guard let transfer = transfers.removeValue(forKey: easy) else { continue }
                let outcome = transfer.outcome(code)
                transfer.end()
                sockets.noteEnd()
                finish(transfer.number, outcome)
            }
            sockets.check(limit: transfers.values.map(\.byteLimit).max() ?? 0)
            // Without a wait, such as without memory for it, the loop would take a whole processor.
            if library.functions.curl_multi_poll(multi, nil, 0, Self.waitLimit, nil) != CURLM_OK { usleep(10_000) }
        }
        for transfer in transfers.values { transfer.end() }
        _ = library.functions.curl_multi_cleanup(multi)
        let waiting = inbox.withLock { exchange(&$0.waiting, with: [:]) }
        for completion in waiting.values { completion(.failure(.cancelled)) }
    }

    private func finish(_ number: Int, _ outcome: Outcome) {
        inbox.withLock { $0.waiting.removeValue(forKey: number) }?(outcome)
    }
}
