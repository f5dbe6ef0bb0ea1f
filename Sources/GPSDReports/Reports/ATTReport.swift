package import LocationCore

/// The attitude of a vehicle (`ATT`, and `IMU` for the raw sensors).
package struct ATTReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The time of the measurement.
    package var time: Timestamp?
    /// Whether the report has a time that cannot be parsed.
    package var timeIsUnreadable = false
    /// The receiver's message that the report was made from.
    package var msg: String?
    /// The receiver's own clock tick.
    package var timeTag: Int?
    /// Heading, degrees from true north.
    @OptionalDouble package var heading: Double?
    /// The magnetometer's status letter.
    package var mag_st: String?
    /// Heading, degrees from magnetic north.
    @OptionalDouble package var mheading: Double?
    /// Pitch in degrees.
    @OptionalDouble package var pitch: Double?
    /// The pitch sensor's status letter.
    package var pitch_st: String?
    /// Yaw in degrees.
    @OptionalDouble package var yaw: Double?
    /// The yaw sensor's status letter.
    package var yaw_st: String?
    /// Roll in degrees.
    @OptionalDouble package var roll: Double?
    /// The roll sensor's status letter.
    package var roll_st: String?
    /// Rate of turn, degrees a minute.
    @OptionalDouble package var rot: Double?
    /// Local magnetic inclination in degrees, positive downwards.
    @OptionalDouble package var dip: Double?
    /// Strength of the magnetic field.
    @OptionalDouble package var mag_len: Double?
    /// The field's x component.
    @OptionalDouble package var mag_x: Double?
    /// The field's y component.
    @OptionalDouble package var mag_y: Double?
    /// The field's z component.
    @OptionalDouble package var mag_z: Double?
    /// Acceleration.
    @OptionalDouble package var acc_len: Double?
    /// The acceleration's x component.
    @OptionalDouble package var acc_x: Double?
    /// The acceleration's y component.
    @OptionalDouble package var acc_y: Double?
    /// The acceleration's z component.
    @OptionalDouble package var acc_z: Double?
    /// The gyroscope's temperature in degrees Celsius.
    @OptionalDouble package var gyro_temp: Double?
    /// Angular velocity around x.
    @OptionalDouble package var gyro_x: Double?
    /// Angular velocity around y.
    @OptionalDouble package var gyro_y: Double?
    /// Angular velocity around z.
    @OptionalDouble package var gyro_z: Double?
    /// Temperature at the sensor in degrees Celsius.
    @OptionalDouble package var temp: Double?
    /// Depth of the water in metres.
    @OptionalDouble package var depth: Double?
    /// The state of the baseline, numbered as a fix's status.
    package var baseS: Int?
    /// The baseline's east component in metres.
    @OptionalDouble package var baseE: Double?
    /// The baseline's north component in metres.
    @OptionalDouble package var baseN: Double?
    /// The baseline's up component in metres.
    @OptionalDouble package var baseU: Double?
    /// The baseline's length in metres.
    @OptionalDouble package var baseL: Double?
    /// The baseline's course in degrees.
    @OptionalDouble package var baseC: Double?
    /// Values of unknown keys and values of unexpected types, by key.
    package var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
    package init() {}
}

extension ATTReport: KeyedReport {
    enum Key: String, CaseIterable {
        case device, time, msg, timeTag, heading, mag_st, mheading, pitch, pitch_st, yaw, yaw_st, roll, roll_st, rot
        case dip, mag_len, mag_x, mag_y, mag_z, acc_len, acc_x, acc_y, acc_z, gyro_temp, gyro_x, gyro_y, gyro_z, temp
        case depth, baseS, baseE, baseN, baseU, baseL, baseC
    }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .device: device = try memory.name(from: &scanner)
        case .time: time = try memory.time(from: &scanner, unreadable: &timeIsUnreadable)
        case .msg: msg = try scanner.string()
        case .timeTag: timeTag = try scanner.integer()
        case .mag_st: mag_st = try scanner.string()
        case .pitch_st: pitch_st = try scanner.string()
        case .yaw_st: yaw_st = try scanner.string()
        case .roll_st: roll_st = try scanner.string()
        case .baseS: baseS = try scanner.integer()
        default: readNumber(key, try scanner.number())
        }
    }

    private mutating func readNumber(_ key: Key, _ number: Double?) {
        switch key {
        case .heading: heading = number
        case .mheading: mheading = number
        case .pitch: pitch = number
        case .yaw: yaw = number
        case .roll: roll = number
        case .rot: rot = number
        case .dip: dip = number
        case .mag_len: mag_len = number
        case .mag_x: mag_x = number
        case .mag_y: mag_y = number
        case .mag_z: mag_z = number
        case .acc_len: acc_len = number
        case .acc_x: acc_x = number
        case .acc_y: acc_y = number
        case .acc_z: acc_z = number
        case .gyro_temp: gyro_temp = number
        case .gyro_x: gyro_x = number
        case .gyro_y: gyro_y = number
        case .gyro_z: gyro_z = number
        case .temp: temp = number
        case .depth: depth = number
        case .baseE: baseE = number
        case .baseN: baseN = number
        case .baseU: baseU = number
        case .baseL: baseL = number
        case .baseC: baseC = number
        case .device, .time, .msg, .timeTag, .mag_st, .pitch_st, .yaw_st, .roll_st, .baseS: break
        }
    }
}
