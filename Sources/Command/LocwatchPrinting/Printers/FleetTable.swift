package import LocationCore
package import LocwatchTerminal

/// A table of a fleet's devices for people.
package struct FleetTable {
    private static let headers = ["DEVICE", "POSITION", "ACCURACY", "SPEED", "BATTERY", "AGE", "STATE"]
    private static let dispensable = ["BATTERY", "SPEED", "ACCURACY"]

    private let showsTime: Bool
    private let style: TextStyle
    private let localTime: LocalTime
    private var table: TextTable

    package init(showsTime: Bool, style: TextStyle, localTime: LocalTime) {
        self.showsTime = showsTime
        self.style = style
        self.localTime = localTime
        table = TextTable(
            headers: (showsTime ? ["TIME"] : []) + Self.headers, dispensable: Self.dispensable,
            shortened: ["DEVICE"], sacrificed: ["AGE", "POSITION"], style: style)
    }

    package mutating func append(_ device: FleetDevice, at now: Timestamp) {
        let location = device.location
        var cells = [
            device.name.printable, cell(location?.coordinate) { $0.put($1, between: "  ", style) },
            cell(location?.horizontalAccuracy) { out, accuracy in
                out.put(style.glyphs.plusMinus)
                out.put(length: accuracy, in: style.units)
            },
            cell(location?.speed) { out, speed in out.put(speed: speed, in: style.units) },
            device.battery.map { "\($0) %" } ?? "-",
            device.time.map { Self.age(now.since($0)) } ?? "-", device.word,
        ]
        if showsTime { cells.insert(cell(now) { $0.put(clock: localTime.civil($1)) }, at: 0) }
        let ink: Ink? = if device.isFound { .good } else if device.activity == .unknown { nil } else { .bad }
        table.append(cells, ink)
    }

    /// Appends the lines that were added since the last call.
    package mutating func write(into out: inout TextBuffer) { table.write(into: &out) }

    /// The time by which a position can be ahead because the clocks of the machines differ.
    private static let clockTolerance = Duration.seconds(60)

    private static func age(_ age: Duration) -> String {
        // The clock of the device is wrong, or its date.
        if age < .zero - clockTolerance { return "\(Duration.seconds(-age.components.seconds).spoken) ahead" }
        return age < .seconds(1) ? "0 s" : Duration.seconds(age.components.seconds).spoken
    }

    private func cell<Value>(_ value: Value?, _ write: (inout TextBuffer, Value) -> Void) -> String {
        value.map { value in TextBuffer.text { write(&$0, value) } } ?? "-"
    }
}
