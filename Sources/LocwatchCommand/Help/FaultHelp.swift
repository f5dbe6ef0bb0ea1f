import GPSDSimulation
import LocwatchTerminal

/// The faults, the script and the words of `control`, as the help and the manual page describe them.
enum FaultHelp {
    static let introduction =
        "locwatch serve stands in for gpsd in tests of programs that read it, in any language. A simulated receiver is generated "
        + "without a gpsd as soon as one of --fault, --script, --control, --pace manual or --pty is given; the same seeds and the same "
        + "script give the same bytes. A recording, a track and a live source take the faults too."

    static let faults: [(term: String, meaning: String)] = StandInWord.faults.map { ($0.usage, $0.meaning) }

    static let rule =
        "NAME=VALUE@TIME/EVERY~SEED: the fault begins at TIME, again each EVERY, or with a SEED at random times with the mean "
        + "distance EVERY (default 10s). A fault of a line or a connection happens once each time; one with a DURATION lasts that long, "
        + "and the others last until the word clear. Times count from the first client that watches; with --pace manual or --pty "
        + "from the start."

    static let script =
        "A script has one step on each line, 'at TIME WORD ARGUMENTS', such as 'at 20s jump 3km' or 'at 30s fault "
        + "garbage=20/5s~7'. Empty lines and those that begin with # are comments; a line without a time is performed at the "
        + "start. It has at most 100,000 lines. A step that cannot be parsed is named with its line and column, and the exit code is 64."

    static let words: [(term: String, meaning: String)] = StandInWord.all.map {
        ($0.usage, $0.meaning + ($0.isForScripts ? "" : " (not in a script)"))
    }

    static let control =
        "With --control PATH a Unix socket takes a line of words, or a JSON object with the words as its member do, and answers with "
        + "one line of JSON: ok, time, and error if it was refused. 'locwatch control PATH WORD...' does that in a shell; the exit "
        + "code is 0, 64 for unknown words, or 65 with the reason. Times of its words count from when they were sent. Only its own "
        + "user can connect, 16 programs at a time."

    /// Returns the text of `locwatch help faults`.
    static func text(width: Int) -> String {
        var lines = Paragraph.lines("locwatch serve: faults, scripts and control for tests", width: width) + [""]
        lines += Paragraph.lines(introduction, width: width) + ["", "Faults:"]
        lines += Paragraph.table(faults, column: 22, width: width)
        lines += [""] + Paragraph.lines(rule, width: width)
        lines += ["", "Words of a script and of control:"]
        lines += Paragraph.table(words, column: 30, width: width)
        for paragraph in [script, control] { lines += [""] + Paragraph.lines(paragraph, width: width) }
        return lines.joined(separator: "\n") + "\n"
    }
}
