/// One report of gpsd: a line of its JSON, by class.
public enum GPSDReport: Hashable, Sendable {
    /// The daemon's release, sent on connect.
    case version(VersionReport)
    /// What the daemon sends to this client.
    case watch(WatchReport)
    /// All devices of the daemon.
    case devices(DevicesReport)
    /// One device: opened, recognised, reconfigured or closed.
    case device(DeviceReport)
    /// Time, position, velocity.
    case tpv(TPVReport)
    /// The satellites in view and the dilutions of precision.
    case sky(SKYReport)
    /// Statistics of the pseudorange errors.
    case gst(GSTReport)
    /// Attitude, in step with the fixes.
    case att(ATTReport)
    /// Attitude as the inertial sensors measure it.
    case imu(ATTReport)
    /// The host's clock against the receiver's, from the serial data.
    case toff(TOFFReport)
    /// The host's clock against the receiver's, from the pulse.
    case pps(PPSReport)
    /// The state of a disciplined oscillator.
    case osc(OSCReport)
    /// The answer to `?POLL;`.
    case poll(PollReport)
    /// A complaint of the daemon about a command.
    case error(ErrorReport)
    /// Any other class (`RAW`, `SUBFRAME`, `RTCM2`, `RTCM3`, `AIS`, `LOG`, `ACK`, or one of the future).
    ///
    /// The line is well-formed; whoever wants its content has its bytes.
    case other(class: String)
}
