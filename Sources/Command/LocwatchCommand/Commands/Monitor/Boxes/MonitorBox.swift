import LocwatchTerminal

/// A box of the monitor.
///
/// A new box is one type and one entry in `BoxTable`; layout, keys and help are derived from it.
protocol MonitorBox: SendableMetatype {
    /// The name in the help.
    static var name: String { get }
    /// The digit that hides the box and shows it again, if it can be hidden.
    static var key: Unicode.Scalar? { get }
    /// The rows without which the box is not shown.
    static var leastRows: Int { get }
    var view: MonitorView { get }
    init(state: MonitorState, view: MonitorView)
    var title: String { get }
    /// Returns the part of the screen in which the box belongs, or `nil` if the screen is too small for it.
    ///
    /// - Parameter room: The rows that are left when the part is laid out.
    func region(on screen: ScreenSize, room: Int) -> BoxRegion?
    /// Returns the rows that the box takes of a column which it shares with the boxes below it.
    func rows(of rows: Int, above others: [any MonitorBox]) -> Int
    /// Returns the rows of a column that are enough for the position above the box.
    func rowsForPosition(of rows: Int) -> Int
    func draw(on frame: inout Frame, in area: Area)
}

extension MonitorBox {
    static var key: Unicode.Scalar? { nil }
    static var leastRows: Int { 2 }
    var title: String { Self.name }
    var text: MonitorText { MonitorText(view: view) }
    func rows(of rows: Int, above others: [any MonitorBox]) -> Int { rows }
    func rowsForPosition(of rows: Int) -> Int { rows }
}

/// A part of the screen that boxes share.
enum BoxRegion {
    /// The left column, from top to bottom.
    case left
    /// The upper part of the right column, side by side.
    case right
    /// The lower part of the right column.
    case lowerRight
    /// The additional column of a large screen.
    case extra
    /// The rows below everything else.
    case bottom
}

/// All boxes, in the order in which they share a part of the screen.
enum BoxTable {
    static let all: [any MonitorBox.Type] = [
        PositionBox.self, SkyBox.self, SignalsBox.self, HistoryBox.self, DevicesBox.self, LogBox.self, GroundBox.self,
        RawBox.self,
    ]

    /// The boxes that a digit hides, in the order of the digits.
    static let hideable = all.filter { $0.key != nil }
}
