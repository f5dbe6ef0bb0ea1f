/// A report from gpsd: one line of its JSON, by class.
package enum GPSDReport: Hashable, Sendable {
    /// The daemon's release, sent on connect.
    case version(VersionReport)
    /// The daemon's settings for this client.
    case watch(WatchReport)
    /// All devices of the daemon.
    case devices(DevicesReport)
    /// One device that was opened, recognised, reconfigured or closed.
    case device(DeviceReport)
    /// Time, position, velocity.
    case tpv(TPVReport)
    /// The satellites in view and the dilutions of precision.
    case sky(SKYReport)
    /// The direction in which a receiver points, and its inclination.
    case att(ATTReport)
    /// Statistics of the pseudorange errors.
    case gst(GSTReport)
    /// The host's clock compared with the receiver's, from the serial data.
    case toff(ClockComparisonReport)
    /// The host's clock compared with the receiver's, from the pulse.
    case pps(ClockComparisonReport)
    /// The answer to `?POLL;`.
    case poll(PollReport)
    /// An error message of the daemon about a command.
    case error(ErrorReport)
    /// A line that locwatch added to one of its recordings.
    case mark(RecordingMark)
    /// Any other class (`IMU`, `OSC`, `RAW`, `SUBFRAME`, `RTCM2`, `RTCM3`, `AIS`, `LOG`, `ACK`, or a future one).
    ///
    /// The line is well-formed, but its content is not decoded.
    case other(class: String)
}

extension GPSDReport {
    /// Whether the report is more than a part of gpsd's greeting, a list of its devices or a mark.
    package var isContent: Bool {
        switch self {
        case .version, .watch, .devices, .device, .mark: false
        default: true
        }
    }
}
