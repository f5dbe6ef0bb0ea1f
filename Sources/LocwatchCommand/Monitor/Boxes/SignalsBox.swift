import LocationCore

/// The box with a bar for the signal of each satellite; used and seen satellites differ in their shape.
struct SignalsBox {
    private static let strongest = 55.0

    private let state: MonitorState
    private let view: MonitorView

    private enum Row {
        case heading(String)
        case satellite(Satellite)
        case more(Int)
    }

    init(_ state: MonitorState, _ view: MonitorView) { (self.state, self.view) = (state, view) }

    func draw(on frame: inout Frame, in area: Area) {
        let satellites = state.sky?.satellites ?? []
        guard !satellites.isEmpty else {
            frame.put("none", area.column + 1, area.row, .faint, in: area)
            return
        }
        for (offset, row) in rows(satellites, area.rows).enumerated() {
            let line = area.row + offset
            switch row {
            case .heading(let text): frame.put(" \(text)", area.column, line, .bold, in: area)
            case .more(let count): frame.put(" and \(count) more", area.column, line, .faint, in: area)
            case .satellite(let satellite): draw(satellite, on: &frame, in: area, line)
            }
        }
    }

    private func rows(_ satellites: [Satellite], _ count: Int) -> [Row] {
        var rows: [Row] = []
        let systems = Constellation.allCases.map(Optional.some) + [nil]
        let present = systems.filter { system in satellites.contains { $0.constellation == system } }
        // Without room for the headings the letters of the satellites say enough.
        if view.groupsSignals, count >= satellites.count + present.count {
            for system in present {
                let own = satellites.filter { $0.constellation == system }
                rows.append(.heading(heading(system, own)))
                rows += sorted(own).map { .satellite($0) }
            }
        } else {
            rows = sorted(satellites).map { .satellite($0) }
        }
        guard rows.count > count else { return rows }
        return rows.prefix(max(0, count - 1)) + [.more(rows.count - count + 1)]
    }

    private func heading(_ system: Constellation?, _ satellites: [Satellite]) -> String {
        let signals = satellites.compactMap(\.signal)
        var text = TextBuffer()
        text.put(system?.name ?? "other")
        text.put(" \(satellites.count { $0.isUsed })/\(satellites.count)")
        if !signals.isEmpty {
            text.put(" avg ")
            text.put(fixed: signals.reduce(0, +) / Double(signals.count), decimals: 0)
        }
        return text.text
    }

    private func sorted(_ satellites: [Satellite]) -> [Satellite] {
        func isBefore(_ left: Double, _ right: Double, _ one: Satellite, _ other: Satellite) -> Bool {
            if one.isUsed != other.isUsed, view.order == .signal { return one.isUsed }
            return left != right ? left > right : one.identity < other.identity
        }
        return satellites.sorted {
            switch view.order {
            case .signal: isBefore($0.signal ?? -1, $1.signal ?? -1, $0, $1)
            case .elevation: isBefore($0.elevation ?? -91, $1.elevation ?? -91, $0, $1)
            // Rows that keep their places can be read, and cost little traffic.
            case .number: $0.isUsed == $1.isUsed ? $0.identity < $1.identity : $0.isUsed
            }
        }
    }

    private func draw(_ satellite: Satellite, on frame: inout Frame, in area: Area, _ row: Int) {
        let style = CellStyle.signal(satellite.signal).dimmed(if: !state.isCurrent)
        let mark = satellite.isUsed ? view.glyphs.usedMark : view.glyphs.seenMark
        var column = frame.put("\(mark)\(satellite.label)", area.column, row, style, in: area)
        column = max(column + 1, area.column + 5)
        let text = MonitorText(view)
        let signal = satellite.signal.map { text.fixed($0, 0) } ?? "-"
        var end = area.column + area.columns
        if area.columns >= 32 {
            // Elevation and azimuth, as cgps lists them.
            let place = [satellite.elevation, satellite.azimuth]
                .map { $0.map { text.fixed($0, 0) } ?? "-" }
            let columns = [
                String(repeating: " ", count: max(0, 3 - place[0].utf8.count)) + place[0],
                String(repeating: " ", count: max(0, 4 - place[1].utf8.count)) + place[1],
            ]
            end -= 8
            frame.put(columns.joined(), end, row, .faint, in: area)
        }
        let figures = Area(column: area.column, row: row, columns: end - area.column, rows: 1)
        frame.put(right: signal, row, style, in: figures)
        let width = end - column - 3
        guard width > 0, let level = satellite.signal else { return }
        let length = min(width, max(1, Int(clamping: (level / Self.strongest * Double(width)).rounded())))
        for place in column..<(column + length) {
            frame.set(place, row, view.glyphs.bar(isUsed: satellite.isUsed), style)
        }
    }
}

extension Satellite {
    /// An order of all satellites: by system and number.
    fileprivate var identity: (Int, Int, Int) { (constellation?.rawValue ?? 99, trailNumber, signalBand ?? 0) }
}
