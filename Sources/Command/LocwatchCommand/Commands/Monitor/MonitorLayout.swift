import LocwatchTerminal

/// The boxes that fit a screen, and their places.
///
/// A small screen lacks boxes in this order: raw lines, track, the devices if there is only one, history, signals, sky, log.
/// Position and state are always there.
struct MonitorLayout {
    private(set) var boxes: [(box: any MonitorBox, area: Area)] = []
    private(set) var lines: FrameLines
    /// The boxes that are not hidden.
    private let available: [any MonitorBox]
    private let size: ScreenSize

    init(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) {
        self.size = size
        available = BoxTable.all.filter { !view.hidden.contains($0.name) }.map { $0.init(state: state, view: view) }
        lines = FrameLines(size)
        var area = size.area
        _ = area.takeTop(1)
        _ = area.takeBottom(1)
        placeBottom(&area)
        if state.isOverview {
            place(DevicesBox(state: state, view: view), area)
        } else {
            placeMiddle(area)
        }
    }

    /// Returns the rows within a box, or `nil` if it is not on the screen.
    func rows(of box: any MonitorBox.Type) -> Int? {
        let rows = boxes.first { type(of: $0.box) == box }.map { $0.area.rows - 1 }
        return rows == 0 ? nil : rows
    }

    /// Returns the boxes that belong in a part of the screen.
    private func boxes(_ region: BoxRegion, _ room: Int) -> [any MonitorBox] {
        available.filter { $0.region(on: size, room: room) == region }
    }

    private mutating func placeBottom(_ area: inout Area) {
        let boxes = boxes(.bottom, area.rows)
        guard let last = boxes.last else { return }
        var rows = min(max(4, area.rows / 4), 14)
        if boxes.count > 1, area.rows >= 26 { rows = min(area.rows / 2, rows * boxes.count) }
        let bottom = area.takeBottom(rows)
        stack(rows >= 4 * boxes.count ? boxes : [last], bottom)
    }

    private mutating func placeMiddle(_ area: Area) {
        var area = area
        let (beside, below) = (boxes(.right, area.rows), boxes(.lowerRight, area.rows))
        let (left, extra) = (boxes(.left, area.rows), boxes(.extra, area.rows))
        guard !beside.isEmpty || !below.isEmpty || !extra.isEmpty else { return placeLeft(left, area) }
        var right = area.takeRight(area.columns - min(max(35, area.columns * 35 / 100 + 7), 50) - 1)
        line(beside: right)
        placeLeft(left, area)
        if !extra.isEmpty {
            let column = right.takeRight(right.columns * 2 / 5)
            line(beside: column)
            stack(extra, column)
        }
        if beside.isEmpty { return stack(below, right) }
        for box in below.reversed() { place(box, right.takeBottom(box.rows(of: right.rows, above: []))) }
        for box in beside.dropFirst().reversed() {
            let column = right.takeRight(min(max(19, size.columns / 4 - 1), 40))
            line(beside: column)
            place(box, column)
        }
        place(beside[0], right)
    }

    private mutating func placeLeft(_ boxes: [any MonitorBox], _ area: Area) {
        var area = area
        for (index, box) in boxes.enumerated() {
            let others = Array(boxes[(index + 1)...])
            let rows = box.rows(of: area.rows, above: others)
            // The rows in which no other box has room are not left empty.
            let leavesRoom = others.contains { area.rows - rows >= type(of: $0).leastRows }
            place(box, area.takeTop(leavesRoom ? rows : area.rows))
        }
    }

    /// Places boxes one above the other, each with the same share of the rows.
    private mutating func stack(_ boxes: [any MonitorBox], _ area: Area) {
        var area = area
        for (index, box) in boxes.enumerated().reversed() { place(box, area.takeBottom(area.rows / (index + 1))) }
    }

    private mutating func place(_ box: any MonitorBox, _ area: Area) {
        guard area.rows >= type(of: box).leastRows, area.columns >= 8 else { return }
        boxes.append((box, area))
        lines.horizontal(
            area.column - (area.column > 0 ? 1 : 0), area.row, area.columns + (area.column > 0 ? 1 : 0) + 1)
    }

    /// Adds the vertical line to the left of an area, which ends at the lines above and below it.
    private mutating func line(beside area: Area) { lines.vertical(area.column - 1, area.row, area.rows + 1) }
}
