public import LocationCore

/// The attitude of a vehicle (`ATT`, and `IMU` for the raw sensors).
public struct ATTReport: Hashable, Sendable {
    /// The device that the report came from.
    public var device: String?
    /// The time of the measurement.
    public var time: Timestamp?
    /// Whether the report has a time that cannot be parsed.
    public var timeIsUnreadable = false
    /// The receiver's message that the report was made from.
    public var msg: String?
    /// The receiver's own clock tick.
    public var timeTag: Int?
    /// Heading, degrees from true north.
    @Measured public var heading: Double?
    /// The magnetometer's status letter.
    public var mag_st: String?
    /// Heading, degrees from magnetic north.
    @Measured public var mheading: Double?
    /// Pitch in degrees.
    @Measured public var pitch: Double?
    /// The pitch sensor's status letter.
    public var pitch_st: String?
    /// Yaw in degrees.
    @Measured public var yaw: Double?
    /// The yaw sensor's status letter.
    public var yaw_st: String?
    /// Roll in degrees.
    @Measured public var roll: Double?
    /// The roll sensor's status letter.
    public var roll_st: String?
    /// Rate of turn, degrees a minute.
    @Measured public var rot: Double?
    /// Local magnetic inclination in degrees, positive downwards.
    @Measured public var dip: Double?
    /// Strength of the magnetic field.
    @Measured public var mag_len: Double?
    /// The field's x component.
    @Measured public var mag_x: Double?
    /// The field's y component.
    @Measured public var mag_y: Double?
    /// The field's z component.
    @Measured public var mag_z: Double?
    /// Acceleration.
    @Measured public var acc_len: Double?
    /// The acceleration's x component.
    @Measured public var acc_x: Double?
    /// The acceleration's y component.
    @Measured public var acc_y: Double?
    /// The acceleration's z component.
    @Measured public var acc_z: Double?
    /// The gyroscope's temperature in degrees Celsius.
    @Measured public var gyro_temp: Double?
    /// Angular velocity around x.
    @Measured public var gyro_x: Double?
    /// Angular velocity around y.
    @Measured public var gyro_y: Double?
    /// Angular velocity around z.
    @Measured public var gyro_z: Double?
    /// Temperature at the sensor in degrees Celsius.
    @Measured public var temp: Double?
    /// Depth of the water in metres.
    @Measured public var depth: Double?
    /// The state of the baseline, numbered as a fix's status.
    public var baseS: Int?
    /// The baseline's east component in metres.
    @Measured public var baseE: Double?
    /// The baseline's north component in metres.
    @Measured public var baseN: Double?
    /// The baseline's up component in metres.
    @Measured public var baseU: Double?
    /// The baseline's length in metres.
    @Measured public var baseL: Double?
    /// The baseline's course in degrees.
    @Measured public var baseC: Double?
    /// Values of unknown keys and values of unexpected types, by key.
    public var unknownKeys: [String: JSONFragment] = [:]

    /// Creates an empty report.
    public init() {}
}

extension ATTReport: KeyedReport {
    enum Key: String, CaseIterable {
        case device, time, msg, timeTag, heading, mag_st, mheading, pitch, pitch_st, yaw, yaw_st, roll, roll_st, rot
        case dip, mag_len, mag_x, mag_y, mag_z, acc_len, acc_x, acc_y, acc_z, gyro_temp, gyro_x, gyro_y, gyro_z, temp
        case depth, baseS, baseE, baseN, baseU, baseL, baseC
    }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with memory: inout DecoderMemory
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
