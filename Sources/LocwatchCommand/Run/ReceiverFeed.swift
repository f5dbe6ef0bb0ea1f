import GPSDSimulation
import Glibc
import LocationCore
import LocationGPSD
import Platform
import Synchronization

/// A receiver of this machine as the source of a session: on a serial line or simulated, read by a private gpsd.
final class ReceiverFeed: SessionFeed {
    private let clock: SessionClock
    private let reconnects: Bool
    private let listsSatellites: Bool
    private let livePatience: LivePatience
    private let tap: ((UnsafeRawBufferPointer, Moment) -> Void)?
    private let device: String
    private let settings: PrivateGPSD.Settings
    /// Pretends to be the device, while the session lasts.
    private let simulated: SimulatedReceiver?
    private var launch: Launch
    private var daemon: PrivateGPSD?
    private var client: DaemonFeed?
    /// Whether the device was pulled out; its return is looked for, as gpsd does not always come back to it.
    private var isPulled = false

    /// How often the return of a device that was pulled out is looked for.
    private static let absence = Duration.seconds(1)

    /// The start of a gpsd, which takes a second or more, on a thread of its own.
    private final class Launch: Sendable {
        let done: Event
        let interruption: Event
        private let outcome = Mutex<Result<PrivateGPSD, LocationError>?>(nil)

        init(device: String, settings: PrivateGPSD.Settings) throws(SystemFailure) {
            done = try Event()
            interruption = try Event()
            try NativeThread.start {
                do throws(LocationError) {
                    let daemon = try PrivateGPSD(
                        device: device, settings: settings, interruption: self.interruption)
                    self.outcome.withLock { $0 = .success(daemon) }
                } catch {
                    self.outcome.withLock { $0 = .failure(error) }
                }
                self.done.happen()
            }
        }

        func take() throws(LocationError) -> PrivateGPSD? {
            try outcome.withLock { (outcome) throws(LocationError) in try outcome?.get() }
        }
    }

    init(
        device: String, speed: Int?, simulated: SimulatedReceiver? = nil, reconnects: Bool,
        listsSatellites: Bool = true,
        clock: SessionClock, patience livePatience: LivePatience = LivePatience(),
        tap: ((UnsafeRawBufferPointer, Moment) -> Void)?
    ) throws(LocationError) {
        self.device = device
        self.simulated = simulated
        self.reconnects = reconnects
        self.listsSatellites = listsSatellites
        self.clock = clock
        self.livePatience = livePatience
        self.tap = tap
        var settings = PrivateGPSD.Settings()
        settings.speed = speed
        self.settings = settings
        launch = try Self.launch(device, settings)
    }

    deinit { end() }

    /// Ends the daemon and the simulated receiver, before the program is gone with what they left on the disk.
    func end() {
        launch.interruption.happen()
        launch.done.wait()
        client = nil
        if daemon == nil { daemon = try? launch.take() }
        daemon?.end()
        daemon = nil
        simulated?.stop()
    }

    var descriptor: Int32 { client?.descriptor ?? launch.done.descriptor }
    var now: Moment { clock.now }
    var patience: Duration? {
        guard isPulled else { return client?.patience }
        return min(client?.patience ?? Self.absence, Self.absence)
    }
    var retry: Duration? { client?.retry }

    func wait(until moment: Moment) -> Duration? { client?.wait(until: moment) ?? now.duration(to: moment) }

    func askForDevices() { client?.askForDevices() }

    func step(isReady: Bool, _ tell: (LocationUpdate) -> Void) throws(LocationError) -> Bool {
        if let client {
            let isAlive = daemon?.isRunning ?? false
            _ = try client.step(isReady: isReady) { update in
                note(update.event)
                tell(update)
            }
            // A gpsd of one's own that has died is started again, as nobody else will do it.
            if !isAlive, reconnects {
                tell(LocationUpdate(.failure(.daemonUnavailable(cause: "the private gpsd has ended")), at: now))
                try restart()
            } else if isPulled, access(device, F_OK) == 0 {
                try restart()
            }
        } else if let daemon = try launch.take() {
            self.daemon = daemon
            client = DaemonFeed(
                daemon.endpoint, reconnects: reconnects,
                listsSatellites: listsSatellites, clock: clock, patience: livePatience, tap: tap)
            _ = try client?.step(isReady: false, tell)
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

    private func restart() throws(LocationError) {
        isPulled = false
        client = nil
        daemon?.end()
        daemon = nil
        launch = try Self.launch(device, settings)
    }

    private static func launch(
        _ device: String, _ settings: PrivateGPSD.Settings
    ) throws(LocationError) -> Launch {
        do throws(SystemFailure) { return try Launch(device: device, settings: settings) } catch {
            throw .daemonUnavailable(cause: "\(error)")
        }
    }
}
