import LocwatchPlatform
import LocwatchSupport

/// A mailbox between a worker thread and its owners: requests go in one at a time, and progress comes out.
final class WorkerMailbox<Request: Sendable, Progress: Sendable>: Sendable {
    private struct Content {
        var progress: Progress
        var request: Request?
        var isClosed = false
    }

    /// An event that is set while a request is waiting; the worker polls it together with its other descriptors.
    let requestArrived: Event
    private let requestCompleted: Event
    /// Held while a request is pending, so that there is only one at a time.
    private let sending = Lock(())
    private let content: Lock<Content>

    init(_ progress: Progress) throws(SystemFailure) {
        requestArrived = try Event()
        requestCompleted = try Event()
        content = Lock(Content(progress: progress))
    }

    var progress: Progress { content.withLock { $0.progress } }

    /// Sends a request to the worker and waits until it is completed; returns false once the worker has ended.
    @discardableResult
    func send(_ request: Request) -> Bool {
        sending.withLock { _ in
            let isSent = content.withLock { content in
                if !content.isClosed { content.request = request }
                return !content.isClosed
            }
            guard isSent else { return false }
            requestArrived.happen()
            requestCompleted.wait()
            requestCompleted.clear()
            return true
        }
    }

    /// Removes and returns the pending request, which the worker must then complete.
    func nextRequest() -> Request? {
        requestArrived.clear()
        return content.withLock { content in
            defer { content.request = nil }
            return content.request
        }
    }

    /// Lets the sender of the request continue; a worker that ends accepts no further request.
    func complete(closing: Bool = false) {
        if closing { content.withLock { $0.isClosed = true } }
        requestCompleted.happen()
    }

    func update(_ change: (inout Progress) -> Void) { content.withLock { change(&$0.progress) } }
}
