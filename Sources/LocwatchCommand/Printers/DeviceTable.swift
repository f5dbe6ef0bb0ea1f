import LocationCore

/// Receivers in columns, for people: below a header, aligned as far as is known when a line is written.
struct DeviceTable {
    private static let headers = ["RECEIVER", "DRIVER", "MODEL", "SPEED", "CYCLE", "HEARD", "STATE"]

    let showsTime: Bool
    var usesColor = false
    var localTime = LocalTime.system
    private var rows: [(cells: [String], ink: Ink?)] = []
    private var widths: [Int] = []
    private var hasHeader = false

    init(showsTime: Bool, usesColor: Bool = false, localTime: LocalTime = .system) {
        self.showsTime = showsTime
        self.usesColor = usesColor
        self.localTime = localTime
    }

    /// Adds a line for a receiver.
    mutating func note(_ status: DeviceStatus, at now: Timestamp) {
        var speed = status.speed.map(String.init)
        if let framing = status.framing, let known = speed { speed = "\(known) \(framing.printable)" }
        var cells = [
            status.path.printable, status.driver?.printable ?? "-", status.subtype?.printable ?? "-", speed ?? "-",
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

    /// Writes the lines that were added since the last time.
    mutating func write(into out: inout TextBuffer) {
        guard !rows.isEmpty else { return }
        let headers = (showsTime ? ["TIME"] : []) + Self.headers
        if widths.isEmpty { widths = headers.map(\.count) }
        for row in rows { widths = zip(widths, row.cells).map { max($0, $1.count) } }
        if !hasHeader { put(headers, .faint, into: &out) }
        hasHeader = true
        for row in rows { put(row.cells, row.ink, into: &out) }
        rows.removeAll()
    }

    private func put(_ cells: [String], _ ink: Ink?, into out: inout TextBuffer) {
        for (index, cell) in cells.enumerated() {
            let isLast = index == cells.count - 1
            if let ink, isLast || ink == .faint {
                out.put(cell, in: ink, if: usesColor)
            } else {
                out.put(cell)
            }
            if !isLast { out.put(repeating: UInt8(ascii: " "), count: widths[index] - cell.count + 2) }
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
