package import LocwatchSupport

/// The origin of one session of a provider, such as a gpsd, a recording or a fleet.
///
/// Drivers turn sources and nothing else.
/// The driver waits until `descriptor` is readable or the time that `timeLeft(until:)` returned has passed, and then
/// calls `turn`. A turn never waits: what can take long has a descriptor. Only one thread at a time may use a source.
/// Releasing it frees its resources, as `stop()` does.
package protocol Source: AnyObject {
    /// The current moment of the session.
    var now: Moment { get }
    /// The descriptor to poll for reading, or −1 if there is none at present.
    var descriptor: Int32 { get }
    /// Whether to poll the descriptor for writing too.
    var waitsForWriting: Bool { get }
    /// Returns the real time that the driver, which must act at `deadline` itself, may wait before it calls `turn`, or
    /// `nil` to wait until the descriptor is readable.
    func timeLeft(until deadline: Moment?) -> Duration?
    /// Returns whether session time has reached a moment by itself, without an update of that moment or a later one.
    func hasReached(_ moment: Moment) -> Bool
    /// The real duration of the session, if its own time advances only with input.
    var realTime: Duration? { get }
    /// The number of bytes read so far, for a progress display.
    var bytesRead: Int { get }
    /// Whether a peer has accepted the connection, even if it has not sent anything yet.
    var isConnected: Bool { get }
    /// Performs the pending work and appends the resulting updates, also if it throws; returns `false` when the session has ended.
    func turn(isReady: Bool, into updates: inout ReusedQueue<LocationUpdate>) throws(LocationError) -> Bool
    /// Ends the session and frees its external resources.
    func stop()
}

extension Source {
    /// Returns whether `now` has reached a moment; by default session time is real time.
    package func hasReached(_ moment: Moment) -> Bool { now >= moment }

    package var waitsForWriting: Bool { false }

    package var realTime: Duration? { nil }

    package var bytesRead: Int { 0 }

    package var isConnected: Bool { false }
}
