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
        let widths = widths(area.columns)
        if state.namesEach, area.rows >= 6 { drawTitles(widths, on: &frame, in: area.takeTop(1)) }
        let order = Self.order(state)
        let selection = Self.selection(state, view, order)
        // The selected row is always visible.
        let first = max(0, min(selection - area.rows / 2, order.count - area.rows))
        for (offset, place) in order[first...].prefix(area.rows).enumerated() {
            let isSelected = first + offset == selection && order.count > 1
            let mark = isSelected ? view.glyphs.selectionMark : " "
            draw(place, mark: mark, widths, on: &frame, in: area, area.row + offset)
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

    /// The columns of an accuracy, as in `±9999 ft`.
    private var accuracyWidth: Int { 8 + view.glyphs.text.plusMinus.utf8.count }

    private func widths(_ columns: Int) -> (name: Int, position: Bool, speed: Bool, accuracy: Bool) {
        let room = columns + (state.namesEach ? 0 : Self.usualName)
        let (position, speed, accuracy) = (room >= 76, room >= 56, room >= 44)
        let rest =
            columns - 2 - 11 - 9 - (position ? positionWidth : 0) - (speed ? 9 : 0)
            - (accuracy ? accuracyWidth : 0)
        return (state.namesEach ? min(max(6, rest), 48) : 0, position, speed, accuracy)
    }

    private func drawTitles(
        _ widths: (name: Int, position: Bool, speed: Bool, accuracy: Bool), on frame: inout Frame, in area: Area
    ) {
        var column = area.column + 1
        func title(_ text: String, _ width: Int, isShown: Bool = true) {
            guard isShown else { return }
            frame.put(text, column, area.row, .faint, in: area)
            column += width
        }
        title("device", widths.name + 1)
        title("state", 11)
        title("age", 9)
        title("position", positionWidth, isShown: widths.position)
        title("accuracy", accuracyWidth, isShown: widths.accuracy)
        title("speed", 9, isShown: widths.speed)
        title("reason", 9, isShown: column + 9 <= area.column + area.columns)
    }

    private func draw(
        _ place: Int, mark: String, _ widths: (name: Int, position: Bool, speed: Bool, accuracy: Bool),
        on frame: inout Frame, in area: Area, _ row: Int
    ) {
        let device = state.devices[place: place]
        let location = device.location
        let isOld = device.state != .found
        var column = frame.put(mark, area.column, row, .bold, in: area)
        func cell(_ text: String, _ width: Int, _ style: CellStyle) {
            frame.put(text, column, row, style, in: area.cut(before: column + width - 1))
            column += width
        }
        // The name of a single receiver is the title.
        if state.namesEach {
            // The names of machines differ at their ends.
            let count = state.hasNames ? 0 : min(state.devices.count, ShortenedText.mostNames)
            let name = ShortenedText.receiver(
                state.shortName(of: place), among: (0..<count).map(state.shortName), to: widths.name, view.glyphs.text)
            cell(name, widths.name + 1, CellStyle.plain.dimmed(if: isOld))
        }
        cell(device.word, 11, CellStyle(tint: device.tint))
        let age = state.now.elapsed - (device.located ?? device.since)
        cell(text.shortAge(age), 9, .plain)
        if widths.position {
            let place = location.map { text.shortPlace($0.coordinate) } ?? ""
            cell(place, positionWidth, CellStyle.plain.dimmed(if: isOld))
        }
        if widths.accuracy {
            cell(location?.horizontalAccuracy.map(text.shortAccuracy) ?? "", accuracyWidth, .plain)
        }
        if widths.speed { cell(location?.speed.map(text.shortSpeed) ?? "", 9, .plain) }
        guard column < area.column + area.columns else { return }
        let isCounted = device.state != .found || location?.admits(used: device.used) ?? true
        if isCounted, device.used != nil || device.seen != nil {
            let counts = [device.used, device.seen].map { $0.map(String.init) ?? "-" }.joined(separator: "/")
            // A part of a number would be another one.
            guard column + counts.utf8.count <= area.column + area.columns else { return }
            column = frame.put("\(counts)  ", column, row, .plain, in: area)
        }
        let rest = device.state == .searching ? device.reason.map { ReasonText($0).words } : device.kind
        frame.put(rest ?? "", column, row, .faint, in: area)
    }
}
