import LocationCore
import LocationTracks

/// Turns what a session tells into lines of text: values in, bytes out, and nothing else.
protocol EventPrinter: Sendable {
    /// The first line, where the form has one.
    mutating func start(_ start: SessionStart, into out: inout TextBuffer)
    /// The lines for an event or a change of state; none where the settings leave it out.
    mutating func print(_ update: TrackedUpdate, into out: inout TextBuffer)
    /// The lines for something that happened at a fence.
    mutating func print(_ event: FenceEvent, into out: inout TextBuffer)
    /// The lines for a failure after which the session goes on, with the time to the next attempt where it is known.
    mutating func print(_ failure: LocationError, retry: Duration?, at moment: Moment, into out: inout TextBuffer)
    /// The last line, where the form has one.
    mutating func end(_ end: SessionEnd, into out: inout TextBuffer)
    /// Fits the lines that follow to a width.
    mutating func fit(columns: Int)
}

extension EventPrinter {
    mutating func fit(columns: Int) {}
}

/// A form that has no place for an event leaves it out.
extension EventPrinter {
    func start(_ start: SessionStart, into out: inout TextBuffer) {}
    func print(_ event: FenceEvent, into out: inout TextBuffer) {}
    func print(_ failure: LocationError, retry: Duration?, at moment: Moment, into out: inout TextBuffer) {}
    func end(_ end: SessionEnd, into out: inout TextBuffer) {}
}

/// What is known when a session begins.
struct SessionStart: Hashable, Sendable {
    var source: SourceWord
    /// The time at which the session begins.
    var now: Timestamp
    /// Whether a single line is printed, so that a date has no line of its own.
    var isSingleLine = false
}

/// How a session ended.
struct SessionEnd: Hashable, Sendable {
    var time: Timestamp
    var reason: Reason
    /// How many positions were printed; revisions do not count.
    var locations: Int

    enum Reason: String, CaseIterable, Hashable, Sendable {
        /// As many positions as were asked for.
        case count
        /// As long as was asked for.
        case duration
        /// No good position in time.
        case timeout
        /// The recording or the stream is at its end.
        case ended
        /// A signal.
        case interrupted
        /// An error that ends the session.
        case failed
    }
}

/// How text for people is to look.
struct TextStyle: Hashable, Sendable {
    var degrees = DegreeStyle.decimal
    var units = Units.metric
    var precision = Precision.decimals(7)
    var usesColor = false
    var glyphs = Glyphs.utf8
    /// The width that lines are fitted to.
    var columns = TextStyle.usualColumns

    /// The width where there is no terminal.
    static let usualColumns = 80
}

extension Settings {
    /// The printer for these settings.
    func printer(
        _ style: TextStyle, selection: EventSelection? = nil, localTime: LocalTime
    ) -> any EventPrinter {
        let selection = selection ?? EventSelection(self)
        return switch output {
        case .text: TextPrinter(style: style, selection: selection, localTime: localTime)
        case .json: JSONPrinter(precision: precision, selection: selection)
        case .csv where !selection.locations: StateCSVPrinter(everyReceiver: selection.everyReceiver)
        case .csv where selection.sky: SatelliteCSVPrinter()
        case .csv:
            CSVPrinter(columns: columns ?? .standard, precision: precision, everyReceiver: selection.everyReceiver)
        case .template(let template):
            TemplatePrinter(template: template, style: style, selection: selection, localTime: localTime)
        }
    }
}

/// Which events are printed.
struct EventSelection: Hashable, Sendable {
    var locations = true
    var sky = false
    /// Whether text has a line for every step of a search, for every receiver and for every notice.
    var details = false
    /// Whether text has a line for a failure after which the session continues.
    var failures = true
    /// Whether the states of every receiver are printed, and not only those of the session.
    var everyReceiver = false

    init(
        locations: Bool = true, sky: Bool = false, details: Bool = false, failures: Bool = true,
        everyReceiver: Bool = false
    ) {
        self.everyReceiver = everyReceiver
        self.locations = locations
        self.sky = sky
        self.details = details
        self.failures = failures
    }

    init(_ settings: Settings) {
        self.init(
            locations: !settings.showsStatesOnly, sky: settings.showsSky, details: settings.verbosity == .verbose,
            everyReceiver: settings.showsAllDevices)
    }
}
