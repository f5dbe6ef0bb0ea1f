import Glibc
import LocationCore
import LocationGPSD
import LocwatchPlatform

/// What a command runs in: its environment, its streams, its clock, and how it reaches sources and the machine.
///
/// The program has one of its own. A test replaces any part, and so runs a command in memory over a scripted source.
struct CommandContext {
    /// Opens the source that a word names.
    typealias Opener = (SourceWord, Settings, SessionOptions) throws(LocationError) -> any LocationProvider

    var environment: [String: String]
    var console: Console
    /// The program's clock.
    var clock: SessionClock
    /// Happens when a signal has come, or when a thread wants the session loop to look at something.
    var signals: Event
    /// Ends the program by a signal.
    var die: (Int32) -> Void
    /// The zone of the times that people read.
    var localTime: LocalTime
    /// What the checks of `doctor` ask about the machine.
    var machine: any MachineView
    var open: Opener

    /// The context of the program.
    init(environment: [String: String]) throws(SystemFailure) {
        self.environment = environment
        console = Console(environment: environment)
        clock = .system()
        signals = try Event()
        die = { CaughtSignals.die(of: $0) }
        localTime = .system
        machine = ThisMachine()
        open = { (word, settings, options) throws(LocationError) in try word.source.open(settings, options) }
    }

    /// The characters that the locale can show.
    var glyphs: Glyphs { Glyphs(environment: environment) }

    /// Whether standard output is to be in colour.
    func usesColor(_ settings: Settings) -> Bool {
        settings.color.isColored(isTerminal: console.outputIsTerminal, environment: environment)
    }

    /// How text for people is to look.
    func style(_ settings: Settings) -> TextStyle {
        TextStyle(
            degrees: settings.degrees, units: settings.units, precision: settings.precision,
            usesColor: usesColor(settings), glyphs: glyphs, columns: console.outputColumns)
    }

    /// The zone of the times that people read, which is UTC if they ask for it.
    func localTime(_ settings: Settings) -> LocalTime { settings.usesUTC ? .utc : localTime }

    /// The printer for the settings.
    func printer(_ settings: Settings) -> any EventPrinter {
        settings.printer(style(settings), localTime: localTime(settings))
    }
}
