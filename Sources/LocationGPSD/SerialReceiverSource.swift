import GPSDReports
import Glibc
public import LocationCore
import LocwatchPlatform

/// A receiver on a serial line of this machine, read through a private gpsd.
///
/// The sessions of a source share one gpsd, which starts with the first session and ends with the last. It is restarted
/// when it has died and when an unplugged device is back, because gpsd does not always reopen the device.
public struct SerialReceiverSource: LocationProvider {
    private let options: SessionOptions
    private let daemon: SharedGPSD

    /// Creates a source for a receiver.
    ///
    /// - Parameters:
    ///   - device: the path of the device, such as `/dev/ttyACM0`.
    ///   - speed: the speed of the line in bits per second, or `nil` to have gpsd detect it.
    ///   - reconnects: whether a session continues after a failure; if not, the failure ends it.
    public init(device: String, speed: Int? = nil, reconnects: Bool = true) {
        var options = SessionOptions()
        options.reconnects = reconnects
        self.init(device: device, speed: speed, options: options)
    }

    /// Creates a source for a receiver, with session options.
    package init(device: String, speed: Int?, options: SessionOptions) {
        self.init(speed: speed, options: options) { () throws(LocationError) in AttachedReceiver(path: device) {} }
    }

    /// Creates a source for a receiver that exists only while the source has sessions.
    ///
    /// - Parameter attach: a closure that makes the receiver available; called by the first of concurrent sessions.
    package init(
        speed: Int? = nil, options: SessionOptions,
        attach: @escaping @Sendable () throws(LocationError) -> AttachedReceiver
    ) {
        self.options = options
        var settings = PrivateGPSD.Settings()
        settings.speed = speed
        daemon = SharedGPSD(settings: settings, attach: attach)
    }

    /// The number of running sessions.
    package var runningSessions: Int { daemon.userCount }

    /// Returns the updates of the receiver.
    public func updates(for request: LocationRequest) -> LocationUpdates {
        LocationUpdates(for: request, clock: options.clock) { [daemon, options] clock in
            SerialReceiverSession(daemon, for: request, options: options, clock: clock)
        } orThrow: { cause in
            .daemonUnavailable(cause: cause)
        }
    }
}

/// A receiver that a private gpsd can open.
package struct AttachedReceiver: Sendable {
    /// The path of the device.
    package let path: String
    /// A closure that removes the receiver, called when no gpsd uses it any more.
    package let detach: @Sendable () -> Void

    /// Creates a receiver at a path.
    package init(path: String, detach: @escaping @Sendable () -> Void) {
        self.path = path
        self.detach = detach
    }
}

/// A session over the shared gpsd of a serial receiver.
private final class SerialReceiverSession: PolledSession {
    /// The interval of the checks whether an unplugged device is back.
    private static let absenceCheck = Duration.seconds(1)

    private let daemon: SharedGPSD
    private let request: LocationRequest
    private let options: SessionOptions
    private let clock: SessionClock
    private var launch: GPSDStart?
    private var client: GPSDClient?
    private var isPulled = false
    private var hasJoined = false
    private var hasStopped = false

    init(_ daemon: SharedGPSD, for request: LocationRequest, options: SessionOptions, clock: SessionClock) {
        self.daemon = daemon
        self.request = request
        self.options = options
        self.clock = clock
    }

    deinit { stop() }

    func stop() {
        hasStopped = true
        client = nil
        launch = nil
        if hasJoined { daemon.leave() }
        hasJoined = false
    }

    var now: Moment { clock.now }

    var descriptor: Int32 { client?.descriptor ?? launch?.done.descriptor ?? -1 }

    var isConnected: Bool { client?.isConnected ?? false }

    func timeLeft(until deadline: Moment?) -> Duration? {
        guard let client else {
            let own: Duration? = launch == nil ? .zero : nil
            return own ?? deadline.map { max(.zero, now.duration(to: $0)) }
        }
        let left = client.timeLeft(until: deadline)
        guard isPulled else { return left }
        return left.map { min($0, Self.absenceCheck) } ?? Self.absenceCheck
    }

    func hasReached(_ moment: Moment) -> Bool { client?.hasReached(moment) ?? (now >= moment) }

    func step(isReady: Bool, emit: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        guard !hasStopped else { return false }
        guard let launch else {
            self.launch = try daemon.join()
            hasJoined = true
            return true
        }
        guard let client else {
            guard let started = try launch.outcome() else { return true }
            // The device of the request is ignored, because the private gpsd has only one.
            let client = GPSDClient(started.endpoint, for: request, options: options, clock: clock)
            self.client = client
            return try client.step(isReady: false, emit: emit)
        }
        let isAlive = launch.isRunning
        _ = try client.step(isReady: isReady) { update in
            note(update.event)
            emit(update)
        }
        if !isAlive, options.reconnects {
            emit(LocationUpdate(.failure(.daemonUnavailable(cause: "the private gpsd has ended")), at: now))
            try restart(launch)
        } else if isPulled, access(launch.path, F_OK) == 0 {
            try restart(launch)
        }
        return true
    }

    private func note(_ event: LocationEvent) {
        switch event {
        case .searching(.deviceLost, _): isPulled = true
        case .location, .satellites, .searching(.noFix, _): isPulled = false
        default: break
        }
    }

    private func restart(_ old: GPSDStart) throws(LocationError) {
        isPulled = false
        client = nil
        launch = try daemon.replace(old)
    }
}
