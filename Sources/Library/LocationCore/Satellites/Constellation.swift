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
