import LocationCore
import LocwatchTerminal

/// The box with a bar for the signal of each satellite; used and seen satellites differ in their shape.
struct SignalsBox: MonitorBox {
    static let name = "signals"
    static let key: Unicode.Scalar? = "2"

    private static let strongest = 55.0

    let state: MonitorState
    let view: MonitorView

    private enum Row {
        case words(String, CellStyle)
        case satellite(SkyPicture.Mark)
    }

    func region(on screen: ScreenSize, room: Int) -> BoxRegion? { screen.columns >= 76 ? .right : nil }

    var title: String { "signals dB-Hz" }

    func draw(on frame: inout Frame, in area: Area) {
        let marks = state.picture.marks
        guard !marks.isEmpty else {
            frame.put("none", area.column + 1, area.row, .faint, in: area)
            return
        }
        for (offset, row) in rows(marks, area.rows).enumerated() {
            let line = area.row + offset
            switch row {
            case .words(let words, let style): frame.put(" \(words)", area.column, line, style, in: area)
            case .satellite(let mark): draw(mark, on: &frame, in: area, line)
            }
        }
    }

    private func rows(_ marks: [SkyPicture.Mark], _ count: Int) -> [Row] {
        let marks = sorted(marks)
        let systems = view.groupsSignals ? Constellation.allCases.map(Optional.some) + [nil] : []
        let groups = systems.map { system in marks.filter { $0.constellation == system } }.filter { !$0.isEmpty }
        // Without room for the headings the letters of the satellites say enough.
        if view.groupsSignals, count >= marks.count + groups.count {
            return groups.flatMap { [.words(heading($0), .bold)] + $0.map(Row.satellite) }
        }
        var rows = marks.prefix(count).map(Row.satellite)
        if marks.count > count, count > 0 { rows[count - 1] = .words("and \(marks.count - count + 1) more", .faint) }
        return rows
    }

    /// Returns the heading of satellites of one system.
    private func heading(_ marks: [SkyPicture.Mark]) -> String {
        let levels = marks.compactMap(\.level)
        let mean = levels.isEmpty ? "" : " avg \(text.fixed(levels.reduce(0, +) / Double(levels.count), 0))"
        return "\(marks.first?.constellation?.name ?? "other") \(marks.count { $0.isUsed })/\(marks.count)\(mean)"
    }

    /// Returns the satellites in the order of the view.
    private func sorted(_ marks: [SkyPicture.Mark]) -> [SkyPicture.Mark] {
        func rank(_ mark: SkyPicture.Mark) -> (Int, Double) {
            switch view.order {
            case .signal: (mark.isUsed ? 0 : 1, -(mark.level ?? -1))
            case .elevation: (0, -(mark.elevation ?? -91))
            // Rows that keep their places can be read, and cost little traffic.
            case .number: (mark.isUsed ? 0 : 1, 0)
            }
        }
        return marks.sorted {
            let (one, other) = (rank($0), rank($1))
            return one != other ? one < other : $0.identity < $1.identity
        }
    }

    private func draw(_ mark: SkyPicture.Mark, on frame: inout Frame, in area: Area, _ row: Int) {
        let isOld = !state.isCurrent
        let style = CellStyle.signal(mark.level).dimmed(if: isOld)
        let shape = mark.isUsed ? view.glyphs.usedMark : view.glyphs.seenMark
        var column = frame.put("\(shape)\(mark.label)", area.column, row, style, in: area)
        column = max(column + 1, area.column + 5)
        // The last column stays empty, so that the figures do not touch the line beside the box.
        var end = area.column + area.columns - 1
        if area.columns >= 32 {
            // Elevation and azimuth, as cgps lists them.
            for words in [mark.azimuth, mark.elevation].map(figure) {
                frame.put(right: words, row, .faint, in: Area(column: end - 4, row: row, columns: 4, rows: 1))
                end -= 4
            }
        }
        // The figures have no colour, as they change most often.
        frame.put(right: figure(mark.signal), row, CellStyle.plain.dimmed(if: isOld), in: area.cut(before: end))
        let width = end - column - 3
        guard width > 0, let level = mark.level else { return }
        let length = min(width, max(1, Int(clamping: (level / Self.strongest * Double(width)).rounded())))
        for place in column..<(column + length) {
            frame.set(place, row, view.glyphs.bar(isUsed: mark.isUsed), style)
        }
    }

    private func figure(_ value: Double?) -> String {
        guard let value else { return "-" }
        return value.magnitude > 1e6 ? text.fixed(value, 0) : String(Int(clamping: value.rounded()))
    }
}
