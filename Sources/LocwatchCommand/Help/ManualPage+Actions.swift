import LocwatchArguments
import LocwatchPrinting
import LocwatchSession

extension ManualPage {
    /// Appends the sections about hooks and status bars.
    static func actions(_ page: inout Roff) {
        hooks(&page)
        bars(&page)
    }

    private static func hooks(_ page: inout Roff) {
        page.section("HOOKS")
        page.text("With --on EVENT=COMMAND locwatch runs a command when something happens. The events are:")
        for kind in HookTrigger.Kind.allCases {
            page.term(Roff.bold(kind.rawValue) + (kind.concernsFence ? "[:\(Roff.italic("NAME"))]" : ""))
            page.text(kind.meaning.sentence)
        }
        page.paragraph()
        page.text(
            "NAME is that of a --fence; without it the hook runs for every fence. The command line is separated into words "
                + "as by a shell, with quotes and backslashes but without any expansion, and the program runs without a "
                + "shell. With --on-shell, /bin/sh runs the command line as it is. Data of the event never become a part of "
                + "it: the command reads the event as a line of JSON from standard input, and finds these variables in its "
                + "environment, in place of all others that begin with LOCWATCH_:")
        for (term, meaning) in HookEvent.variables {
            page.term(Roff.bold(term))
            page.text(meaning.sentence)
        }
        page.paragraph()
        page.text(
            "In a shell they are safe within double quotes, as in --on-shell --on 'lost=notify-send \"$LOCWATCH_REASON\"'. "
                + "A hook that runs locwatch itself removes LOCWATCH_ACCURACY and LOCWATCH_DEVICE first, as with env -u, "
                + "because they are also options.")
        page.paragraph()
        page.text(
            "Hooks run one at a time, in the order of their events, and the session goes on meanwhile. While an event waits, "
                + "a newer one of the same hook, fence and device takes its place; at most \(HookQueue.limit) wait. A hook that "
                + "runs longer than --on-timeout gets SIGTERM, and SIGKILL a second later. What a hook has left running ends "
                + "with it, unless it has a session of its own (setsid) or is a service (systemd-run). The first failure of "
                + "each hook is reported on standard error, and the number of failures at the end; no failure ends "
                + "locwatch. The output of hooks, \(HookOutput.limit / 1024) KiB of each run, goes to standard error too, or "
                + "nowhere with --quiet.")
        page.paragraph()
        page.text(
            "At the end of a session locwatch waits for the hooks of its last events, except after a signal: then, and "
                + "however else locwatch ends, the running hook ends with it. A recording runs hooks only with --on-replay."
        )
    }

    private static func bars(_ page: inout Roff) {
        page.section("STATUS BARS")
        page.text(
            "With --format and the name of a bar, watch prints the state of the session in the form that the bar reads, "
                + "each time that the line changes: the position, or the fences that it is in, and the accuracy; or that there "
                + "is none, and why. Nothing in it can be markup or a format of the bar. The colour, or in Waybar the class for "
                + "its style sheet and the key for format-icons, follows the state:")
        for kind in BarStatus.Kind.allCases {
            page.term(Roff.bold(kind.rawValue))
            page.text(kind.meaning.sentence)
        }
        page.paragraph()
        page.text(
            "In Waybar a tooltip has what is seen: the fix, the satellites, the receiver, and after a loss the last "
                + "position. --units and --degrees apply. With once, the line is the first position or the reason why there is "
                + "none. The configurations are:")
        for bar in StatusBar.all {
            page.term(Roff.bold(bar.name))
            page.text("As \(bar.meaning):")
            page.display(bar.configuration)
        }
    }
}
