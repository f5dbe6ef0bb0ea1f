import Glibc
import LocationCore
import Platform
import Synchronization

/// Where a thread takes requests, one at a time, and lays out what it has done.
final class ThreadDesk<Request: Sendable, Progress: Equatable & Sendable>: Sendable {
    private struct Content {
        var progress: Progress
        var asked: Request?
        var isOver = false
        var waiting: [Int: Event] = [:]
        var waiterCount = 0
    }

    /// Happens when there is something to do.
    let wakeUp: Event
    private let answered: Event
    /// Held by the one whose request is under way.
    private let asking = Mutex(())
    private let content: Mutex<Content>

    init(_ progress: Progress) throws(SystemFailure) {
        wakeUp = try Event()
        answered = try Event()
        content = Mutex(Content(progress: progress))
    }

    var progress: Progress { content.withLock { $0.progress } }

    /// Has the thread do something, and waits until it has.
    func ask(_ request: Request) {
        asking.withLock { _ in
            let isAsked = content.withLock { content in
                if !content.isOver { content.asked = request }
                return !content.isOver
            }
            guard isAsked else { return }
            wakeUp.happen()
            answered.wait()
            answered.clear()
        }
    }

    /// What was asked for since the last call; to be followed by `answer(isOver:)`.
    func takeRequest() -> Request? {
        wakeUp.clear()
        return content.withLock { content in
            defer { content.asked = nil }
            return content.asked
        }
    }

    /// Lets the one who asked go on; nobody is served any more when it `isOver`.
    func answer(isOver: Bool = false) {
        if isOver { content.withLock { $0.isOver = true } }
        answered.happen()
    }

    /// Takes note of what was done.
    func note(_ change: (inout Progress) -> Void) {
        content.withLock { content in
            guard !content.waiting.isEmpty else { return change(&content.progress) }
            let before = content.progress
            change(&content.progress)
            guard content.progress != before else { return }
            for event in content.waiting.values { event.happen() }
        }
    }

    func wait(within limit: Duration, until isSo: (Progress) -> Bool) -> Bool {
        guard let event = try? Event() else { return false }
        let place = content.withLock { content in
            content.waiterCount += 1
            content.waiting[content.waiterCount] = event
            return content.waiterCount
        }
        defer { content.withLock { content in _ = content.waiting.removeValue(forKey: place) } }
        let deadline = MonotonicTime.now + limit
        while !isSo(progress) {
            let left = deadline - MonotonicTime.now
            guard left > .zero else { return false }
            var watched = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&watched, 1, left.wholeMilliseconds)
            event.clear()
        }
        return true
    }
}
