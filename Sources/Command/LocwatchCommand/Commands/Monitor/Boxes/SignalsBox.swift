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
        case heading(String)
        /// A satellite and its last signal.
        case satellite(SkyPicture.Mark, Double?)
        case more(Int)
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
            case .heading(let text): frame.put(" \(text)", area.column, line, .bold, in: area)
            case .more(let count): frame.put(" and \(count) more", area.column, line, .faint, in: area)
            case .satellite(let mark, let signal): draw(mark, signal, on: &frame, in: area, line)
            }
        }
    }

    private func rows(_ marks: [SkyPicture.Mark], _ count: Int) -> [Row] {
        let signals = state.picture.signals
        let order = sorted(marks)
        var rows: [Row] = []
        rows.reserveCapacity(order.count + Constellation.allCases.count + 1)
        let fits = view.groupsSignals && count > marks.count
        let systems = fits ? Constellation.allCases.map(Optional.some) + [nil] : []
        let own = systems.map { system in order.filter { marks[$0].constellation == system } }
        // Without room for the headings the letters of the satellites say enough.
        if fits, count >= marks.count + own.count(where: { !$0.isEmpty }) {
            for (system, own) in zip(systems, own) where !own.isEmpty {
                rows.append(.heading(heading(system, own.map { marks[$0] })))
                rows += own.map { .satellite(marks[$0], signals[$0]) }
            }
        } else {
            rows = order.prefix(count).map { .satellite(marks[$0], signals[$0]) }
            if order.count > count, count > 0 { rows[count - 1] = .more(order.count - count + 1) }
        }
        return rows
    }

    private func heading(_ system: Constellation?, _ marks: [SkyPicture.Mark]) -> String {
        let levels = marks.compactMap(\.level)
        let mean = levels.isEmpty ? "" : " avg \(text.fixed(levels.reduce(0, +) / Double(levels.count), 0))"
        return "\(system?.name ?? "other") \(marks.count { $0.isUsed })/\(marks.count)\(mean)"
    }

    /// Returns the places of the satellites in the order of the view.
    private func sorted(_ marks: [SkyPicture.Mark]) -> [Int] {
        func rank(_ mark: SkyPicture.Mark) -> (Int, Double) {
            switch view.order {
            case .signal: (mark.isUsed ? 0 : 1, -(mark.level ?? -1))
            case .elevation: (0, -(mark.elevation ?? -91))
            // Rows that keep their places can be read, and cost little traffic.
            case .number: (mark.isUsed ? 0 : 1, 0)
            }
        }
        return marks.indices.sorted {
            let (one, other) = (rank(marks[$0]), rank(marks[$1]))
            return one != other ? one < other : marks[$0].identity < marks[$1].identity
        }
    }

    private func draw(
        _ mark: SkyPicture.Mark, _ signal: Double?, on frame: inout Frame, in area: Area, _ row: Int
    ) {
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
        frame.put(right: figure(signal), row, CellStyle.plain.dimmed(if: isOld), in: area.cut(before: end))
        let width = end - column - 3
        guard width > 0, let level = mark.level else { return }
        let length = min(width, max(1, Int(clamping: (level / Self.strongest * Double(width)).rounded())))
        for place in column..<(column + length) {
            frame.set(place, row, view.glyphs.bar(isUsed: mark.isUsed), style)
        }
    }

    /// Returns a figure without decimals; those of two digits, which are most, are not made again and again.
    private func figure(_ value: Double?) -> String {
        guard let value else { return "-" }
        let rounded = Int(clamping: value.rounded())
        return Self.figures.indices.contains(rounded) ? Self.figures[rounded] : text.fixed(value, 0)
    }

    private static let figures = (0...360).map(String.init)
}
