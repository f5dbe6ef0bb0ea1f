package import LocationCore
package import LocwatchTerminal

/// A table of receivers for people, below a header and aligned with the lines written so far.
package struct DeviceTable {
    private static let headers = ["RECEIVER", "DRIVER", "MODEL", "SPEED", "CYCLE", "HEARD", "STATE"]
    private static let dispensable = ["CYCLE", "SPEED", "HEARD", "DRIVER", "MODEL"]

    let showsTime: Bool
    /// Whether the session goes on now; the times of a recording are its own.
    private let isLive: Bool
    let localTime: LocalTime
    private var table: TextTable

    package init(showsTime: Bool, isLive: Bool = true, style: TextStyle = TextStyle(), localTime: LocalTime = .system) {
        self.showsTime = showsTime
        self.isLive = isLive
        self.localTime = localTime
        table = TextTable(
            headers: (showsTime ? ["TIME"] : []) + Self.headers, dispensable: Self.dispensable,
            shortened: ["RECEIVER", "STATE"], style: style)
    }

    /// Adds a line for a receiver.
    package mutating func append(_ status: DeviceStatus, at now: Timestamp) {
        var speed = status.speed.map(String.init)
        if let framing = status.framing, let known = speed { speed = "\(known) \(framing.printable)" }
        var cells = [
            status.path.printable, status.driver?.printable ?? "-", status.model ?? "-", speed ?? "-",
            status.cycle?.spoken ?? "-", heard(status, now), status.activity.words,
        ]
        if showsTime { cells.insert(clock(now), at: 0) }
        let calm: Ink? = status.activity == .reporting ? .good : nil
        table.append(cells, status.activity.isTrouble ? .bad : calm)
    }

    /// Appends the lines that were added since the last call.
    package mutating func write(into out: inout TextBuffer) { table.write(into: &out) }

    private func heard(_ status: DeviceStatus, _ now: Timestamp) -> String {
        guard let heard = status.lastHeard else { return "-" }
        guard isLive else { return TextBuffer.text { $0.put(date: localTime.civil(heard)) } + " " + clock(heard) }
        let age = max(.zero, now.since(heard))
        return age < .seconds(2) && status.activity != .gone ? "just now" : "\(age.spoken) ago"
    }

    private func clock(_ time: Timestamp) -> String { TextBuffer.text { $0.put(clock: localTime.civil(time)) } }
}
