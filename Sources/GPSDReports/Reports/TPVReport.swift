package import LocationCore

/// Time, position and velocity (`TPV`), under the daemon's own names; absent values are `nil`.
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
    /// Leap seconds between UTC and the satellites' time, if known.
    @Counted package var leapseconds: Int?
    /// Uncertainty of the time, seconds.
    @OptionalDouble package var ept: Double?
    /// Latitude, degrees north.
    @OptionalDouble package var lat: Double?
    /// Longitude, degrees east.
    @OptionalDouble package var lon: Double?
    /// Height above the ellipsoid, metres.
    @OptionalDouble package var altHAE: Double?
    /// Height above mean sea level, metres.
    @OptionalDouble package var altMSL: Double?
    /// Uncertainty of the longitude, metres.
    @OptionalDouble package var epx: Double?
    /// Uncertainty of the latitude, metres.
    @OptionalDouble package var epy: Double?
    /// Uncertainty of the height, metres.
    @OptionalDouble package var epv: Double?
    /// Course over ground, degrees from true north.
    @OptionalDouble package var track: Double?
    /// Course over ground, degrees from magnetic north; gpsd has been seen to apply `magvar` with the wrong sign.
    @OptionalDouble package var magtrack: Double?
    /// Magnetic declination, degrees, positive to the east.
    @OptionalDouble package var magvar: Double?
    /// Speed over ground, metres a second.
    @OptionalDouble package var speed: Double?
    /// Speed upwards, metres a second.
    @OptionalDouble package var climb: Double?
    /// Uncertainty of the course, degrees.
    @OptionalDouble package var epd: Double?
    /// Uncertainty of the speed, metres a second.
    @OptionalDouble package var eps: Double?
    /// Uncertainty of the climb, metres a second.
    @OptionalDouble package var epc: Double?
    /// Earth-centred x, metres.
    @OptionalDouble package var ecefx: Double?
    /// Earth-centred y, metres.
    @OptionalDouble package var ecefy: Double?
    /// Earth-centred z, metres.
    @OptionalDouble package var ecefz: Double?
    /// Earth-centred velocity along x, metres a second.
    @OptionalDouble package var ecefvx: Double?
    /// Earth-centred velocity along y, metres a second.
    @OptionalDouble package var ecefvy: Double?
    /// Earth-centred velocity along z, metres a second.
    @OptionalDouble package var ecefvz: Double?
    /// Uncertainty of the earth-centred position, metres.
    @OptionalDouble package var ecefpAcc: Double?
    /// Uncertainty of the earth-centred velocity, metres a second.
    @OptionalDouble package var ecefvAcc: Double?
    /// Orientation of the error ellipse's major axis, degrees from true north.
    @OptionalDouble package var errEllOr: Double?
    /// The error ellipse's major half axis, metres.
    @OptionalDouble package var errEllMaj: Double?
    /// The error ellipse's minor half axis, metres.
    @OptionalDouble package var errEllMin: Double?
    /// Velocity north, metres a second.
    @OptionalDouble package var velN: Double?
    /// Velocity east, metres a second.
    @OptionalDouble package var velE: Double?
    /// Velocity down, metres a second.
    @OptionalDouble package var velD: Double?
    /// North from the base station, metres.
    @OptionalDouble package var relN: Double?
    /// East from the base station, metres.
    @OptionalDouble package var relE: Double?
    /// Down from the base station, metres.
    @OptionalDouble package var relD: Double?
    /// Height of the geoid above the ellipsoid, metres.
    @OptionalDouble package var geoidSep: Double?
    /// Uncertainty of the position in the plane, metres.
    @OptionalDouble package var eph: Double?
    /// Uncertainty of the position in space, metres.
    @OptionalDouble package var sep: Double?
    /// The datum; `nil` is WGS 84.
    package var datum: String?
    /// Depth of the water, metres.
    @OptionalDouble package var depth: Double?
    /// Age of the differential corrections, seconds.
    @OptionalDouble package var dgpsAge: Double?
    /// The station that sends the corrections.
    @Counted package var dgpsSta: Int?
    /// The state of the antenna: 2 open, 3 short (the daemon's manual swaps these two).
    @Counted package var ant: Int?
    /// Jamming, 0 … 255.
    @Counted package var jam: Int?
    /// Wind angle from magnetic north, degrees.
    @OptionalDouble package var wanglem: Double?
    /// Wind angle relative to the vessel, degrees.
    @OptionalDouble package var wangler: Double?
    /// Wind angle from true north, degrees.
    @OptionalDouble package var wanglet: Double?
    /// Wind speed relative to the vessel, metres a second.
    @OptionalDouble package var wspeedr: Double?
    /// Wind speed true, metres a second.
    @OptionalDouble package var wspeedt: Double?
    /// The receiver's temperature, degrees Celsius.
    @OptionalDouble package var temp: Double?
    /// The water's temperature, degrees Celsius.
    @OptionalDouble package var wtemp: Double?

    /// Creates an empty report.
    package init() {}

    /// Sets a number under the daemon's name for it.
    package mutating func set(_ name: StaticString, to number: Double) {
        guard let key = Key(rawValue: "\(name)") else { return }
        readCount(key, Counted(wrappedValue: Int(exactly: number)))
        readNumber(key, OptionalDouble(wrappedValue: number))
    }

    /// Whether the report has a number that belongs in `LocationDetails`.
    // All numbers are tested at once, by the bits that all unknown ones have in common, because each report is tested.
    var tellsMeasuredDetails: Bool {
        let position = _ecefx.bits & _ecefy.bits & _ecefz.bits & _ecefpAcc.bits
        let velocity =
            _ecefvx.bits & _ecefvy.bits & _ecefvz.bits & _ecefvAcc.bits & _velN.bits & _velE.bits & _velD.bits
        let accuracy = _errEllMaj.bits & _errEllMin.bits & _errEllOr.bits
        let base = _relN.bits & _relE.bits & _relD.bits & _dgpsAge.bits
        let wind = _wangler.bits & _wanglem.bits & _wanglet.bits & _wspeedr.bits & _wspeedt.bits
        let water = _depth.bits & _temp.bits & _wtemp.bits
        let unknown = Double.nan.bitPattern
        return position & velocity & accuracy & base & wind & water & unknown != unknown
    }

    /// Whether the report has a count that belongs in `LocationDetails`.
    var tellsCountedDetails: Bool { dgpsSta != nil || leapseconds != nil || ant != nil || jam != nil }
}

extension TPVReport: KeyedObject {
    enum Key: String, CaseIterable {
        case device, mode, time, status, leapseconds, ept, lat, lon, altHAE, altMSL, epx, epy, epv, track, magtrack
        case magvar, speed, climb, epd, eps, epc, ecefx, ecefy, ecefz, ecefvx, ecefvy, ecefvz, ecefpAcc, ecefvAcc
        case errEllOr, errEllMaj, errEllMin, velN, velE, velD, relN, relE, relD, geoidSep, eph, sep, datum, depth
        case dgpsAge, dgpsSta, ant, jam, wanglem, wangler, wanglet, wspeedr, wspeedt, temp, wtemp
    }

    static let keys = KeyTable<Key>()

    // Each number reader has one call for all its keys, which keeps the loop over the keys within the compiler's limits
    // for inlining, and the scanner in registers.
    @inline(__always)
    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .device: device = try memory.name(from: &scanner)
        case .mode: mode = try scanner.integer() ?? 0
        case .time: time = try memory.time(from: &scanner)
        case .datum: datum = try scanner.string()
        case .status, .leapseconds, .dgpsSta, .ant, .jam: readCount(key, try scanner.counted())
        default: readNumber(key, OptionalDouble(wrappedValue: try scanner.number()))
        }
    }

    @inline(__always)
    private mutating func readCount(_ key: Key, _ number: Counted) {
        switch key {
        case .status: _status = number
        case .leapseconds: _leapseconds = number
        case .dgpsSta: _dgpsSta = number
        case .ant: _ant = number
        case .jam: _jam = number
        default: break
        }
    }

    @inline(__always)
    private mutating func readNumber(_ key: Key, _ number: OptionalDouble) {
        switch key {
        case .ept: _ept = number
        case .lat: _lat = number
        case .lon: _lon = number
        case .altHAE: _altHAE = number
        case .altMSL: _altMSL = number
        case .epx: _epx = number
        case .epy: _epy = number
        case .epv: _epv = number
        case .track: _track = number
        case .magtrack: _magtrack = number
        case .magvar: _magvar = number
        case .speed: _speed = number
        case .climb: _climb = number
        case .epd: _epd = number
        case .eps: _eps = number
        case .epc: _epc = number
        case .ecefx: _ecefx = number
        case .ecefy: _ecefy = number
        case .ecefz: _ecefz = number
        case .ecefvx: _ecefvx = number
        case .ecefvy: _ecefvy = number
        case .ecefvz: _ecefvz = number
        case .ecefpAcc: _ecefpAcc = number
        case .ecefvAcc: _ecefvAcc = number
        case .errEllOr: _errEllOr = number
        case .errEllMaj: _errEllMaj = number
        case .errEllMin: _errEllMin = number
        case .velN: _velN = number
        case .velE: _velE = number
        case .velD: _velD = number
        case .relN: _relN = number
        case .relE: _relE = number
        case .relD: _relD = number
        case .geoidSep: _geoidSep = number
        case .eph: _eph = number
        case .sep: _sep = number
        case .depth: _depth = number
        case .dgpsAge: _dgpsAge = number
        case .wanglem: _wanglem = number
        case .wangler: _wangler = number
        case .wanglet: _wanglet = number
        case .wspeedr: _wspeedr = number
        case .wspeedt: _wspeedt = number
        case .temp: _temp = number
        case .wtemp: _wtemp = number
        default: break
        }
    }
}
