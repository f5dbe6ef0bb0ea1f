import LocationCore
import LocationTracks
import LocwatchPrinting
import LocwatchTerminal

/// The figures of a fleet for people, with a row for each device.
enum FleetStatisticsTable {
    private static let headers = ["DEVICE", "POSITIONS", "INTERVAL", "ACCURACY", "LATE", "GAPS", "FOUND"]
    private static let dispensable = ["LATE", "ACCURACY", "GAPS"]

    /// Appends the table and a line about the fleet as a whole.
    static func write(_ statistics: TrackStatistics, style: TextStyle, into out: inout TextBuffer) {
        var table = TextTable(headers: headers, dispensable: dispensable, shortened: ["DEVICE"], style: style)
        let devices = statistics.receivers.filter { $0.device != nil }.sorted { ($0.device ?? "") < ($1.device ?? "") }
        for device in devices { table.append(cells(device, style), nil) }
        table.write(into: &out)
        let all = max(devices.count, statistics.devices.keys.count { $0 != nil })
        let others = all - devices.count
        if others > 0 {
            out.put("\(others.counting("more device")) \(others == 1 ? "has" : "have") no figures of their own\n")
        }
        let count = all.counting("device")
        let positions = statistics.epochs.counting("position")
        out.put("\(count), \(positions) in \(statistics.duration.spoken)\n")
    }

    private static func cells(_ device: ReceiverStatistics, _ style: TextStyle) -> [String] {
        let accuracy = device.horizontalAccuracy.median.map { median in
            style.glyphs.plusMinus + TextBuffer.text { $0.put(length: median, in: style.units) }
        }
        return [
            device.device?.printable ?? "-", "\(device.epochs)", device.reportInterval?.spoken ?? "-", accuracy ?? "-",
            "\(device.late)", "\(device.gaps.count)", device.availability.map(StatisticsText.percent) ?? "-",
        ]
    }
}
