import LocationCore
import LocwatchSupport

/// The boxes that fit a screen, and their places.
///
/// A small screen lacks boxes in this order: raw lines, track, the devices if there is only one, history, signals, sky, log.
/// Position and state are always there.
struct MonitorLayout {
    enum Box: Hashable, CaseIterable { case position, sky, signals, history, devices, log, raw, ground }

    private(set) var boxes: [(box: Box, area: Area)] = []
    private(set) var lines: FrameLines

    init(_ state: MonitorState, _ view: MonitorView, size: ScreenSize) {
        lines = FrameLines(size)
        var area = size.area
        _ = area.takeTop(1)
        _ = area.takeBottom(1)
        placeBottom(state, view, size, &area)
        if state.isFleet, state.chosen == nil {
            place(.devices, area)
        } else {
            placeMiddle(state, view, size, area)
        }
    }

    /// Places the log and the raw lines below everything else.
    private mutating func placeBottom(
        _ state: MonitorState, _ view: MonitorView, _ size: ScreenSize, _ area: inout Area
    ) {
        let hasRawColumn = Self.hasExtraColumn(size)
        let showsLog = !view.hidden.contains(.log)
        let showsRaw = view.showsRaw && !hasRawColumn
        guard showsLog || showsRaw else { return }
        var rows = min(max(4, area.rows / 4), 14)
        if showsLog, showsRaw, area.rows >= 26 { rows = min(area.rows / 2, rows * 2) }
        var bottom = area.takeBottom(rows)
        if showsRaw, rows >= 8 || !showsLog {
            place(.raw, bottom.takeBottom(showsLog ? rows / 2 : rows))
        } else if showsRaw {
            return place(.raw, bottom)
        }
        if showsLog { place(.log, bottom) }
    }

    private static func hasExtraColumn(_ size: ScreenSize) -> Bool { size.columns >= 160 && size.rows >= 40 }

    private mutating func placeMiddle(
        _ state: MonitorState, _ view: MonitorView, _ size: ScreenSize, _ area: Area
    ) {
        var area = area
        let showsSky = !view.hidden.contains(.sky)
        let showsSignals = !view.hidden.contains(.signals) && size.columns >= 76
        let showsDevices =
            !view.hidden.contains(.devices) && (state.devices.count > 1 && area.rows >= 10 || size.rows >= 24)
        let hasExtraColumn = Self.hasExtraColumn(size)
        let showsGround = !view.hidden.contains(.ground) && (size.columns >= 110 && size.rows >= 36 || view.showsTrack)
        guard showsSky || showsSignals || showsDevices || hasExtraColumn else {
            return placeLeft(area, history: size.rows >= 20 && !view.hidden.contains(.history), ground: showsGround)
        }
        let rightColumns = area.columns - min(max(35, area.columns * 35 / 100 + 7), 50) - 1
        var right = area.takeRight(rightColumns)
        line(beside: right)
        placeLeft(area, history: size.rows >= 20 && !view.hidden.contains(.history), ground: showsGround)
        if hasExtraColumn {
            let extra = right.takeRight(right.columns * 2 / 5)
            line(beside: extra)
            placeExtra(extra, ground: false)
        }
        if showsDevices {
            let most = showsSky || showsSignals ? max(4, right.rows / 3) : right.rows
            // With one receiver its own line is all there is to show.
            let wanted = showsSky || showsSignals ? max(3, state.devices.count + 2) : right.rows
            place(.devices, right.takeBottom(min(most, wanted)))
        }
        if showsSignals, showsSky {
            let signals = right.takeRight(min(max(19, size.columns / 4 - 1), 40))
            line(beside: signals)
            place(.signals, signals)
        } else if showsSignals {
            place(.signals, right)
        }
        if showsSky { place(.sky, right) }
    }

    private mutating func placeLeft(_ area: Area, history: Bool, ground: Bool) {
        var area = area
        var position = min(area.rows, 17)
        if history { position = min(position, max(9, area.rows - 7)) }
        if ground { position = min(position, 12) }
        if !history, !ground { position = area.rows }
        place(.position, area.takeTop(position))
        if history {
            let rows = ground ? max(7, area.rows * 2 / 5) : area.rows
            place(.history, area.takeTop(rows))
        }
        if ground, area.rows >= 6 { place(.ground, area) }
    }

    private mutating func placeExtra(_ area: Area, ground: Bool) { place(.raw, area) }

    private mutating func place(_ box: Box, _ area: Area) {
        guard area.rows >= 2, area.columns >= 8 else { return }
        boxes.append((box, area))
        lines.horizontal(
            area.column - (area.column > 0 ? 1 : 0), area.row, area.columns + (area.column > 0 ? 1 : 0) + 1)
    }

    /// Adds the vertical line to the left of an area, which ends at the lines above and below it.
    private mutating func line(beside area: Area) { lines.vertical(area.column - 1, area.row, area.rows + 1) }
}

extension MonitorLayout.Box {
    func title(_ state: MonitorState, _ view: MonitorView) -> String {
        switch self {
        case .position: "position"
        case .sky: view.isHeadingUp ? "sky, heading up" : "sky"
        case .signals: "signals dB-Hz"
        case .history: view.showsHour ? "last hour" : "last 10 min"
        case .devices: state.devices.count > 1 ? "\(state.devices.count) devices" : "device"
        case .log: view.filter.isEmpty ? "log" : "log with \"\(view.filter)\""
        case .raw: "raw lines"
        case .ground: view.showsTrack ? "track" : "scatter"
        }
    }
}
