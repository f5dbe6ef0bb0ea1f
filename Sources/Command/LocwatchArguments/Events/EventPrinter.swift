package import LocationCore
package import LocationTracks
package import LocwatchTerminal

/// A type that turns the events of a session into bytes of text, without any other side effect.
package protocol EventPrinter: Sendable {
    /// Appends the first line, if the format has one.
    mutating func start(_ start: SessionStart, into out: inout TextBuffer)
    /// Appends the lines for an event or a change of state, or none if the settings exclude it.
    mutating func print(_ update: TrackedUpdate, _ view: SessionView, into out: inout TextBuffer)
    /// Appends the lines for a failure, after which the session continues if there is a time to the next attempt, with the
    /// advice on it, or the usual one if that is `nil`.
    mutating func print(
        _ failure: LocationError, advice: String?, retry: Duration?, at moment: Moment, into out: inout TextBuffer)
    mutating func print(_ report: DeliveryReport, into out: inout TextBuffer)
    /// Appends the lines for a position that was looked up in a track.
    mutating func print(_ point: TrackPoint, at time: Timestamp, into out: inout TextBuffer)
    /// Appends the line of a time without a position, if the format has a line for each time that was asked for; `nil` is the time of a
    /// text that is none.
    mutating func printMissing(at time: Timestamp?, into out: inout TextBuffer)
    /// Appends what was held back until everything that has arrived together is processed.
    mutating func printPending(into out: inout TextBuffer)
    /// Appends the last line, if the format has one.
    mutating func end(_ end: SessionEnd, into out: inout TextBuffer)
    mutating func fit(columns: Int)
}

/// Defaults for formats that omit these events.
extension EventPrinter {
    package func fit(columns: Int) {}
    package func printPending(into out: inout TextBuffer) {}
    package func start(_ start: SessionStart, into out: inout TextBuffer) {}
    package func print(
        _ failure: LocationError, advice: String?, retry: Duration?, at moment: Moment, into out: inout TextBuffer
    ) {}
    package func print(_ report: DeliveryReport, into out: inout TextBuffer) {}
    package func end(_ end: SessionEnd, into out: inout TextBuffer) {}
    package func printMissing(at time: Timestamp?, into out: inout TextBuffer) {}

    package mutating func print(_ point: TrackPoint, at time: Timestamp, into out: inout TextBuffer) {
        let update = LocationUpdate(.location(point.location), at: Moment(elapsed: .zero, wall: time))
        print(.update(update, .current), SessionView(), into: &out)
    }

    package mutating func print(
        _ failure: LocationError, retry: Duration? = nil, at moment: Moment, into out: inout TextBuffer
    ) {
        print(failure, advice: nil, retry: retry, at: moment, into: &out)
    }
}

package struct SessionStart: Hashable, Sendable {
    package var source: SourceWord
    package var now: Timestamp
    /// Whether a single line is printed, which then contains its date.
    package var isSingleLine = false

    package init(source: SourceWord, now: Timestamp, isSingleLine: Bool = false) {
        self.source = source
        self.now = now
        self.isSingleLine = isSingleLine
    }
}

package struct SessionEnd: Hashable, Sendable {
    package var time: Timestamp
    package var reason: Reason
    /// The number of printed positions.
    package var locations: Int

    package init(time: Timestamp, reason: Reason, locations: Int) {
        self.time = time
        self.reason = reason
        self.locations = locations
    }

    package enum Reason: String, CaseIterable, Hashable, Sendable {
        /// The requested number of positions was reached.
        case count
        /// The requested duration has passed.
        case duration
        /// No good position came before the timeout.
        case timeout
        /// The recording or the stream ended.
        case ended
        /// A signal arrived.
        case interrupted
        /// An error ended the session.
        case failed

        /// The reason as a sentence without a full stop.
        package var words: String {
            switch self {
            case .ended: "the recording or the stream has ended"
            case .count: "all positions that were asked for have come"
            case .duration: "the time that was asked for has passed"
            case .timeout: "there was no position that is good enough in time"
            case .interrupted: "a signal has ended the session"
            case .failed: "an error has ended the session"
            }
        }
    }
}

extension Settings {
    package func printer(_ style: TextStyle, localTime: LocalTime) -> any EventPrinter {
        output.format.printer(self, style, localTime)
    }
}

package struct EventSelection: Hashable, Sendable {
    package var locations = true
    package var sky = false
    /// Whether text has a line for every step of a search, for every receiver and for every notice.
    package var details = false
    /// Whether text has a line for a failure after which the session continues.
    package var failures = true
    /// Whether the states of every receiver are printed in addition to those of the session.
    package var everyReceiver = false
    /// The point whose distance from a position is printed with it, if there is one.
    package var reference: ReferencePoint?

    package init(sky: Bool = false, everyReceiver: Bool = false) {
        self.sky = sky
        self.everyReceiver = everyReceiver
    }

    /// Returns whether each receiver, or each machine of a fleet, has its own changes of state.
    package func showsEach(_ view: SessionView) -> Bool { everyReceiver || view.isFleet }
}
