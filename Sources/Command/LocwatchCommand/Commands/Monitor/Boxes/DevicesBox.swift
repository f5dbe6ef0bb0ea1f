import LocationCore
import LocwatchPrinting
import LocwatchSupport
import LocwatchTerminal

/// The table of the receivers or machines, sorted by state and age.
struct DevicesBox: MonitorBox {
    static let name = "devices"
    static let key: Unicode.Scalar? = "4"

    let state: MonitorState
    let view: MonitorView
    /// The age in seconds up to which devices are in the order of their first report.
    private static let youngest: Int64 = 10
    /// The columns that most names need, with the space behind them.
    private static let usualName = 13
    /// The columns of two coordinates, as in `-45.07361 -107.68043` and `45°04.416'S 107°40.826'W`.
    private var positionWidth: Int {
        switch view.degrees {
        case .decimal: 22
        case .minutes: 25
        case .seconds: 27
        }
    }
    /// The columns of an accuracy, as in `±9999 ft`.
    private var accuracyWidth: Int { 8 + view.glyphs.text.plusMinus.utf8.count }

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? {
        state.devices.count > 1 && room >= 10 || screen.rows >= 24 ? .lowerRight : nil
    }

    func rows(of rows: Int, above others: [any MonitorBox]) -> Int {
        // With one receiver its own line is all there is to show.
        min(max(4, rows / 3), max(3, state.devices.count + 2))
    }

    var title: String {
        state.devices.count > 1
            ? "\(state.devices.count) devices" : state.devices.count == 1 ? state.shortName(of: 0) : "device"
    }

    func draw(on frame: inout Frame, in area: Area) {
        var area = area
        let devices = state.devices
        guard devices.count > 0 else {
            frame.put("no device yet", area.column + 1, area.row, .faint, in: area)
            return
        }
        if state.namesEach, area.rows >= 6 { drawTitles(on: &frame, in: area.takeTop(1)) }
        let order = Self.order(state)
        let selection = Self.selection(state, view, order)
        // The selected row is always visible.
        let first = max(0, min(selection - area.rows / 2, order.count - area.rows))
        for (offset, place) in order[first...].prefix(area.rows).enumerated() {
            let isSelected = first + offset == selection && order.count > 1
            let mark = isSelected ? view.glyphs.selectionMark : " "
            draw(place, mark: mark, on: &frame, in: area, area.row + offset)
        }
        if state.unlistedReports > 0, area.rows > 1 {
            frame.put(
                "more devices than \(MonitorState.deviceLimit) are not listed", area.column + 1,
                area.row + area.rows - 1, .faint, in: area)
        }
    }

    /// Returns the places of the devices, sorted by state, then by age.
    static func order(_ state: MonitorState) -> [Int] {
        let devices = state.devices
        // One number for each device, because sorting tuples of 10,000 devices takes a tenth of the time of a frame.
        let keys = (0..<devices.count).map { place in
            let device = devices[place: place]
            let age = (state.now.elapsed - (device.located ?? device.since)).components.seconds
            // Ages of a few seconds change all the time, and rows that move cannot be read.
            let rank = UInt64(age < Self.youngest ? 0 : min(age, Int64(UInt32.max)))
            return UInt64(device.state.rawValue) << 56 | rank << 24 | UInt64(place)
        }
        return keys.sorted().map { Int($0 & 0xFF_FFFF) }
    }

    /// Returns the row of the selected device, which is the first one until another one is selected.
    static func selection(_ state: MonitorState, _ view: MonitorView, _ order: [Int]) -> Int {
        guard let selected = view.selected else { return 0 }
        return order.firstIndex { state.devices.device(at: $0) == selected } ?? 0
    }

    /// A part of a row under its title; the width includes the space behind it.
    private typealias Part = (title: String, width: Int, words: String, style: CellStyle)

    /// Returns the parts of a device's row that have room; the counts of satellites and the reason take the rest.
    private func parts(_ place: Int, in width: Int) -> [Part] {
        let device = state.devices[place: place]
        let location = device.location
        let style = CellStyle.plain.dimmed(if: device.state != .found)
        let room = width + (state.namesEach ? 0 : Self.usualName)
        var parts: [Part] = [
            ("state", 11, device.word, CellStyle(tint: device.tint)),
            ("age", 9, text.shortAge(state.now.elapsed - (device.located ?? device.since)), .plain),
        ]
        if room >= 76 {
            parts.append(("position", positionWidth, location.map { text.shortPlace($0.coordinate) } ?? "", style))
        }
        if room >= 44 {
            let accuracy = location?.horizontalAccuracy.map(text.shortAccuracy)
            parts.append(("accuracy", accuracyWidth, accuracy ?? "", .plain))
        }
        if room >= 56 { parts.append(("speed", 9, location?.speed.map(text.shortSpeed) ?? "", .plain)) }
        // The name of a single receiver is the title.
        guard state.namesEach else { return parts }
        let rest = min(max(6, width - 2 - parts.reduce(0) { $0 + $1.width }), 48)
        let name = state.shortName(of: place, to: rest, view.glyphs.text)
        return [("device", rest + 1, name, style)] + parts
    }

    private func drawTitles(on frame: inout Frame, in area: Area) {
        var column = area.column + 1
        for (title, width, _, _) in parts(0, in: area.columns) {
            frame.put(title, column, area.row, .faint, in: area)
            column += width
        }
        if column + 9 <= area.column + area.columns { frame.put("reason", column, area.row, .faint, in: area) }
    }

    private func draw(_ place: Int, mark: String, on frame: inout Frame, in area: Area, _ row: Int) {
        let device = state.devices[place: place]
        var column = frame.put(mark, area.column, row, .bold, in: area)
        for (_, width, words, style) in parts(place, in: area.columns) {
            frame.put(words, column, row, style, in: area.cut(before: column + width - 1))
            column += width
        }
        guard column < area.column + area.columns else { return }
        if device.used != nil || device.seen != nil {
            let counts = [device.used, device.seen].map { $0.map(String.init) ?? "-" }.joined(separator: "/")
            // A part of a number would be another one.
            guard column + counts.utf8.count <= area.column + area.columns else { return }
            column = frame.put("\(counts)  ", column, row, .plain, in: area)
        }
        let rest = device.state == .searching ? device.reason.map { ReasonText($0).words } : device.kind
        frame.put(rest ?? "", column, row, .faint, in: area)
    }
}
