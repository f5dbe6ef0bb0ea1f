import LocationCore
import LocationTracks
import LocwatchTerminal

/// The marks behind the columns of a position, each with what separates it from the text before, in the order in which they
/// are kept where there is no room for all.
struct PositionMarks {
    private var marks: [String] = []

    var count: Int { marks.count }

    /// Creates the marks of a position.
    ///
    /// - Parameter isBrief: Whether a corrected position has the age of its corrections alone, in whole seconds.
    init(_ reported: TrackPoint, isBrief: Bool, _ style: TextStyle) {
        let location = reported.location
        if reported.verdict != .nominal { marks.append("  \(reported.verdict.rawValue)") }
        if let error = reported.error { append(error, style) }
        if location.fix == .twoD { marks.append("  2D") }
        if location.quality != .ordinary {
            let separator = isBrief ? " " : ", "
            marks += location.qualityWords(briefly: isBrief).enumerated().map { ($0 == 0 ? "  " : separator) + $1 }
        }
        if location.isLate { marks.append("  late") }
    }

    /// Appends the distance from the reference point, as in `3.2 m off, -1.4 m up`, or `1.72 km off`.
    private mutating func append(_ error: ReferenceError, _ style: TextStyle) {
        var text = TextBuffer()
        text.put("  ")
        text.put(distance: error.distance, in: style.units)
        text.put(" off")
        marks.append(text.text)
        guard let up = error.up else { return }
        text.removeAll()
        text.put(", ")
        text.put(length: up, in: style.units)
        text.put(" up")
        marks.append(text.text)
    }

    /// Writes the first `limit` marks.
    func write(_ limit: Int, into out: inout TextBuffer) {
        for mark in marks.prefix(limit) { out.put(mark) }
    }
}
