public import LocationCore

/// A stream of a receiver's data in a network, read through a private gpsd.
///
/// The stream holds whatever gpsd decodes, such as NMEA of a chart plotter or of a telephone. The sessions of a source
/// share one gpsd, which starts with the first session and ends with the last. After a failure, or a long silence of a
/// connection, the stream is opened again with growing pauses.
public struct StreamReceiverSource: LocationProvider {
    private let options: SessionOptions
    private let daemon: GPSDOwner

    /// Creates a source for a stream.
    ///
    /// - Parameters:
    ///   - address: The address of the stream.
    ///   - password: The password of the user at a caster; it does not appear in events, messages and lines.
    ///   - reconnects: Whether a session continues after a failure; if not, the failure ends it.
    public init(_ address: StreamAddress, password: String? = nil, reconnects: Bool = true) {
        self.init(address, password: password, options: SessionOptions(reconnects: reconnects))
    }

    package init(_ address: StreamAddress, password: String?, options: SessionOptions) {
        self.options = options
        var settings = PrivateGPSD.Settings()
        settings.limit = options.timeouts.connecting
        daemon = GPSDOwner(settings: settings) { () throws(LocationError) in
            AttachedReceiver(try StreamDevice(address, password: password))
        }
    }

    package var runningSessions: Int { daemon.userCount }

    /// Returns the updates of the stream.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        daemon.updates(for: request, options: options)
    }
}
