import LocationCore
import LocwatchArguments
import LocwatchTerminal

/// A printer of the state of a session for a bar, which prints a line only when it differs from the last one.
///
/// Of what arrives together it prints only the newest state, because i3blocks reads one line for each write, and would
/// remain behind by the others.
struct StatusBarPrinter: EventPrinter {
    let bar: StatusBar
    private var model: BarModel
    private var last = ""
    /// Whether only a position or the reason for its absence is printed.
    private var isSingleLine = false
    /// Whether the state may differ from the last line.
    private var isPending = false

    init(bar: StatusBar, style: TextStyle, localTime: LocalTime) {
        self.bar = bar
        model = BarModel(style: style, localTime: localTime)
    }

    mutating func start(_ start: SessionStart, into out: inout TextBuffer) {
        isSingleLine = start.isSingleLine
        out.put(bar.frame.begin)
        isPending = !isSingleLine
    }

    mutating func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer) {
        model.process(update, view)
        if !isSingleLine || update.position != nil { isPending = true }
    }

    mutating func print(
        _ failure: LocationError, advice: String?, retry: Duration?, at moment: Moment, into out: inout TextBuffer
    ) {
        model.process(failure)
        isPending = true
    }

    mutating func end(_ end: SessionEnd, into out: inout TextBuffer) {
        printPending(into: &out)
        out.put(bar.frame.end)
    }

    // i3blocks 1.4 reads one line for each write, so what arrives together makes one line.
    mutating func printPending(into out: inout TextBuffer) {
        guard isPending else { return }
        isPending = false
        let line = bar.line(model.barStatus)
        guard line != last else { return }
        if !last.isEmpty { out.put(bar.frame.separator) }
        out.put(line)
        last = line
    }
}
