import LocationCore
import LocationTracks

extension WebPoints {
    /// The number of points that the page shows when it is opened, an hour at one a second.
    private static let recentLimit = 3600

    /// The size that a point has at most in most files, in bytes; memory that is reserved and not used costs nothing.
    private static let usualSize = 384

    /// The size that a point has at least in each file, in bytes.
    private static let leastSize = 20

    private static let columns: [(name: String, decimals: Int, value: @Sendable (WebPoint) -> Double?)] = [
        ("time", 0, { $0.time.map { Double($0.nanosecondsSince1970 / 1_000_000) } }),
        ("lat", 7, { $0.latitude }), ("lon", 7, { $0.longitude }), ("altMSL", 3, { $0.altitude.rounded }),
        ("eph", 3, { $0.horizontalError.rounded }), ("speed", 3, { $0.speed.rounded }),
        ("used", 0, { $0.used.map(Double.init) }), ("segment", 0, { $0.beginsSegment ? 1 : 0 }),
    ]

    /// The size that a file of all points has at least, and one of the newest points.
    var leastSize: Int { list.count * Self.leastSize }
    var leastSizeOfRecent: Int { min(list.count, Self.recentLimit) * Self.leastSize }

    func file(_ format: TrackFormat) -> [UInt8] {
        var (stream, bytes) = (TrackStream(format), [UInt8]())
        bytes.reserveCapacity(list.count * Self.usualSize)
        for (place, point) in list.enumerated() {
            if point.beginsSegment, place > 0 { stream.process(.gap(.missing), to: &bytes) }
            stream.process(.point(point.full), to: &bytes)
        }
        stream.finish(to: &bytes)
        return bytes
    }

    /// The newest points as JSON for the page, each as a list of figures.
    var recent: [UInt8] {
        var out = TextBuffer()
        out.put("{\"columns\":")
        out.list(Self.columns) { $0.put(jsonString: $1.name) }
        out.put(",\"points\":[")
        var separator: StaticString = "\n"
        for point in list.suffix(Self.recentLimit) {
            out.put(separator)
            separator = ",\n"
            out.list(Self.columns) { out, column in
                if let value = column.value(point) {
                    out.put(trimmed: value, decimals: column.decimals)
                } else {
                    out.put("null")
                }
            }
        }
        out.put("]}\n")
        return out.bytes
    }
}
