import TestSupport
import Testing

@testable import LocwatchArguments
@testable import LocwatchSession

@Suite struct HookQueueTests {
    private let hooks = [
        Hook(trigger: HookTrigger(.found), command: "on"), Hook(trigger: HookTrigger(.lost), command: "off"),
        Hook(trigger: HookTrigger(.enter, fence: "home"), command: "home"),
        Hook(trigger: HookTrigger(.enter), command: "any"), Hook(trigger: HookTrigger(.found), command: "again"),
    ]

    private var queue = HookQueue()

    private mutating func add(
        _ kind: HookTrigger.TriggerKind, fence: String? = nil, device: String? = nil, _ reason: String? = nil
    ) {
        var event = HookEvent(kind)
        (event.fence, event.device, event.reason) = (fence, device, reason)
        queue.add(event, for: hooks)
    }

    private mutating func drain() -> [String] {
        var names: [String] = []
        while let entry = queue.next(running: []) {
            names.append(hooks[entry.hook].command + (entry.event.reason.map { " \($0)" } ?? ""))
        }
        return names
    }

    @Test mutating func `an event waits for each of its hooks, in the order of the options`() {
        add(.found)
        for fence in ["home", "work"] { add(.enter, fence: fence) }
        add(.exit, fence: "home")
        #expect(drain() == ["on", "again", "home", "any", "any"])
    }

    @Test mutating func `the newest event replaces an older one of its kind and waits at the end`() {
        func fill(_ tests: inout Self) {
            for number in 1...3 {
                for kind in [.found, .lost] as [HookTrigger.TriggerKind] { tests.add(kind, "\(number)") }
            }
        }
        fill(&self)
        #expect(drain() == ["on 3", "again 3", "off 3"])
        fill(&self)
        add(.found, "4")
        #expect(drain() == ["off 3", "on 4", "again 4"], "what runs last is what happened last")
    }

    @Test mutating func `events of other fences and devices are kept`() {
        for device in ["a", "b", "a"] { add(.found, device: device, device) }
        for fence in ["x", "y", "x"] { add(.enter, fence: fence, fence) }
        #expect(drain() == ["on b", "again b", "on a", "again a", "any y", "any x"])
    }

    @Test mutating func `the queue of each hook is bounded, and drops its oldest event and no other hook's`() {
        add(.lost, "first")
        for number in 0..<5_000 { add(.found, device: "\(number)", "\(number)") }
        #expect(queue.count == 2 * HookQueue.limit + 1)
        #expect(queue.dropped == 10_000 - 2 * HookQueue.limit)
        let drained = drain()
        #expect(drained.first == "off first" && drained.last == "again 4999")
    }

    @Test mutating func `a hook that runs holds its own events back, in order, and no other hook's`() {
        for device in ["a", "b"] { add(.found, device: device, device) }
        add(.lost, "c")
        func next(_ running: [Int], _ tests: inout Self) -> String? {
            tests.queue.next(running: running).map { "\(tests.hooks[$0.hook].command) \($0.event.reason ?? "")" }
        }
        // The first hook runs.
        #expect([next([0], &self), next([0, 4], &self), next([0, 4, 1], &self)] == ["again a", "off c", nil])
        #expect([next([], &self), next([], &self), next([], &self)] == ["on a", "on b", "again b"])
    }

    @Test mutating func `the number of hooks that run at once is bounded`() {
        add(.lost)
        #expect(queue.next(running: (100..<100 + HookQueue.mostRunning)) == nil)
        #expect(queue.next(running: (100..<99 + HookQueue.mostRunning))?.hook == 1)
    }
}
