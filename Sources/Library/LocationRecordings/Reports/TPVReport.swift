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
    @Counted package var status: Int?
    /// Latitude, degrees north.
    @OptionalDouble package var lat: Double?
    /// Longitude, degrees east.
    @OptionalDouble package var lon: Double?
    /// The datum; `nil` is WGS 84.
    package var datum: String?
    /// The numbers at the places of `LocationNumbers`, as gpsd reports them; only those in `known` have a meaning.
    private(set) var numbers = FieldNumbers()
    /// The places of the known numbers.
    private(set) var known = FieldSet()

    /// Creates an empty report.
    package init() {}

    /// The number at a place of `LocationNumbers`, as gpsd reports it.
    package subscript(number place: Int) -> Double? {
        get { known.contains(place) ? numbers[place] : nil }
        set { set(place, to: newValue) }
    }

    package subscript(name: String) -> Double? {
        get { LocationNumbers.places[name].flatMap { self[number: $0] } }
        set { if let place = LocationNumbers.places[name] { self[number: place] = newValue } }
    }

    /// Whether the report has the state of the antenna or the level of interference.
    var tellsAntenna: Bool { !known.intersection(.antenna).isEmpty }

    @inline(__always)
    private mutating func set(_ place: Int, to number: Double?) {
        let number = number.flatMap { $0.isFinite ? $0 : nil }
        known.set(place, isMember: number != nil)
        numbers[place] = number ?? 0
    }
}

/// Numbers at the places of `LocationNumbers`.
///
/// A list would be allocated for each report.
struct FieldNumbers: Hashable, Sendable {
    /// As many numbers as a `FieldSet` has places.
    static let capacity = 64

    private var numbers = InlineArray<64, Double>(repeating: 0)

    @inline(__always)
    subscript(place: Int) -> Double {
        get { numbers.span[place] }
        set { numbers[place] = newValue }
    }

    static func == (left: FieldNumbers, right: FieldNumbers) -> Bool {
        (0..<capacity).allSatisfy { left[$0] == right[$0] }
    }

    func hash(into hasher: inout Hasher) {
        for place in 0..<Self.capacity { hasher.combine(self[place]) }
    }
}

/// A set of places in `LocationNumbers`.
struct FieldSet: Hashable, Sendable {
    private var bits: UInt64 = 0

    static let details = FieldSet(bits: .max << UInt64(Location.fields.count))

    /// The places of the antenna's state and of the interference.
    static let antenna = FieldSet(["ant", "jam"])

    init() {}

    private init(_ names: [String]) {
        for name in names { if let place = LocationNumbers.places[name] { set(place, isMember: true) } }
    }

    private init(bits: UInt64) { self.bits = bits }

    @inline(__always)
    mutating func set(_ place: Int, isMember: Bool) {
        let bit: UInt64 = 1 << UInt64(place)
        if isMember { bits |= bit } else { bits &= ~bit }
    }

    func contains(_ place: Int) -> Bool { bits & 1 << UInt64(place) != 0 }

    /// Returns the places that are in both sets.
    func intersection(_ other: FieldSet) -> FieldSet { FieldSet(bits: bits & other.bits) }

    func subtracting(_ other: FieldSet) -> FieldSet { FieldSet(bits: bits & ~other.bits) }

    var isEmpty: Bool { bits == 0 }

    /// Calls `body` with each place, in their order.
    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        var rest = bits
        while rest != 0 {
            body(rest.trailingZeroBitCount)
            rest &= rest - 1
        }
    }
}

extension TPVReport: KeyedObject {
    enum Key: Sendable {
        case device, mode, time, status, lat, lon, datum
        case number(place: Int)
        case count(place: Int)
    }

    /// gpsd 3.22 has the baseline under names that its manual lacks, and that later releases have replaced.
    static let keys = KeyTable<Key>(
        otherNames: [("relL", "baseL"), ("relH", "baseC")].compactMap { name, later in
            LocationNumbers.places[later].map { (name: name, key: Key.number(place: $0)) }
        })

    // Each number reader has one call for all its keys, which keeps the loop over the keys within the compiler's limits
    // for inlining, and the scanner in registers.
    @inline(__always)
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .number(let place): set(place, to: try scanner.number())
        case .count(let place): set(place, to: try scanner.counted().wrappedValue.map(Double.init))
        case .device: device = try memory.name(from: &scanner)
        case .mode: mode = try scanner.integer() ?? 0
        case .time: time = try memory.time(from: &scanner)
        case .datum: datum = try scanner.string()
        case .status: _status = try scanner.counted()
        case .lat: lat = try scanner.number()
        case .lon: lon = try scanner.number()
        }
    }
}

extension TPVReport.Key: ComposedKey {
    static let allCases: [TPVReport.Key] = {
        precondition(LocationNumbers.fields.count <= FieldNumbers.capacity, "a report has room for fewer numbers")
        return [.device, .mode, .time, .status, .lat, .lon, .datum]
            + LocationNumbers.fields.enumerated().map { $1.isCount ? .count(place: $0) : .number(place: $0) }
    }()

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
        case .number(let place), .count(let place): LocationNumbers.fields[place].gpsdName.description
        }
    }
}
