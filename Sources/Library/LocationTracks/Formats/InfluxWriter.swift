package import LocationCore

extension TrackFormat {
    /// Lines for InfluxDB, Telegraf and other programs that read its line protocol.
    public static let influx = TrackFormat(
        name: "influx", title: "Influx", summary: "lines for InfluxDB, Telegraf and others",
        receivers: .inPoints, type: InfluxWriter.self)
}

/// InfluxDB's line protocol: a line for each point, with its device as a tag.
///
/// A database knows no segments: points that are far apart in time are not connected by it. A point without any time is left out,
/// because a database would give it the time at which it arrives.
struct InfluxWriter: TrackWriter {
    init(_ options: TrackFormat.Options) {}

    /// The first byte of every line, because a file can be cut off after it.
    var beginning: [UInt8] { [InfluxLine.measurement.utf8Start.pointee] }

    func endOfLastPoint(in ending: [UInt8]) -> Int? { ending.endOfLast("\n") ?? 0 }

    /// The time in nanoseconds ends a line.
    func firstTime(in start: [UInt8]) -> Timestamp? {
        let line = start.prefix { $0 != UInt8(ascii: "\n") }
        let number = line.lastIndex(of: UInt8(ascii: " ")).map { String(decoding: line[($0 + 1)...], as: UTF8.self) }
        return number.flatMap(Int64.init).map(Timestamp.init(nanosecondsSince1970:))
    }

    mutating func append(_ point: TrackPoint, into out: inout TextBuffer) {
        guard let time = point.location.timestamp ?? point.location.received else { return }
        InfluxLine(point).append(at: time, into: &out)
    }
}

extension InfluxLine {
    /// Creates the line of a point, with the figures of its satellites.
    package init(_ point: TrackPoint, decimals: Int? = nil) {
        self.init(decimals: decimals)
        point.visitReported(&self)
        point.dilution.visitFields(&self)
    }
}
