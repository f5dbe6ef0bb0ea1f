/// The host's clock compared with the receiver's time at one instant.
///
/// A provider sends these as `LocationEvent.clock`; see `LocationRequest.includesClock`.
public struct ClockSample: Hashable, Sendable {
    package enum Source: String, Hashable, Sendable, CaseIterable {
        /// The receiver's pulse at the start of a second (PPS), which is exact to a microsecond or better.
        case pulse
        /// The first byte of a report on the data line (TOFF), which is late by the receiver's processing time and the
        /// speed of the line: by tens to hundreds of milliseconds.
        case message
    }

    package var device: String?
    package var source: Source
    package var receiverTime: Timestamp
    package var hostTime: Timestamp
    /// The precision of the comparison, as an exponent of two in seconds, if known.
    package var precision: Int?
    /// The pulse's quantisation error in picoseconds, as the receiver reports it, if it does.
    package var quantizationError: Int?
    /// The segment of NTP's shared memory that receives the same sample, if any; 1 for `NTP1`.
    package var sharedMemoryUnit: Int?

    package init(
        _ source: Source, device: String? = nil, receiverTime: Timestamp, hostTime: Timestamp, precision: Int? = nil,
        quantizationError: Int? = nil, sharedMemoryUnit: Int? = nil
    ) {
        self.source = source
        self.device = device
        self.receiverTime = receiverTime
        self.hostTime = hostTime
        self.precision = precision
        self.quantizationError = quantizationError
        self.sharedMemoryUnit = sharedMemoryUnit
    }

    /// The host's time minus the receiver's, in nanoseconds: positive if the host's clock is ahead.
    ///
    /// A difference of more than 292 years is clamped.
    package var offsetNanoseconds: Int64 { Int64(clamping: hostTime.since(receiverTime).wholeNanoseconds) }

    /// The host's time minus the receiver's: positive if the host's clock is ahead.
    package var offset: Duration { .nanoseconds(offsetNanoseconds) }
}
