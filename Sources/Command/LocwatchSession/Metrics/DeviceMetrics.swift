import LocationCore

/// The last figures of a receiver or of a device of a fleet, in few bytes because a fleet can have thousands.
struct DeviceMetrics: Sendable {
    /// The position, if it is current.
    private(set) var position: Location?
    /// Whether the device has a current position, or `nil` before its first report.
    private(set) var isFound: Bool?
    private(set) var lastFix: Timestamp?
    private(set) var verdict = IntegrityVerdict.nominal
    private(set) var reasons: IntegrityReasons = []
    private(set) var positions = 0
    /// The host's time minus the receiver's when a position arrived, in seconds.
    private(set) var clockOffset: Double?
    /// The host's time minus the receiver's at the last pulse, in seconds.
    private(set) var pulseOffset: Double?
    /// The host's time minus the receiver's at the first data of the last message, in seconds.
    private(set) var messageOffset: Double?

    mutating func note(_ location: Location) {
        positions += 1
        // A late position says nothing about the clock.
        if !location.isLate, let time = location.timestamp, let received = location.received {
            clockOffset = received.since(time).inSeconds
        }
        guard !location.isLate else { return }
        lastFix = location.timestamp ?? location.received ?? lastFix
        position = location
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
