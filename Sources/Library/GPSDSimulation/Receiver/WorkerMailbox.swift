import Glibc
import LocationCore
import LocwatchPlatform
import LocwatchSupport

/// A mailbox between a worker thread and its owners: requests go in one at a time, and progress comes out.
final class WorkerMailbox<Request: Sendable, Progress: Equatable & Sendable>: Sendable {
    private struct Content {
        var progress: Progress
        var request: Request?
        var isClosed = false
        var observers: [Int: Event] = [:]
        var observerCount = 0
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

    /// Lets the sender of the request continue.
    ///
    /// - Parameter closing: whether the worker ends, so that no further request is accepted.
    func complete(closing: Bool = false) {
        if closing { content.withLock { $0.isClosed = true } }
        requestCompleted.happen()
    }

    /// Changes the progress and wakes the threads that wait for it.
    func update(_ change: (inout Progress) -> Void) {
        content.withLock { content in
            guard !content.observers.isEmpty else { return change(&content.progress) }
            let before = content.progress
            change(&content.progress)
            guard content.progress != before else { return }
            for event in content.observers.values { event.happen() }
        }
    }

    /// Waits until the progress meets a condition; returns false if it did not within the time limit.
    func wait(within limit: Duration, until condition: (Progress) -> Bool) -> Bool {
        guard let event = try? Event() else { return false }
        let id = content.withLock { content in
            content.observerCount += 1
            content.observers[content.observerCount] = event
            return content.observerCount
        }
        defer { content.withLock { content in _ = content.observers.removeValue(forKey: id) } }
        let deadline = MonotonicTime.now + limit
        while !condition(progress) {
            let left = deadline - MonotonicTime.now
            guard left > .zero else { return false }
            var watched = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, left.wholeMilliseconds)
            event.clear()
        }
        return true
    }
}
