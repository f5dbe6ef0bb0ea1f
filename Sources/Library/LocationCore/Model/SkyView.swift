/// The satellites that a receiver sees at one epoch, and the dilutions of their geometry.
///
/// A view is a reference to values that never change, so that passing it on costs nothing. Setting a property makes new ones.
public struct SkyView: Sendable {
    private final class Storage: Sendable {
        let facts: SkyFacts
        let census: SatelliteCensus

        init(_ facts: SkyFacts, _ census: SatelliteCensus) {
            self.facts = facts
            self.census = census
        }
    }

    private var storage: Storage

    /// Creates a view; counts that are not given are those of the different satellites in the list.
    public init(
        satellites: [Satellite]?, seen: Int? = nil, used: Int? = nil, dilution: DilutionOfPrecision = .init(),
        timestamp: Timestamp? = nil, device: String? = nil
    ) {
        var facts = SkyFacts()
        facts.satellites = satellites
        let census = facts.census
        facts.seen = seen ?? (satellites == nil ? nil : census.seen)
        facts.used = used ?? (satellites == nil ? nil : census.used)
        facts.dilution = dilution
        facts.timestamp = timestamp
        facts.device = device
        self.init(facts, census)
    }

    /// Creates a view of values and the census of their signals, which is made if it is not given.
    package init(_ facts: SkyFacts, _ census: SatelliteCensus? = nil) {
        storage = Storage(facts, census ?? facts.census)
    }

    /// The values, for several changes at once.
    package var facts: SkyFacts {
        get { storage.facts }
        set { self = SkyView(newValue) }
    }

    /// The time of the epoch, by the receiver's clock.
    public var timestamp: Timestamp? {
        get { storage.facts.timestamp }
        set { facts.timestamp = newValue }
    }

    /// The receiver that reported the view.
    public var device: String? {
        get { storage.facts.device }
        set { facts.device = newValue }
    }

    /// The satellites, or `nil` if the report carried only counts, which does not mean that none is in view.
    ///
    /// A receiver with several bands lists a satellite once for each of its signals; see ``distinctSatellites``.
    public var satellites: [Satellite]? {
        get { storage.facts.satellites }
        set { facts.satellites = newValue }
    }

    /// The number of satellites in view, each of which counts once.
    public var seen: Int? {
        get { storage.facts.seen }
        set { facts.seen = newValue }
    }

    /// The number of satellites used in the fix: those of which a signal is used.
    public var used: Int? {
        get { storage.facts.used }
        set { facts.used = newValue }
    }

    /// The dilutions of precision.
    public var dilution: DilutionOfPrecision {
        get { storage.facts.dilution }
        set { facts.dilution = newValue }
    }

    /// The signals of the satellites, in a session that does not list them.
    package var figures: [SignalFigures]? { storage.facts.figures }

    /// Whether the list or the figures have a satellite more than once.
    package var hasRepeats: Bool { storage.census.hasRepeats }

    /// The satellites, each once with its strongest signal, or `nil` if they are not listed.
    public var distinctSatellites: [Satellite]? { hasRepeats ? satellites?.bySatellite : satellites }

    /// The number of signals in the list, which is larger than that of satellites for a receiver with several bands.
    ///
    /// A daemon can repeat a signal within a list.
    public var signals: Int? { satellites.map { hasRepeats ? Set($0).count : $0.count } }

    /// The strongest signal in dB-Hz, or `nil` if none is received.
    public var bestSignal: Double? { satellites?.lazy.compactMap { $0.signal }.max() }
}

extension SkyView: Hashable {
    /// Returns whether two views have the same values.
    public static func == (left: SkyView, right: SkyView) -> Bool {
        left.storage === right.storage || left.storage.facts == right.storage.facts
    }

    /// Hashes the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.facts) }
}

/// The values of a view of the satellites, as they are read, merged and changed.
package struct SkyFacts: Hashable, Sendable {
    package var timestamp: Timestamp?
    package var device: String?
    package var satellites: [Satellite]?
    package var seen: Int?
    package var used: Int?
    package var dilution = DilutionOfPrecision()
    package var figures: [SignalFigures]?

    package init() {}

    /// The numbers of different satellites in the list or in the figures.
    var census: SatelliteCensus { satellites?.census ?? figures?.census ?? SatelliteCensus() }

    /// Whether signals are listed or summarized.
    package var hasList: Bool { satellites != nil || figures != nil }
}

/// The factors by which the satellite geometry widens errors; smaller is better.
public struct DilutionOfPrecision: Hashable, Sendable {
    /// On the ground, along the east–west axis.
    @OptionalDouble public var longitude: Double?
    /// On the ground, along the north–south axis.
    @OptionalDouble public var latitude: Double?
    /// On the ground.
    @OptionalDouble public var horizontal: Double?
    /// In altitude.
    @OptionalDouble public var vertical: Double?
    /// In all three dimensions.
    @OptionalDouble public var position: Double?
    /// In time.
    @OptionalDouble public var time: Double?
    /// In space and time.
    @OptionalDouble public var geometric: Double?

    /// Creates dilutions without any known values.
    public init() {}

    /// Removes dilutions of 0, which receivers report instead of unknown ones; no geometry has a dilution of 0.
    package mutating func removeZeros() {
        for field in Field.allCases where self[field] == 0 { self[field] = nil }
    }
}

extension DilutionOfPrecision {
    /// A dilution, in the order of JSON.
    @usableFromInline package enum Field: UInt8, CaseIterable, Sendable {
        case longitude, latitude, horizontal, vertical, position, time, geometric

        @usableFromInline package static let rows = allCases.map(\.row)

        /// The row of the dilution.
        package var row: FieldRow {
            switch self {
            case .longitude: FieldRow("xdop", 0...1e5, means: "Dilution of precision from west to east")
            case .latitude: FieldRow("ydop", 0...1e5, means: "Dilution of precision from south to north")
            case .horizontal: FieldRow("hdop", 0...1e5, means: "Dilution of precision on the ground")
            case .vertical: FieldRow("vdop", 0...1e5, means: "Dilution of precision of the altitude")
            case .position: FieldRow("pdop", 0...1e5, means: "Dilution of precision in three dimensions")
            case .time: FieldRow("tdop", 0...1e5, means: "Dilution of precision of the time")
            case .geometric: FieldRow("gdop", 0...1e5, means: "Dilution of precision in space and time")
            }
        }

        /// The place in the table.
        @inlinable package var place: Int { Int(rawValue) }
    }

    /// A dilution, or `nil` if it is unknown.
    @usableFromInline package subscript(field: Field) -> Double? {
        get {
            switch field {
            case .longitude: longitude
            case .latitude: latitude
            case .horizontal: horizontal
            case .vertical: vertical
            case .position: position
            case .time: time
            case .geometric: geometric
            }
        }
        set {
            switch field {
            case .longitude: longitude = newValue
            case .latitude: latitude = newValue
            case .horizontal: horizontal = newValue
            case .vertical: vertical = newValue
            case .position: position = newValue
            case .time: time = newValue
            case .geometric: geometric = newValue
            }
        }
    }
}

/// A satellite as a receiver sees it, or one of its signals.
public struct Satellite: Hashable, Sendable {
    /// The receiver's own number for the satellite, unique within a constellation at most.
    public var prn: Int?
    /// The constellation of the satellite, if reported.
    public var constellation: Constellation?
    /// The number within the constellation.
    public var number: Int?
    /// The signal of the satellite that the values belong to (`sigid`).
    package var signalBand: Int?
    /// The GLONASS frequency slot.
    package var frequencySlot: Int?
    /// The degrees above the horizon.
    @OptionalDouble public var elevation: Double?
    /// The degrees clockwise from true north.
    @OptionalDouble public var azimuth: Double?
    /// The carrier-to-noise density in dB-Hz; `nil` also if gpsd reports 0, which means no signal.
    @OptionalDouble public var signal: Double?
    /// The pseudorange residual, in metres.
    @OptionalDouble package var residual: Double?
    /// Whether the satellite is used in the fix.
    public var isUsed: Bool
    /// The health that the satellite broadcasts.
    public var health: Health?
    /// The quality with which the receiver tracks the satellite, 0 … 7.
    package var quality: Int?

    /// Creates a satellite from the usual values.
    public init(
        constellation: Constellation? = nil, number: Int? = nil, prn: Int? = nil, elevation: Double? = nil,
        azimuth: Double? = nil, signal: Double? = nil, isUsed: Bool = false
    ) {
        self.constellation = constellation
        self.number = number
        self.prn = prn
        self.elevation = elevation
        self.azimuth = azimuth
        self.signal = signal
        self.isUsed = isUsed
    }

    /// The health of a satellite.
    public enum Health: Int, Hashable, Sendable {
        /// Not known.
        case unknown = 0
        /// Fit for use.
        case ok = 1
        /// Not to be used.
        case bad = 2
    }
}

/// A satellite navigation system.
public enum Constellation: Int, Hashable, Sendable, CaseIterable {
    /// United States.
    case gps = 0
    /// Augmentation by geostationary satellites: WAAS, EGNOS, …
    case sbas = 1
    /// European Union.
    case galileo = 2
    /// China.
    case beidou = 3
    /// Indoor signals from transmitters in buildings.
    case imes = 4
    /// Japan.
    case qzss = 5
    /// Russia.
    case glonass = 6
    /// India.
    case navic = 7

    /// The usual name.
    public var name: String {
        switch self {
        case .gps: "GPS"
        case .sbas: "SBAS"
        case .galileo: "Galileo"
        case .beidou: "BeiDou"
        case .imes: "IMES"
        case .qzss: "QZSS"
        case .glonass: "GLONASS"
        case .navic: "NavIC"
        }
    }
}
