import LocationCore

/// The last figures of a receiver or of a device of a fleet, in few bytes because a fleet can have thousands.
struct DeviceMetrics: Sendable {
    /// The figures of the current position.
    struct Position: Sendable {
        var mode: Int
        /// gpsd's number of the quality.
        var status: Int32
        var correctionAge: Float
        var correctionStation: Float
        var coordinate: Coordinate
        var altitude: Float
        var horizontalError: Float
        var verticalError: Float
        var speed: Float
        var course: Float
    }

    /// The position, if it is current.
    private(set) var position: Position?
    /// Whether the device has a current position, or `nil` before its first report.
    private(set) var isFound: Bool?
    /// The time of the last position.
    private(set) var lastFix: Timestamp?
    /// The judgement of the device, and its reasons.
    private(set) var verdict = IntegrityVerdict.nominal
    private(set) var reasons: IntegrityReasons = []
    /// The number of positions.
    private(set) var positions = 0
    /// The host's time minus the receiver's when a position arrived, in seconds.
    private(set) var clockOffset: Double?
    /// The host's time minus the receiver's at the last pulse, in seconds.
    private(set) var pulseOffset: Double?
    /// The host's time minus the receiver's at the first data of the last message, in seconds.
    private(set) var messageOffset: Double?

    mutating func note(_ location: Location) {
        if location.revision == 0 {
            positions += 1
            // A late report says nothing about the clock.
            if !location.isLate, let time = location.timestamp, let received = location.received {
                clockOffset = received.since(time) / .seconds(1)
            }
        }
        guard !location.isLate else { return }
        lastFix = location.timestamp ?? location.received ?? lastFix
        let details = location.details
        position = Position(
            mode: location.fix.rawValue, status: Int32(clamping: location.quality.gpsdStatus),
            correctionAge: Float(details?.dgpsAge ?? .nan),
            correctionStation: details?.dgpsStation.map(Float.init) ?? .nan,
            coordinate: location.coordinate,
            altitude: Float(location.altitudeMSL ?? .nan), horizontalError: Float(location.horizontalAccuracy ?? .nan),
            verticalError: Float(location.verticalAccuracy ?? .nan), speed: Float(location.speed ?? .nan),
            course: Float(location.course ?? .nan))
    }

    mutating func note(_ change: IntegrityChange) { (verdict, reasons) = (change.to, change.reasons) }

    mutating func note(_ sample: ClockSample) {
        let offset = Double(sample.offsetNanoseconds) / 1e9
        switch sample.source {
        case .pulse: pulseOffset = offset
        case .message: messageOffset = offset
        }
    }

    mutating func note(_ transition: StateChange) {
        isFound = transition.to.location != nil
        guard isFound == false else { return }
        // A receiver without a fix has no exact time either.
        (position, pulseOffset, messageOffset) = (nil, nil, nil)
    }
}
