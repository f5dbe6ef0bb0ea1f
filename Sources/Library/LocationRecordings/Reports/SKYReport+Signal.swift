package import LocationCore

extension SKYReport {
    /// One signal of a satellite in `SKY`, which may list a satellite once per signal.
    package struct Signal: Hashable, Sendable {
        /// The satellite's number in gpsd's counting over all constellations.
        @Counted package var PRN: Int?
        /// The constellation: 0 GPS, 1 SBAS, 2 Galileo, 3 BeiDou, 4 IMES, 5 QZSS, 6 GLONASS, 7 NavIC.
        @Counted package var gnssid: Int?
        /// The satellite's number within its constellation.
        @Counted package var svid: Int?
        /// The signal, numbered within the constellation.
        @Counted package var sigid: Int?
        /// The frequency of a GLONASS satellite, shifted by 8.
        @Counted package var freqid: Int?
        /// The satellite's health: 0 unknown, 1 healthy, 2 unhealthy.
        @Counted package var health: Int?
        /// The tracking quality of the signal, 0 … 7.
        @Counted package var qual: Int?
        /// Azimuth, degrees from true north.
        @OptionalDouble package var az: Double?
        /// Elevation, degrees.
        @OptionalDouble package var el: Double?
        /// Signal to noise, dB-Hz; 0 means that there is no signal.
        @OptionalDouble package var ss: Double?
        /// Residual of the pseudorange, metres.
        @OptionalDouble package var prRes: Double?
        /// Whether the satellite is used in the fix.
        package var used = false

        /// Creates a satellite without values.
        package init() {}
    }
}

extension SKYReport.Signal: KeyedObject {
    // The pseudorange and its rate are not kept, but a known key costs only one comparison.
    enum Key: String, CaseIterable {
        case PRN, gnssid, svid, sigid, freqid, health, qual, az, el, ss, pr, prRate, prRes, used
    }

    static let keys = KeyTable<Key>()

    @inline(__always)
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .used: used = scanner.bool() ?? false
        case .PRN, .gnssid, .svid, .sigid, .freqid, .health, .qual:
            readCount(key, try scanner.counted())
        default: readNumber(key, OptionalDouble(wrappedValue: try scanner.number()))
        }
    }

    @inline(__always)
    private mutating func readCount(_ key: Key, _ number: Counted) {
        switch key {
        case .PRN: _PRN = number
        case .gnssid: _gnssid = number
        case .svid: _svid = number
        case .sigid: _sigid = number
        case .freqid: _freqid = number
        case .health: _health = number
        case .qual: _qual = number
        default: break
        }
    }

    @inline(__always)
    private mutating func readNumber(_ key: Key, _ number: OptionalDouble) {
        switch key {
        case .az: _az = number
        case .el: _el = number
        case .ss: _ss = number
        case .prRes: _prRes = number
        default: break
        }
    }
}
