/// The columns of a position, which begin at a usual width and grow when something wider comes, so that later lines stay
/// aligned.
struct Columns: Hashable, Sendable {
    /// A column, in the order of the line.
    enum Name: Int, CaseIterable {
        case latitude, longitude, accuracy, altitude, speed, course, satellites

        /// The order in which columns are left out where a line is too wide.
        static let dispensable: [Name] = [.course, .speed, .satellites, .altitude, .accuracy]

        fileprivate var usualWidth: Int {
            switch self {
            case .latitude: 10
            case .longitude: 11
            case .accuracy: 7
            case .altitude: 6
            case .speed: 8
            case .course: 4
            case .satellites: 5
            }
        }

        fileprivate var isRightAligned: Bool { self != .accuracy }
    }

    private var widths = Name.allCases.map(\.usualWidth)
    private var lineStart = 0
    /// How many columns are left out; it stays so in the lines that follow.
    private var dropped = 0

    mutating func begin(at start: Int) { lineStart = start }

    /// Leaves out another column; returns whether there was one.
    mutating func drop() -> Bool {
        guard dropped < Name.dispensable.count else { return false }
        dropped += 1
        return true
    }

    /// Shows as many columns as before a line that has no room for them.
    mutating func showAsMany(as usual: Columns) { dropped = usual.dropped }

    /// Shows every column again, for a line of another width.
    mutating func restore() { dropped = 0 }

    /// Puts a cell, two spaces after the one before, unless its column is left out.
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
