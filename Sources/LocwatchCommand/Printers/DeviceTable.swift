import LocationCore

/// A table of receivers for people, below a header and aligned with the lines written so far.
struct DeviceTable {
    private static let headers = ["RECEIVER", "DRIVER", "MODEL", "SPEED", "CYCLE", "HEARD", "STATE"]
    /// The columns in the order in which they are omitted if a line is too wide.
    private static let dispensable = ["CYCLE", "SPEED", "HEARD", "DRIVER", "MODEL"]

    let showsTime: Bool
    let style: TextStyle
    let localTime: LocalTime
    private var rows: [(cells: [String], ink: Ink?)] = []
    private var widths: [Int] = []
    private var hasHeader = false

    init(showsTime: Bool, style: TextStyle = TextStyle(), localTime: LocalTime = .system) {
        self.showsTime = showsTime
        self.style = style
        self.localTime = localTime
    }

    /// Adds a line for a receiver.
    mutating func note(_ status: DeviceStatus, at now: Timestamp) {
        var speed = status.speed.map(String.init)
        if let framing = status.framing, let known = speed { speed = "\(known) \(framing.printable)" }
        var cells = [
            status.path.printable, status.driver?.printable ?? "-", status.model ?? "-", speed ?? "-",
            status.cycle?.spoken ?? "-", heard(status, now), status.activity.words,
        ]
        if showsTime { cells.insert(clock(now), at: 0) }
        let ink: Ink? =
            switch status.activity {
            case .reporting: .good
            case .unknown, .idle: nil
            case .silent, .babbling, .unopenable, .gone: .bad
            }
        rows.append((cells, ink))
    }

    /// Appends the lines that were added since the last call.
    mutating func write(into out: inout TextBuffer) {
        guard !rows.isEmpty else { return }
        let headers = (showsTime ? ["TIME"] : []) + Self.headers
        if widths.isEmpty { widths = headers.map(\.count) }
        for row in rows { widths = zip(widths, row.cells).map { max($0, $1.unicodeScalars.count) } }
        let layout = layout(headers)
        if !hasHeader { put(headers, .faint, layout, into: &out) }
        hasHeader = true
        for row in rows { put(row.cells, row.ink, layout, into: &out) }
        rows.removeAll()
    }

    /// Returns the shown columns with their widths, which fit the screen.
    private func layout(_ headers: [String]) -> [(column: Int, width: Int)] {
        var shown = Array(headers.indices)
        var widths = widths
        func excess() -> Int { shown.reduce(-2) { $0 + widths[$1] + 2 } - style.columns }
        for name in Self.dispensable where excess() > 0 { shown.removeAll { headers[$0] == name } }
        // Only the path and the state are left now; the path is shortened first.
        for column in [showsTime ? 1 : 0, headers.count - 1] where excess() > 0 {
            widths[column] = max(8, widths[column] - excess())
        }
        return shown.map { ($0, widths[$0]) }
    }

    private func put(
        _ cells: [String], _ ink: Ink?, _ layout: [(column: Int, width: Int)], into out: inout TextBuffer
    ) {
        for (index, (column, width)) in layout.enumerated() {
            let isLast = index == layout.count - 1
            let cell = ShortenedText.middle(cells[column], to: width, style.glyphs)
            if let ink, isLast || ink == .faint {
                out.put(cell, in: ink, if: style.usesColor)
            } else {
                out.put(cell)
            }
            if !isLast { out.put(repeating: UInt8(ascii: " "), count: width - cell.unicodeScalars.count + 2) }
        }
        out.put("\n")
    }

    private func heard(_ status: DeviceStatus, _ now: Timestamp) -> String {
        guard let heard = status.lastHeard else { return "-" }
        let age = now.since(heard)
        return age < .seconds(2) ? "just now" : "\(age.spoken) ago"
    }

    private func clock(_ time: Timestamp) -> String {
        var text = TextBuffer()
        text.put(clock: localTime.civil(time))
        return text.text
    }
}
