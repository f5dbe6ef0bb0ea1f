import Glibc
package import LocationCore
import GPSDProtocol
package import LocwatchArguments
package import LocwatchPlatform
import LocwatchPrinting
package import LocwatchTerminal

/// The context of a command: its environment, streams and clock, and its access to sources and the machine.
///
/// A test replaces any part of it, and so runs a command in memory over a scripted source.
package struct CommandContext {
    /// A function that opens the source named by a word.
    package typealias Opener = (SourceWord, Settings, SessionOptions) throws(LocationError) -> any LocationProvider

    package var environment: [String: String]
    package var console: Console { didSet { narrator = Narrator(console, glyphs: glyphs, machine: machine) } }
    /// The voice of the program on standard error.
    package private(set) var narrator: Narrator
    package var clock: SessionClock
    /// The descriptor of standard input, for what is not the source.
    package var input: Int32 = STDIN_FILENO
    /// An event that happens when a signal has come, or when a thread needs the attention of the session loop.
    package var signals: Event
    package var die: (Int32) -> Void
    /// The time zone of displayed times.
    var localTime: LocalTime
    /// The view of the machine that the checks of `doctor` use.
    package var machine: any ExaminedMachine
    package var open: Opener
    /// Confines the program for good, and returns the parts of the confinement that hold; in tests nothing.
    package var confine: (Confinement) -> ConfinementParts = { _ in [] }
    /// Opens the terminal for whole screens, or returns `nil` if standard output is not one.
    package var openTerminal: (Console) -> (any ScreenTerminal)?

    package init(environment: [String: String], machine: any ExaminedMachine) throws(SystemFailure) {
        self.environment = environment
        console = Console(environment: environment)
        narrator = Narrator(console, glyphs: Glyphs(environment: environment), machine: machine)
        clock = .system()
        signals = try Event()
        die = { signal in
            Endings.waitAtExit()
            CaughtSignals.die(of: signal)
        }
        localTime = .system
        self.machine = machine
        openTerminal = { SystemTerminal($0) }
        open = { (word, settings, options) throws(LocationError) in try word.open(settings, options) }
    }

    /// The characters that the locale can show.
    package var glyphs: Glyphs { Glyphs(environment: environment) }
}
