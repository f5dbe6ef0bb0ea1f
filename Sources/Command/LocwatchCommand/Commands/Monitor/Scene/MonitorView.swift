import LocationCore
import LocwatchTerminal

/// The choices of the user about how a state is shown.
struct MonitorView: Sendable {
    enum SignalOrder: Hashable, Sendable, CaseIterable { case number, signal, elevation }

    /// The picture of the ground: the track of a receiver that moves and the scatter of another one, or one of them.
    enum Ground: Hashable, Sendable, CaseIterable {
        /// The one that suits, on screens with room for it.
        case automatic
        /// The one that suits, on any screen.
        case shown
        case track, scatter
    }

    var degrees = DegreeStyle.decimal
    var units = Units.metric
    var precision = Precision.decimals(7)
    var glyphs = MonitorGlyphs.braille
    var localTime = LocalTime.utc
    var hidden: Set<String> = []
    var groupsSignals = true
    var order = SignalOrder.number
    var isHeadingUp = false
    /// Whether the raw lines are shown, or `nil` if that depends on the room for them.
    var showsRaw: Bool?
    var ground = Ground.automatic
    /// Whether the history covers an hour instead of ten minutes.
    var showsHour = false
    var showsHelp = false
    /// The number of lines by which the list of the keys is scrolled.
    var helpScrolled = 0
    /// The time at which the screen was frozen, if it is.
    var frozen: Timestamp?
    /// The text that lines of the log must contain.
    var filter = ""
    var isEditingFilter = false
    /// The selected device, if one was selected, which may move in the list.
    var selected: String??
    /// The number of log entries scrolled back.
    var scrolled = 0
    /// Whether the arrows scroll the log instead of selecting a device.
    var scrollsLog = false
    /// A message about the last command, in place of the keys.
    var message: String?
    /// The playback of a recording, if the source is one.
    var playback: PlaybackStatus?

    var style: TextStyle {
        TextStyle(degrees: degrees, units: units, precision: precision, glyphs: glyphs.text)
    }
}

struct PlaybackStatus: Hashable, Sendable {
    var rate: Double
    var isPaused = false
    var isAtEnd = false
    /// The time since the beginning of the recording.
    var position: Duration
}
