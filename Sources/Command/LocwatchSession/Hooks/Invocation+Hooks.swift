import LocationCore
package import LocwatchArguments
import LocwatchTerminal

extension Invocation {
    /// Checks that the fences of hooks exist.
    package func checkHooks() throws(UsageError) {
        for hook in settings.plan.hooks {
            let option = "--on \(hook.trigger.spelling.printable)"
            guard hook.trigger.kind.concernsFence, !source.namesSubjects else { continue }
            let names = settings.fences.map(\.name)
            if names.isEmpty { throw UsageError("\(option) needs a --fence", command: command) }
            guard let name = hook.trigger.fence, !names.contains(name) else { continue }
            let meant = Spelling.nearest(to: name, among: names).map { " (did you mean \($0.printable)?)" } ?? ""
            throw UsageError(
                "\(option): there is no fence of this name\(meant); --fence declares one", command: command)
        }
    }

    /// Checks that fences are given only together with hooks, for a command that does not report them.
    package func checkFencesAreForHooks() throws(UsageError) {
        guard !settings.fences.isEmpty, settings.plan.hooks.isEmpty else { return }
        throw UsageError(
            "\(command.rawValue) takes --fence only for hooks, as in '--on enter:NAME=COMMAND'", command: command)
    }
}
