/// The state of a session as a bar shows it, before it is escaped for its reader.
package struct BarStatus: Hashable, Sendable {
    /// The state in one word, which is the class for the style of the bar.
    package enum StatusKind: String, CaseIterable, Hashable, Sendable {
        case searching, found, suspect, alarm, stale, lost, error

        var color: String {
            switch self {
            case .found: "#80c080"
            case .searching, .stale: "#e0c040"
            case .lost, .suspect: "#e08040"
            case .error, .alarm: "#e05050"
            }
        }

        package var meaning: String {
            switch self {
            case .searching: "there has been no position yet"
            case .found: "there is a position"
            case .suspect: "there is a position, which may be wrong; the tooltip says why"
            case .alarm: "there is a position, but do not rely on it; the tooltip says why"
            case .stale: "the receiver has stopped reporting"
            case .lost: "the fix is lost"
            case .error: "an error, such as no gpsd"
            }
        }
    }

    var kind: StatusKind
    var text: String
    /// The text for a narrow bar.
    var shortText: String
    var tooltip: [String]
}
