import LocationCore
import LocwatchTerminal

/// The columns of a position, which start at a usual width and grow with wider content, so that later lines align.
struct Columns: Hashable, Sendable {
    /// A column, in the order of the line.
    enum Name: Int {
        case latitude, longitude, accuracy, altitude, speed, course, satellites

        /// The columns in the order in which they are omitted if a line is too wide.
        static let dispensable: [Name] = [.course, .satellites, .speed, .altitude, .accuracy]

        fileprivate var isRightAligned: Bool { self != .accuracy }
    }

    /// The width of each column so far; at the beginning the usual one.
    private var widths = [10, 11, 7, 6, 8, 4, 5]
    var lineStart = 0
    /// The number of omitted columns, which also applies to the following lines.
    var dropped = 0

    /// Omits another column; returns whether one was left to omit.
    mutating func drop() -> Bool {
        guard dropped < Name.dispensable.count else { return false }
        dropped += 1
        return true
    }

    /// The room without which a name is omitted, with the two spaces before it.
    static let leastName = 6
    /// The room of a name that is shortened before the last column is omitted.
    private static let shortName = 10

    /// Returns the room that the columns leave for a name: all that it needs, as long as another column than the
    /// accuracy can be omitted; then as much as a short name takes, and then none.
    func room(for name: String) -> Int {
        guard !name.isEmpty, dropped < Name.dispensable.count else { return 0 }
        let room = 2 + DisplayWidth.of(name)
        return dropped < Name.dispensable.count - 1 ? room : min(room, Self.shortName)
    }

    /// Appends a cell, two spaces after the previous one, unless its column is omitted.
    mutating func put(_ name: Name, into out: inout TextBuffer, _ write: (inout TextBuffer) -> Void) {
        guard !Name.dispensable.prefix(dropped).contains(name) else { return }
        if out.count > lineStart { out.put("  ") }
        let start = out.count
        write(&out)
        let width = out.columns(from: start)
        widths[name.rawValue] = max(widths[name.rawValue], width)
        let padding = widths[name.rawValue] - width
        if name.isRightAligned {
            out.insert(repeating: UInt8(ascii: " "), count: padding, at: start)
        } else {
            out.put(repeating: UInt8(ascii: " "), count: padding)
        }
    }
}
