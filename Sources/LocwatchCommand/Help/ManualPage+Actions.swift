import LocwatchArguments
import LocwatchPrinting
import LocwatchSession

extension ManualPage {
    /// Appends the sections about hooks, status bars and services.
    static func actions(_ page: inout Roff) {
        hooks(&page)
        bars(&page)
        services(&page)
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
            "NAME is that of a --fence; without it the hook runs for every fence. /bin/sh runs the command line as it is. Data of the event never become a part "
                + "of it: the command reads the event as a line of JSON from standard input, and finds these variables in its "
                + "environment, in place of all others that begin with LOCWATCH_:")
        page.terms(HookEvent.variables)
        page.paragraph()
        page.text(
            "They are safe within double quotes, as in --on 'lost=notify-send \"$LOCWATCH_EVENT_REASON\"'.")
        page.paragraph()
        page.text(
            "Hooks run one at a time, in the order of their events, and the session goes on meanwhile. While an event waits, "
                + "a newer one of the same hook, fence and device takes its place; at most \(HookQueue.limit) wait. A hook that "
                + "runs longer than 30 seconds, or than the time after its event, as in every/5m=COMMAND, gets SIGTERM, and SIGKILL a second later. What a hook has left running ends "
                + "with it, unless it has a session of its own (setsid) or is a service (systemd-run). The first failure of "
                + "each hook is reported on standard error, and the number of failures at the end; no failure ends "
                + "locwatch. The output of hooks, \(HookOutput.limit / 1024) KiB of each run, goes to standard error too, or "
                + "nowhere with --quiet.")
        page.paragraph()
        page.text(
            "At the end of a session locwatch waits for the hooks of its last events, except after a signal: then, and "
                + "however else locwatch ends, the running hook ends with it. A recording runs hooks only at a pace that is given, as in --pace recorded."
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
                + "position. --units applies. With once, the line is the first position or the reason why there is "
                + "none. The configurations are:")
        for bar in StatusBar.all {
            page.term(Roff.bold(bar.name))
            page.text("As \(bar.meaning):")
            page.display(bar.configuration)
        }
    }

    private static func services(_ page: inout Roff) {
        page.section("SERVICES")
        page.text(
            "The Debian package has two services, neither of which is enabled. locwatch-publish@NAME publishes by "
                + "/etc/locwatch/NAME.conf, with the password in /etc/locwatch/NAME.password, if there is one; root alone needs "
                + "to read both. --check shows the configuration with the queue, the password and the user of the service, "
                + "and which files the service cannot read:")
        page.example(
            """
            cp /usr/share/doc/locwatch/examples/publish.conf.example /etc/locwatch/boat.conf
            editor /etc/locwatch/boat.conf
            install -m 600 /dev/stdin /etc/locwatch/boat.password
            locwatch publish --config /etc/locwatch/boat.conf --check
            systemctl enable --now locwatch-publish@boat
            """)
        page.text(
            "The third line reads the password from the terminal, up to Ctrl-D. Without its configuration the service does not start: "
                + "its condition has failed. locwatch-web needs no configuration; /etc/locwatch/web.conf can name its options, and "
                + "/etc/locwatch/web.token contains its token:")
        page.example(
            """
            (umask 077; head -c 24 /dev/urandom | base64 >/etc/locwatch/web.token)
            systemctl enable --now locwatch-web
            """)
        page.text(
            "Both run as users of their own, which exist while they run. journalctl -u 'locwatch-*' shows what they say, with "
                + "errors and warnings by their priority. After an upgrade of the package they are restarted; its removal stops and "
                + "disables them, and apt purge deletes their queues and /etc/locwatch.")
    }
}
