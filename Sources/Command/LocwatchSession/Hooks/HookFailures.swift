import LocwatchArguments
import LocwatchPlatform
import LocwatchTerminal

/// The failures of hooks, of which the first of each hook is reported, and the others are counted.
struct HookFailures: Hashable, Sendable {
    private struct Count: Hashable {
        var runs = 0
        var failures = 0
    }

    private let names: [String]
    private var counts: [Count]

    init(_ hooks: [Hook]) {
        names = hooks.map { "on \($0.trigger.spelling.printable)" }
        counts = Array(repeating: Count(), count: hooks.count)
    }

    func name(of hook: Int) -> String { names[hook] }

    /// Records a run; returns the message about its failure unless one of the hook was reported before.
    mutating func note(_ hook: Int, failure: String?) -> String? {
        counts[hook].runs += 1
        guard let failure else { return nil }
        counts[hook].failures += 1
        return counts[hook].failures == 1 ? "\(names[hook]): \(failure)" : nil
    }

    /// The messages at the end of the session, about the hooks that have failed more than once.
    var summary: [String] {
        zip(names, counts).compactMap { name, count in
            guard count.failures > 1 else { return nil }
            return "\(name): failed \(count.failures) of \(count.runs) times"
        }
    }
}

extension ChildProcess.Ending {
    /// The failure of a hook that ended like this, or `nil` if it succeeded.
    var hookFailure: String? {
        switch self {
        case .exited(0): nil
        case .exited(let code): "exit code \(code)"
        case .signalled(let signal): "ended by signal \(signal)"
        case .unknown: "ended for an unknown reason"
        }
    }
}
