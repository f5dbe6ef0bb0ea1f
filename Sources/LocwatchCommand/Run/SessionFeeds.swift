import GPSDReports
import GPSDSimulation
import LocationCore
import LocationGPSD

extension SourceWord {
    /// Whether the session comes as it happens, and not out of a recording.
    var isLive: Bool {
        if case .recording = self { false } else { true }
    }

    /// The session that the word stands for.
    ///
    /// - Parameter tap: is given all bytes as they arrive.
    func feed(
        _ settings: Settings, listsSatellites: Bool = true, clock: SessionClock,
        patience: LivePatience = LivePatience(),
        tap: ((UnsafeRawBufferPointer, Moment) -> Void)? = nil
    ) throws(LocationError) -> any SessionFeed {
        switch self {
        case .gpsd(var endpoint):
            endpoint.device = settings.device ?? endpoint.device
            return DaemonFeed(
                endpoint, reconnects: settings.reconnects, listsSatellites: listsSatellites, clock: clock,
                patience: patience, tap: tap)
        case .serial(let path, let speed):
            return try ReceiverFeed(
                device: path, speed: speed, reconnects: settings.reconnects, listsSatellites: listsSatellites,
                clock: clock, patience: patience, tap: tap)
        case .simulator(let name):
            let receiver = try SimulatedReceiver(named: name)
            return try ReceiverFeed(
                device: receiver.path, speed: nil, simulated: receiver, reconnects: settings.reconnects,
                listsSatellites: listsSatellites, clock: clock, patience: patience, tap: tap)
        case .recording(let path):
            return try RecordingFeed(
                path: path, pace: settings.pace ?? defaultPace, device: settings.device, clock: clock, tap: tap)
        }
    }

    /// A file is played as it was recorded; what comes through a pipe has its own pace.
    private var defaultPace: ReplayPace {
        if case .recording("-") = self { .max } else { .recorded }
    }
}

extension SimulatedReceiver {
    /// The simulated receiver of a name that is known to be one.
    convenience init(named name: String) throws(LocationError) {
        do {
            try self.init(ReceiverScenario.named(name) ?? .walk)
        } catch {
            throw .other(code: "simulation", message: "cannot simulate a receiver: \(error)")
        }
    }
}
