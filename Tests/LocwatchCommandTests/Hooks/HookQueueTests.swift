import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession

@Suite(.serialized, .alone) struct HookQueueTests {
    private let hooks = [
        Hook(trigger: HookTrigger(.found), command: "on"), Hook(trigger: HookTrigger(.lost), command: "off"),
        Hook(trigger: HookTrigger(.enter, fence: "home"), command: "home"),
        Hook(trigger: HookTrigger(.enter), command: "any"), Hook(trigger: HookTrigger(.found), command: "again"),
    ]

    private func event(
        _ kind: HookTrigger.Kind, fence: String? = nil, device: String? = nil, reason: String? = nil
    ) -> HookEvent {
        var event = HookEvent(kind)
        (event.fence, event.device, event.reason) = (fence, device, reason)
        return event
    }

    private func drained(_ queue: HookQueue) -> [String] {
        var queue = queue
        var names: [String] = []
        while let entry = queue.next() {
            names.append(hooks[entry.hook].command + (entry.event.reason.map { " \($0)" } ?? ""))
        }
        return names
    }

    @Test func `an event waits for each of its hooks, in the order of the options`() {
        var queue = HookQueue()
        queue.add(event(.found), for: hooks)
        queue.add(event(.enter, fence: "home"), for: hooks)
        queue.add(event(.enter, fence: "work"), for: hooks)
        queue.add(event(.exit, fence: "home"), for: hooks)
        #expect(drained(queue) == ["on", "again", "home", "any", "any"])
    }

    @Test func `the newest event replaces an older one of its kind and waits at the end`() {
        var queue = HookQueue()
        for number in 1...3 {
            queue.add(event(.found, reason: "\(number)"), for: hooks)
            queue.add(event(.lost, reason: "\(number)"), for: hooks)
        }
        #expect(drained(queue) == ["on 3", "again 3", "off 3"])
        queue.add(event(.found, reason: "4"), for: hooks)
        #expect(drained(queue) == ["off 3", "on 4", "again 4"], "what runs last is what happened last")
    }

    @Test func `events of other fences and devices are kept`() {
        var queue = HookQueue()
        for device in ["a", "b", "a"] { queue.add(event(.found, device: device, reason: device), for: [hooks[0]]) }
        for fence in ["x", "y", "x"] { queue.add(event(.enter, fence: fence, reason: fence), for: [hooks[3]]) }
        #expect(queue.count == 4)
    }

    @Test func `the queue is bounded, and drops the oldest event`() {
        var queue = HookQueue()
        for number in 0..<10_000 { queue.add(event(.found, device: "\(number)", reason: "\(number)"), for: [hooks[0]]) }
        #expect(queue.count == HookQueue.limit)
        #expect(queue.dropped == 10_000 - HookQueue.limit)
        #expect(drained(queue).last == "on 9999")
    }
}
