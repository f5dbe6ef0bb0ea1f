package import LocationCore

/// The attitude of a compass, of two antennas or of an inertial sensor (`ATT`), under gpsd's names.
///
/// gpsd reports the acceleration and the magnetic field in it too, often without a heading; they have no use here. From release 3.25 the
/// raw values of such sensors come as `IMU`, which has never been seen with a heading.
package struct ATTReport: Hashable, Sendable {
    /// The device that the report came from.
    package var device: String?
    /// The time of the report; sentences have none.
    package var time: Timestamp?
    /// The heading from true north, in degrees.
    @OptionalDouble package var heading: Double?
    /// The heading from magnetic north, in degrees; releases before 3.25 do not report it.
    @OptionalDouble package var mheading: Double?
    @OptionalDouble package var pitch: Double?
    @OptionalDouble package var roll: Double?
    /// The rate of turn in degrees a minute; releases before 3.25 do not report it.
    @OptionalDouble package var rot: Double?
    /// Whether the report has the state of a magnetometer, as only compasses of True North Technologies report it.
    package var hasMagnetometerState = false

    /// Creates an empty report.
    package init() {}
}

extension ATTReport: KeyedObject {
    enum Key: String, CaseIterable { case device, time, heading, mheading, pitch, roll, rot, mag_st }

    static let keys = KeyTable<Key>()

    mutating func read(
        _ key: Key, from scanner: inout JSONScanner, with cache: inout DecoderCache
    ) throws(ReportError) {
        switch key {
        case .device: device = try cache.name(from: &scanner)
        case .time: time = try cache.time(from: &scanner)
        case .heading: heading = try scanner.number()
        case .mheading: mheading = try scanner.number()
        case .pitch: pitch = try scanner.number()
        case .roll: roll = try scanner.number()
        case .rot: rot = try scanner.number()
        case .mag_st: hasMagnetometerState = try scanner.string() != nil
        }
    }
}
