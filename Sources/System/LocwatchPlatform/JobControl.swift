import CLocwatchPlatform
import Glibc

/// The place of this process among the jobs of the shell at its terminal, which Ctrl-Z, `fg` and `bg` change.
package struct JobControl: Sendable {
    private let terminal: Int32
    private let group = getpgrp()

    /// Begins to count how often the process is continued after it was stopped.
    package init(of terminal: Int32) {
        self.terminal = terminal
        locwatch_count_resumptions()
    }

    /// A number that changes when the process is continued, because the shell has moved the cursor of the terminal since; `nil` in the
    /// background, where the terminal is that of another job.
    package var turn: Int? {
        // The call fails for a terminal other than that of the session, which has no jobs here.
        let foreground = tcgetpgrp(terminal)
        return foreground < 0 || foreground == group ? Int(locwatch_resumptions()) : nil
    }
}
