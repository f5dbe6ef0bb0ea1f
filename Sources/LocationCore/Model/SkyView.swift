/// The satellites that a receiver sees at an instant, and the geometry they make.
public struct SkyView: Hashable, Sendable, Codable {
    /// When, by the receiver's clock.
    public var timestamp: Timestamp?
    /// The receiver that sees them.
    public var device: String?
    /// The satellites; `nil` where the report carried only figures, which does not mean that none is in view.
    public var satellites: [Satellite]?
    /// How many satellites are seen.
    public var seen: Int?
    /// How many of them the fix is made of.
    public var used: Int?
    /// Dilutions of precision.
    public var dilution: DilutionOfPrecision

    /// What a receiver sees; the counts come from the list where they are not given.
    public init(
        satellites: [Satellite]?, seen: Int? = nil, used: Int? = nil, dilution: DilutionOfPrecision = .init(),
        timestamp: Timestamp? = nil, device: String? = nil
    ) {
        self.satellites = satellites
        self.seen = seen ?? satellites?.count
        self.used = used ?? satellites?.count { $0.isUsed }
        self.dilution = dilution
        self.timestamp = timestamp
        self.device = device
    }

    /// The strongest signal in dB-Hz, or `nil` where no satellite is heard.
    public var bestSignal: Double? { satellites?.lazy.compactMap { $0.signal }.max() }
}

/// How the geometry of the satellites widens errors; smaller is better.
public struct DilutionOfPrecision: Hashable, Sendable, Codable {
    /// On the ground, along the east–west axis.
    @Measured public var longitude: Double?
    /// On the ground, along the north–south axis.
    @Measured public var latitude: Double?
    /// On the ground.
    @Measured public var horizontal: Double?
    /// In altitude.
    @Measured public var vertical: Double?
    /// In all three dimensions.
    @Measured public var position: Double?
    /// In time.
    @Measured public var time: Double?
    /// In space and time.
    @Measured public var geometric: Double?

    /// Dilutions of which nothing is known yet.
    public init() {}
}

/// One satellite as a receiver sees it.
public struct Satellite: Hashable, Sendable, Codable {
    /// Its number in the receiver's own counting, unique within a constellation at most.
    public var prn: Int?
    /// The system it belongs to, where the receiver tells.
    public var constellation: Constellation?
    /// Its number within its constellation.
    public var number: Int?
    /// The signal of it that is meant (`sigid`).
    public var signalBand: Int?
    /// GLONASS frequency slot.
    public var frequencySlot: Int?
    /// Degrees above the horizon.
    @Measured public var elevation: Double?
    /// Degrees clockwise from true north.
    @Measured public var azimuth: Double?
    /// Carrier to noise density, dB-Hz; `nil` also where gpsd says 0, which means no signal.
    @Measured public var signal: Double?
    /// Pseudorange residual, metres.
    @Measured public var residual: Double?
    /// Whether the fix is made of it.
    public var isUsed: Bool
    /// What the satellite says of itself.
    public var health: Health?
    /// How well the receiver tracks it, 0 … 7.
    public var quality: Int?

    /// A satellite with what is usually known.
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

    /// Whether a satellite is fit for use.
    public enum Health: Int, Hashable, Sendable, Codable {
        /// Not known.
        case unknown = 0
        /// Fit for use.
        case ok = 1
        /// Not to be used.
        case bad = 2
    }
}

/// A satellite navigation system.
public enum Constellation: Int, Hashable, Sendable, Codable, CaseIterable {
    /// United States.
    case gps = 0
    /// Augmentation by geostationary satellites: WAAS, EGNOS, …
    case sbas = 1
    /// European Union.
    case galileo = 2
    /// China.
    case beidou = 3
    /// Signals of buildings, for indoor use.
    case imes = 4
    /// Japan.
    case qzss = 5
    /// Russia.
    case glonass = 6
    /// India.
    case navic = 7

    /// The name that people use.
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
