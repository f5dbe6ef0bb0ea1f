package import LocationCore
package import LocwatchTerminal

/// A time at which a position is asked for, as the user has written it.
package struct RequestedTime: Hashable, Sendable {
    private let text: String
    private let written: ForeignTime

    /// Reads a time, or returns `nil` if the text is not one.
    package init?(_ text: String) {
        guard let written = ForeignTime(text) else { return nil }
        (self.text, self.written) = (text, written)
    }

    /// Returns the time, which without an offset is that of a clock in a zone; throws if no clock shows it, or shows it twice.
    package func time(in zone: LocalTime) throws(UsageError) -> Timestamp {
        guard !written.hasOffset else { return written.time }
        let times = zone.times(showing: written.time)
        guard let time = times.first else {
            throw UsageError(
                "no clock shows \(text.printable), because clocks are set forward over it; --utc reads it as UTC")
        }
        if let other = times.dropFirst().first {
            let zones = [time, other].map { String(zone.zone($0).dropFirst(3)) }
            throw UsageError(
                "clocks show \(text.printable) twice, because they are set back: add "
                    + EnglishList.or(zones.map { $0.isEmpty ? "Z" : $0 }))
        }
        return time
    }
}

/// The times of `where`, which can come from standard input as well.
package struct RequestedTimes: Hashable, Sendable {
    package var times: [RequestedTime] = []
    /// Whether standard input has more times, one a line.
    package var readsInput = false

    package init() {}

    /// Reads the words of a command line, of which `-` stands for standard input.
    package init(_ words: [String]) throws(UsageError) {
        for word in words {
            if word == "-" {
                readsInput = true
            } else if let time = RequestedTime(word) {
                times.append(time)
            } else {
                throw UsageError(allowed: Self.allowed + ", or -").named("TIME", word)
            }
        }
    }

    /// Whether no time is asked for.
    package var isEmpty: Bool { times.isEmpty && !readsInput }

    /// The valid times, for a message about one that is not.
    package static let allowed =
        "a time such as 2026-11-20T14:03:21+01:00, or without an offset in local time, as in '2026-11-20 14:03' or "
        + "'2026:11:20 14:03:21'"
}
