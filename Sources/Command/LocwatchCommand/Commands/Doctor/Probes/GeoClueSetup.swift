import LocwatchArguments

/// The places where GeoClue reads NMEA, according to its configuration and to Avahi.
struct GeoClueSetup: Hashable {
    /// The configuration, which is a file of keys in sections.
    static let file = "/etc/geoclue/geoclue.conf"
    /// GeoClue itself.
    static let program = "/usr/libexec/geoclue"
    /// The type of the service that GeoClue looks for.
    static let service = "_nmea-0183._tcp"

    /// Whether NMEA is read at all.
    private(set) var isEnabled = false
    /// The path of the Unix socket that is read instead of the services of the network, if any.
    private(set) var socket: String?

    init(_ text: String) {
        var isNMEA = false
        for line in text.split(whereSeparator: \.isNewline) {
            let line = line.trimmed
            if line.hasPrefix("[") { isNMEA = line == "[network-nmea]" }
            guard isNMEA, let equals = line.firstIndex(of: "=") else { continue }
            let value = line[line.index(after: equals)...].trimmed
            switch line[..<equals].trimmed {
            case "enable": isEnabled = value == "true"
            case "nmea-socket": socket = value.isEmpty ? nil : String(value)
            default: break
            }
        }
    }

    /// The address and the port of an announced service.
    struct Service: Hashable {
        var address: String
        var port: UInt16
    }

    /// Returns the services in the output of `avahi-browse -rtp`.
    static func services(_ text: String) -> [Service] {
        var services: [Service] = []
        for line in text.split(whereSeparator: \.isNewline) where line.hasPrefix("=") {
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            // An address of IPv6 is of use only with its interface, and each service has one of IPv4 too.
            guard fields.count >= 9, fields[2] == "IPv4", let port = UInt16(fields[8]) else { continue }
            let service = Service(address: String(fields[7]), port: port)
            if !services.contains(service) { services.append(service) }
        }
        return services
    }

    /// Returns the accuracy in metres that GeoClue 2.6 makes of an HDOP.
    static func accuracy(ofHDOP hdop: Double) -> Int {
        let steps: [(most: Double, metres: Int)] = [(1, 0), (2, 1), (5, 3), (10, 50), (20, 100)]
        return steps.first { hdop <= $0.most }?.metres ?? 300
    }

    /// The state of the position according to NMEA sentences.
    enum Position: Hashable {
        /// No sentence with a position has come.
        case unknown
        /// The sentences say that there is no position.
        case missing
        /// A position, with its HDOP if that is known.
        case found(hdop: Double?)
    }

    /// Returns what the newest GGA sentence says, which is the only one that GeoClue reads for a place.
    static func position(inSentences text: String) -> Position {
        var position = Position.unknown
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields[0].count == 6, fields[0].hasSuffix("GGA"), fields.count > 8 else { continue }
            let isFix = fields[6] != "0" && !fields[6].isEmpty && !fields[2].isEmpty
            position = isFix ? .found(hdop: Double(fields[8])) : .missing
        }
        return position
    }
}
