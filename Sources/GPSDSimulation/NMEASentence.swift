/// One NMEA 0183 sentence: what stands between the dollar sign and the checksum.
public struct NMEASentence: Hashable, Sendable {
    /// Talker, type and fields, joined by commas.
    public let body: String

    /// A sentence out of its talker, its type (`GGA`) and its fields, empty where unknown.
    public init(_ talker: NMEATalker, _ type: String, _ fields: [String]) {
        body = ([talker.rawValue + type] + fields).joined(separator: ",")
    }

    /// The exclusive or of the body's bytes.
    public var checksum: UInt8 { body.utf8.reduce(0, ^) }

    /// The sentence as it goes over the line, its end included.
    public var text: String {
        let digits = String(checksum, radix: 16, uppercase: true)
        return "$" + body + "*" + (digits.count < 2 ? "0" : "") + digits + "\r\n"
    }
}

/// Who speaks: the satellite system that a sentence is about.
public enum NMEATalker: String, Hashable, Sendable, CaseIterable {
    /// GPS.
    case gps = "GP"
    /// GLONASS.
    case glonass = "GL"
    /// Galileo.
    case galileo = "GA"
    /// BeiDou, as NMEA 4.10 and later have it.
    case beidou = "GB"
    /// BeiDou, as many receivers wrote it before.
    case beidouOld = "BD"
    /// Several systems together.
    case combined = "GN"
}
