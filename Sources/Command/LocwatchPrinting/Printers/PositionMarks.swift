import LocationCore
import LocationTracks
import LocwatchTerminal

extension TrackPoint {
    /// Returns the marks behind the columns of a position, each with what separates it from the text before, in the order in
    /// which they are kept where there is no room for all.
    ///
    /// - Parameters:
    ///   - isBrief: Whether a corrected position has the age of its corrections alone, in whole seconds.
    ///   - includesHeading: Whether the direction to which the receiver points is a mark.
    func marks(isBrief: Bool, includesHeading: Bool, _ style: TextStyle) -> [String] {
        var marks = verdict == .nominal ? [] : ["  \(verdict.rawValue)"]
        // As in `3.2 m off, -1.4 m up`, or `1.72 km off`.
        if let distance = error?.distance {
            marks.append("  " + TextBuffer.text { $0.put(distance: distance, in: style.units) } + " off")
        }
        if let up = error?.up { marks.append(", " + TextBuffer.text { $0.put(length: up, in: style.units) } + " up") }
        if let seconds = interpolatedOver { marks.append("  interpolated over \(Duration.seconds(seconds).spoken)") }
        if location.fix == .twoD { marks.append("  2D") }
        if location.quality != .ordinary {
            let separator = isBrief ? " " : ", "
            marks += location.qualityWords(briefly: isBrief).enumerated().map { ($0 == 0 ? "  " : separator) + $1 }
        }
        if includesHeading, let attitude = location.attitude {
            // The other values have no room.
            marks += AttitudeText.mark(of: attitude, style.glyphs).map { ["  \($0)"] } ?? []
        }
        return marks + (location.isLate ? ["  late"] : [])
    }
}
