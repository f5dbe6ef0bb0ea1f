import GPSDReports
import Glibc
import LocationCore
import LocwatchPlatform

/// The context of a command: its environment, streams and clock, and its access to sources and the machine.
///
/// A test replaces any part of it, and so runs a command in memory over a scripted source.
struct CommandContext {
    /// A function that opens the source named by a word.
    typealias Opener = (SourceWord, Settings, SessionOptions) throws(LocationError) -> any LocationProvider

    var environment: [String: String]
    var console: Console
    /// The program's clock.
    var clock: SessionClock
    /// An event that happens when a signal has come, or when a thread needs the attention of the session loop.
    var signals: Event
    /// Ends the program by a signal.
    var die: (Int32) -> Void
    /// The time zone of displayed times.
    var localTime: LocalTime
    /// The view of the machine that the checks of `doctor` use.
    var machine: any MachineView
    var open: Opener
    /// Opens the terminal for whole screens, or returns `nil` if standard output is not one.
    var openTerminal: (Console) -> (any ScreenTerminal)?

    /// Creates the context of the program.
    init(environment: [String: String], machine: any MachineView) throws(SystemFailure) {
        self.environment = environment
        console = Console(environment: environment)
        clock = .system()
        signals = try Event()
        die = { CaughtSignals.die(of: $0) }
        localTime = .system
        self.machine = machine
        openTerminal = { SystemTerminal($0) }
        open = { (word, settings, options) throws(LocationError) in try word.source.open(settings, options) }
    }

    /// The characters that the locale can show.
    var glyphs: Glyphs { Glyphs(environment: environment) }

    /// Returns whether standard output is colored.
    func usesColor(_ settings: Settings) -> Bool {
        settings.color.isColored(isTerminal: console.outputIsTerminal, environment: environment)
    }

    /// Returns the style of text for users.
    func style(_ settings: Settings) -> TextStyle {
        TextStyle(
            degrees: settings.degrees, units: settings.units, precision: settings.precision,
            usesColor: usesColor(settings), glyphs: glyphs, columns: console.outputColumns)
    }

    /// Returns the time zone of displayed times, which is UTC if the settings ask for it.
    func localTime(_ settings: Settings) -> LocalTime { settings.usesUTC ? .utc : localTime }

    /// Returns the printer for the settings.
    func printer(_ settings: Settings) -> any EventPrinter {
        settings.printer(style(settings), localTime: localTime(settings))
    }
}
