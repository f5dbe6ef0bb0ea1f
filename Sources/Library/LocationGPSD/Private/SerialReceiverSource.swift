public import LocationCore

/// A receiver on a serial line of this machine, read through a private gpsd.
///
/// The sessions of a source share one gpsd, which starts with the first session and ends with the last. It is restarted
/// when it has died and when an unplugged device is back, because gpsd does not always reopen the device. That is tried
/// again with growing pauses while another program holds the device.
public struct SerialReceiverSource: LocationProvider {
    private let options: SessionOptions
    private let daemon: GPSDOwner

    /// Creates a source for a receiver.
    ///
    /// - Parameters:
    ///   - device: the path of the device, such as `/dev/ttyACM0`.
    ///   - speed: the speed of the line in bits per second, or `nil` to have gpsd detect it.
    ///   - corrections: the corrections that the gpsd forwards to the receiver, if any. It then writes to the receiver; without
    ///     corrections it only reads. Their state comes as the notice `corrections`.
    ///   - reconnects: whether a session continues after a failure; if not, the failure ends it.
    public init(device: String, speed: Int? = nil, corrections: CorrectionsSource? = nil, reconnects: Bool = true) {
        self.init(
            device: device, speed: speed, corrections: corrections, options: SessionOptions(reconnects: reconnects))
    }

    package init(
        device: String, speed: Int?, corrections: CorrectionsSource? = nil, mayWrite: Bool = false,
        options: SessionOptions
    ) {
        self.init(speed: speed, corrections: corrections, mayWrite: mayWrite, options: options) {
            () throws(LocationError) in AttachedReceiver(path: device) {}
        }
    }

    /// Creates a source for a receiver that exists only while the source has sessions.
    ///
    /// - Parameters:
    ///   - mayWrite: whether the gpsd may ask the receiver about its kind, and change it at a request of a `ReceiverControl`.
    ///   - attach: a closure that makes the receiver available; called by the first of concurrent sessions.
    package init(
        speed: Int? = nil, corrections: CorrectionsSource? = nil, mayWrite: Bool = false, options: SessionOptions,
        attach: @escaping @Sendable () throws(LocationError) -> AttachedReceiver
    ) {
        self.options = options
        var settings = PrivateGPSD.Settings()
        settings.speed = speed
        settings.isReadOnly = !mayWrite
        settings.corrections = corrections
        settings.timeouts = options.timeouts
        daemon = GPSDOwner(settings: settings, attach: attach)
    }

    package var runningSessions: Int { daemon.userCount }

    /// Returns the updates of the receiver.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        daemon.updates(for: request, options: options)
    }
}
