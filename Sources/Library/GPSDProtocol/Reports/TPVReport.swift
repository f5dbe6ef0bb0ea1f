package import LocationCore

/// Time, position and velocity (`TPV`); absent values are `nil`.
package struct TPVReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The kind of fix: 0 no information, 1 no fix, 2 2D, 3 3D; absent counts as 0.
    package var mode = 0
    /// The time of the fix.
    package var time: Timestamp?
    /// The quality of the fix: 2 DGPS, 3 RTK fixed, 4 RTK float, 5 dead reckoning, 6 GNSS and dead reckoning, 7
    /// surveyed time, 8 simulated, 9 P(Y); `nil` is an ordinary fix.
    @OptionalCount package var status: Int?
    /// Latitude, degrees north.
    @OptionalDouble package var lat: Double?
    /// Longitude, degrees east.
    @OptionalDouble package var lon: Double?
    /// The datum; `nil` is WGS 84.
    package var datum: String?
    /// The numbers as gpsd reports them, which can be implausible.
    package private(set) var numbers = ReportedNumbers()

    /// Creates an empty report.
    package init() {}

    /// A number as gpsd reports it.
    package subscript(field: Location.Field) -> Double? {
        get { numbers[field] }
        set { numbers[field] = newValue }
    }

    /// Whether the report has the state of the antenna or the level of interference.
    var tellsAntenna: Bool { numbers.known & (Location.Field.antennaStatus.bit | Location.Field.jamming.bit) != 0 }
}

extension TPVReport: KeyedObject {
    enum Key: Sendable {
        case device, mode, time, status, lat, lon, datum
        case number(Location.Field)
        case count(Location.Field)
        /// A number that is not kept, but whose key costs only one comparison.
        case ignored
    }

    static let keys = KeyTable<Key>(
        otherNames: [
            (GPSDQuirks.baselineNames.length, .number(.baselineLength)),
            (GPSDQuirks.baselineNames.course, .number(.baselineCourse)),
            // It repeats `altMSL`, as earlier releases called it.
            ("alt", .ignored),
        ])

    // Each number reader has one call for all its keys, which keeps the loop over the keys within the compiler's limits
    // for inlining, and the scanner in registers.
    @inline(__always)
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .number(let field): cache.numbers.set(field, to: try scanner.number())
        case .count(let field): cache.numbers.set(field, to: try scanner.counted().wrappedValue.map(Double.init))
        case .ignored: _ = try scanner.number()
        case .device: device = try cache.name(from: &scanner)
        case .mode: mode = try scanner.integer() ?? 0
        case .time: time = try cache.time(from: &scanner)
        case .datum: datum = try scanner.string()
        case .status: _status = try scanner.counted()
        case .lat: lat = try scanner.number()
        case .lon: lon = try scanner.number()
        }
    }

    mutating func take(from cache: inout DecoderCache) { numbers = cache.numbers }
}

extension TPVReport.Key: ComposedKey {
    static let allCases: [TPVReport.Key] =
        [.device, .mode, .time, .status, .lat, .lon, .datum]
        + Location.Field.allCases.map { $0.row.isCount ? .count($0) : .number($0) }

    /// gpsd's name.
    var rawValue: String {
        switch self {
        case .device: "device"
        case .mode: "mode"
        case .time: "time"
        case .status: "status"
        case .lat: "lat"
        case .lon: "lon"
        case .datum: "datum"
        case .number(let field), .count(let field): field.row.gpsdName.description
        case .ignored: ""
        }
    }
}
